// SPDX-License-Identifier: Apache-2.0
/// \file
/// The newest input images with the instants they were sampled at, and the inputs at any instant
/// by the polynomial through them: a late sample brought back to its nominal time (u(tau) used as
/// u(t) costs an order), or one carried on to a node that lies in the future (Bernstein).
/// Real-time safe after construction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::exec {

class Inputs {
 public:
  static constexpr std::size_t depth = 4;
  /// RTRK-4 keeps its order through steps of 2.3 frames with 64, not with 32. Far beyond, a
  /// converter's last bit would outweigh the signal.
  static constexpr double largest_gain = 64;

  /// `held[i]` marks inputs that are never interpolated (digital lines). Images closer together
  /// than `spacing` count as one, so that those taken while a run catches up do not push out the
  /// older ones that a polynomial needs.
  Inputs(std::size_t count, std::vector<std::uint8_t> held, Duration spacing);

  /// Where the next image is to be read into; accept() makes it the newest.
  [[nodiscard]] std::span<double> incoming() noexcept { return images_[spare()].values; }
  /// It replaces one that is less than `spacing` older, or just as old (a slow device).
  void accept(MonoTime sampled) noexcept;

  [[nodiscard]] std::span<const double> newest() const noexcept { return images_[newest_].values; }
  [[nodiscard]] MonoTime newest_time() const noexcept { return images_[newest_].sampled; }

  /// Inputs at `t` by the polynomial of at most `degree` (0 holds) through the newest images, of a
  /// lower degree where it would amplify noise beyond `largest_gain`.
  void at(MonoTime t, int degree, std::span<double> u) const noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return held_.size(); }

 private:
  struct Image {
    MonoTime sampled{};
    std::vector<double> values;
  };
  using Weights = std::array<double, depth>;
  [[nodiscard]] double weigh(MonoTime t, std::size_t points, Weights& weight) const noexcept;
  [[nodiscard]] std::size_t spare() const noexcept {
    return newest_ + 1 == images_.size() ? 0 : newest_ + 1;
  }
  [[nodiscard]] const Image& image(std::size_t age) const noexcept {
    return images_[(newest_ + images_.size() - age) % images_.size()];
  }

  std::array<Image, depth + 1> images_;
  std::vector<std::uint8_t> held_;
  Duration spacing_;
  std::size_t newest_ = 0;
  std::size_t known_ = 0;
};

}  // namespace hild::exec
