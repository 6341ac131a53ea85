// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the frame takes of the images that the gateway has left in the page: whole ones, of finite
/// values, none of the future. All memory is there from the start.
#pragma once

#include <span>
#include <vector>

#include "drivers/dds/page.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::dds {

/// Where the values of a node go, in the order in which they are in its image.
using Places = std::vector<std::size_t>;

class Receiver {
 public:
  Receiver() = default;
  /// Inputs are `start` until an image has come, which is said to be of long ago. The page and
  /// `unreadable` outlive it.
  Receiver(const Page& page, std::span<const Places> nodes, std::vector<double> start,
           MonoTime opened, rt::Counter& unreadable);

  /// Looks for new images. `sampled` comes in as the present time, and has an instant for each node
  /// afterwards. Real-time safe.
  void read(std::span<MonoTime> sampled) noexcept;
  /// The values of all inputs.
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }

 private:
  /// Inputs side by side whose values are side by side too.
  struct Stretch {
    std::size_t from, to, count;
  };
  struct Node {
    rt::SeqlockView image;
    std::vector<Stretch> stretches;
    std::size_t words = 0;
    std::uint64_t seen = 0;  // images
    MonoTime sampled{};
  };
  void take(Node& node, MonoTime now) noexcept;

  std::vector<Node> nodes_;
  std::vector<double> values_;
  std::vector<double> incoming_;
  rt::Counter* unreadable_ = nullptr;
};

}  // namespace hild::dds
