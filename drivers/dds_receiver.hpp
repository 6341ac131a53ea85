// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the frame takes of the images that the gateway has left in the page: whole ones, of finite
/// values, none of the future. All memory is there from the start.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "drivers/dds/page.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::dds {

namespace detail {

// Who writes it may be interrupted there: then it is read in the next frame.
inline constexpr int attempts = 4;

using Two [[gnu::vector_size(2 * sizeof(double))]] = double;

inline Two two_at(const double* values) noexcept {
  Two two;
  std::memcpy(&two, values, sizeof two);
  return two;
}

// The sum of what is finite is finite too, unless it is huge; and no other sum is.
inline bool all_finite(std::span<const double> values) noexcept {
  Two sums{};
  const double* v = values.data();
  for (std::size_t eights = values.size() / 8; eights != 0; --eights, v += 8) {
    sums += (two_at(v) + two_at(v + 2)) + (two_at(v + 4) + two_at(v + 6));
  }
  double sum = sums[0] + sums[1];
  for (std::size_t rest = values.size() % 8; rest != 0; --rest) sum += *v++;
  return std::isfinite(sum) ||
         std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace detail

/// Which inputs the values of a node are, in the order in which they are in its image.
using Places = std::vector<std::size_t>;

class Receiver {
 public:
  Receiver() = default;
  /// Inputs are `start` until an image has come, which is said to be of long ago. Of the two newest
  /// images of a node the older one is used while the other is younger than `min_age`. The page and
  /// `unreadable` outlive it.
  Receiver(const Page& page, std::span<const Places> nodes, std::span<const double> start,
           MonoTime opened, Duration min_age, rt::Counter& unreadable);

  /// Looks for new images. `sampled` comes in as the present time, and has an instant for each node
  /// afterwards. Real-time safe.
  void look(std::span<MonoTime> sampled) noexcept;
  /// The values of all inputs, of the newest images. Real-time safe.
  void put(std::span<double> inputs) const noexcept;

 private:
  /// Values side by side that are of inputs side by side.
  struct Stretch {
    std::size_t from, to, count;
  };
  struct Node {
    TwoImages images;
    std::uint64_t seen = 0;  // the number of the one that was taken last
    MonoTime sampled{};
    std::size_t words = 0;         // of an image, with its stamps
    double* image = nullptr;       // taken last
    double* incoming = nullptr;    // another one, until it has been checked
    std::vector<double> memory{};  // of both
    std::vector<Stretch> stretches{};
  };
  void take(Node& node, std::uint64_t newest, MonoTime now) noexcept;
  void take_old_enough(Node& node, std::uint64_t newest, MonoTime now) noexcept;
  [[nodiscard]] bool read(Node& node, std::uint64_t number) noexcept;
  void settle(Node& node, std::uint64_t number, MonoTime now) noexcept;

  std::vector<Node> nodes_;
  Duration min_age_{};
  rt::Counter* unreadable_ = nullptr;
};

// Here, since an exchange is to be one function.
inline void Receiver::look(std::span<MonoTime> sampled) noexcept {
  MonoTime* instant = sampled.data();
  for (Node& node : nodes_) {
    const std::uint64_t newest = node.images.writes();
    if (newest != node.seen) take(node, newest, *instant);
    *instant++ = node.sampled;
  }
}

inline void Receiver::put(std::span<double> inputs) const noexcept {
  for (const Node& node : nodes_) {
    for (const Stretch& s : node.stretches) {
      std::copy_n(node.image + s.from, s.count, inputs.data() + s.to);
    }
  }
}

inline void Receiver::take(Node& node, std::uint64_t newest, MonoTime now) noexcept {
  if (min_age_.ns > 0) return take_old_enough(node, newest, now);
  if (read(node, newest)) settle(node, newest, now);
}

// The first attempt by itself: without the others it takes a few instructions less.
inline bool Receiver::read(Node& node, std::uint64_t number) noexcept {
  const rt::ImageSlot& image = node.images.image(number);
  const std::span incoming(node.incoming, node.words);
  return image.read(incoming, 1) || image.read(incoming, detail::attempts - 1);
}

inline void Receiver::settle(Node& node, std::uint64_t number, MonoTime now) noexcept {
  node.seen = number;
  const std::span incoming(node.incoming, node.words);
  if (!detail::all_finite(incoming.subspan(stamps))) return unreadable_->add();
  double* const image = std::exchange(node.incoming, node.image);
  node.image = image;
  // One that was written just now may be later than the frame's look at its clock.
  const std::int64_t made = std::min(as_number(image[1]), now.ns);
  if (made > node.sampled.ns) node.sampled.ns = made;
}

}  // namespace hild::dds
