// SPDX-License-Identifier: Apache-2.0
/// \file
/// The newest images of the inputs, each image group with the instants of its own, and the inputs
/// at any instant: up to the newest image by the polynomial through images at their true times (a
/// sample 4 % of a frame late, used as if on time, makes every method first order), beyond it as
/// they are to be carried on (Bernstein). Real-time safe after construction.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::io {

/// What stands for an input whose newest image is too old.
enum class OnLoss : std::uint8_t {
  safe_stop,   ///< nothing: the run ends safely
  hold,        ///< its last value
  carry_on,    ///< what stands for it beyond its newest image anyway
  substitute,  ///< a declared value
};

struct LossRule {
  Duration max_latency{0};  ///< of its newest image; 0: it may be of any age
  OnLoss then = OnLoss::safe_stop;
  double substitute = 0;  ///< in signal units
};

/// What an input is between two images, and without them.
struct SampledInput {
  std::size_t group = 0;  ///< of images
  bool held = false;      ///< what it was, never interpolated: a digital line, a constant
  /// A larger change from one image to the next is a jump: the history of its group begins anew.
  double jump = std::numeric_limits<double>::infinity();
  LossRule loss{};
};

class ImageHistory {
 public:
  static constexpr std::size_t depth = 4;
  /// RTRK-4 keeps its order through steps of 2.3 frames with 64, not with 32. Far beyond, a
  /// converter's last bit would outweigh the signal.
  static constexpr double largest_gain = 64;

  /// Degrees of the polynomial, each less than depth; 0 holds.
  struct Degrees {
    int within = 0;  ///< at or before the newest image
    int beyond = 0;  ///< after it
  };

  /// How inputs follow from images.
  struct Rule {
    Degrees degrees;
    Duration spacing{};     ///< images of a group closer together than this count as one
    bool as_taken = false;  ///< the newest image stands for a nominal time that lies before it

    /// Of a pass at `nominal`, in a step that was due at `due`: one that runs behind on purpose has
    /// images after its nominal time in any case.
    [[nodiscard]] constexpr Degrees at(MonoTime nominal, MonoTime due) const noexcept {
      return {as_taken && nominal >= due ? 0 : degrees.within, degrees.beyond};
    }
  };

  /// There is a group at least. Images of a group closer together than `spacing` count as one, so
  /// that those taken while a run catches up do not push out the older ones that a polynomial
  /// needs.
  ImageHistory(const std::vector<SampledInput>& inputs, std::size_t groups, Duration spacing);

  /// Where the next image is to be read into, and the instants of its groups; accept() makes it the
  /// newest. In a group it replaces one that is less than `spacing` older, or just as old (of a
  /// slow device).
  [[nodiscard]] std::span<double> incoming() noexcept { return slot(incoming_); }
  [[nodiscard]] std::span<MonoTime> instants() noexcept { return instants_; }
  [[nodiscard]] std::span<const MonoTime> instants() const noexcept { return instants_; }
  void accept() noexcept;
  /// As before the first image.
  void clear() noexcept {
    for (Group& group : groups_) shorten(group, 0);
  }
  /// Of a group only its newest image counts from here on.
  void forget(std::size_t group) noexcept { shorten(groups_[group], 1); }

  [[nodiscard]] std::span<const double> newest() const noexcept { return slot(newest_); }
  /// When a group was made last; it has an image.
  [[nodiscard]] MonoTime newest_time(std::size_t group) const noexcept {
    return groups_[group].instants[0];
  }
  /// Of the youngest group.
  [[nodiscard]] MonoTime newest_time() const noexcept { return newest_time_; }

  /// Inputs at `t`, of a lower degree than asked for where images are too few, or where it would
  /// amplify noise beyond `largest_gain`.
  void at(MonoTime t, Degrees degrees, std::span<double> u) const noexcept;

  /// All inputs.
  [[nodiscard]] std::size_t size() const noexcept { return width_; }
  [[nodiscard]] std::size_t groups() const noexcept { return groups_.size(); }

 private:
  // Inputs that lie side by side and are treated alike.
  struct Run {
    std::size_t begin, end;
  };
  struct Watched {
    std::size_t input;
    double jump;
  };
  // Of the images that are kept, newest first.
  struct Group {
    std::array<MonoTime, depth> instants{};
    std::array<std::uint32_t, depth> slots{};
    std::size_t known = 0;
    std::vector<Run> interpolated;
    std::vector<Watched> watched;
  };
  using Weights = std::array<double, depth>;

  [[nodiscard]] std::span<double> slot(std::size_t i) noexcept {
    return std::span(values_).subspan(i * width_, width_);
  }
  [[nodiscard]] std::span<const double> slot(std::size_t i) const noexcept {
    return std::span(values_).subspan(i * width_, width_);
  }
  void take(Group& group, MonoTime sampled) noexcept;
  void shorten(Group& group, std::size_t known) noexcept;
  [[nodiscard]] bool jumped(const Group& group) const noexcept;
  void keep(std::uint32_t slot) noexcept { ++users_[slot]; }
  void drop(std::uint32_t slot) noexcept {
    if (--users_[slot] == 0) spare_[spares_++] = slot;
  }
  [[nodiscard]] static std::size_t weigh(const Group& group, MonoTime t, std::size_t points,
                                         Weights& weight) noexcept;
  template <std::size_t Points>
  void combine(const Group& group, const Weights& weight, std::span<double> u) const noexcept;

  std::size_t width_;
  Duration spacing_;
  std::vector<Group> groups_;
  std::vector<Run> held_;
  std::vector<MonoTime> instants_;  // of the incoming image
  // Images are whole, and kept while a group has one of its own there.
  std::vector<double> values_;
  std::vector<std::uint32_t> users_;  // of each
  std::vector<std::uint32_t> spare_;  // without any, the first of these
  std::size_t spares_ = 0;
  MonoTime newest_time_{};
  std::uint32_t newest_ = 0;
  std::uint32_t incoming_ = 1;
};

}  // namespace hild::io
