// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_receiver.hpp"

#include <algorithm>
#include <utility>

namespace hild::dds {
namespace {

constexpr Duration before_any_image = 31'536'000_s;
// Who writes it may be interrupted there: then it is read in the next frame.
constexpr int attempts = 4;

// Zero times what is finite is zero, and no number times anything else.
bool all_finite(std::span<const double> values) noexcept {
  double sum = 0;
  for (const double v : values) sum += v * 0.0;
  return sum == 0;
}

}  // namespace

Receiver::Receiver(const Page& page, std::span<const Places> nodes, std::vector<double> start,
                   MonoTime opened, rt::Counter& unreadable)
    : values_(std::move(start)), unreadable_(&unreadable) {
  std::vector<std::size_t> sizes;
  for (const Places& places : nodes) sizes.push_back(places.size());
  const auto images = page.images(sizes);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Node node{.image = images[n],
              .stretches = {},
              .words = stamps + sizes[n],
              .seen = images[n].writes(),
              .sampled = opened - before_any_image};
    for (std::size_t i = 0; i < sizes[n]; ++i) {
      const std::size_t to = nodes[n][i];
      const bool goes_on =
          !node.stretches.empty() && node.stretches.back().to + node.stretches.back().count == to;
      if (goes_on) {
        ++node.stretches.back().count;
      } else {
        node.stretches.push_back({stamps + i, to, 1});
      }
    }
    incoming_.resize(std::max(incoming_.size(), node.words));
    nodes_.push_back(std::move(node));
  }
}

void Receiver::read(std::span<MonoTime> sampled) noexcept {
  for (std::size_t n = 0; n < std::min(sampled.size(), nodes_.size()); ++n) {
    Node& node = nodes_[n];
    if (node.image.writes() != node.seen) take(node, sampled[n]);
    sampled[n] = node.sampled;
  }
}

void Receiver::take(Node& node, MonoTime now) noexcept {
  const std::span incoming = std::span(incoming_).first(node.words);
  const std::uint64_t writes = node.image.writes();
  if (!node.image.read(incoming, attempts)) return;
  node.seen = writes;
  if (!all_finite(incoming.subspan(stamps))) return unreadable_->add();
  for (const Stretch& s : node.stretches) {
    std::copy_n(incoming.begin() + static_cast<std::ptrdiff_t>(s.from), s.count,
                values_.begin() + static_cast<std::ptrdiff_t>(s.to));
  }
  // One that was written just now may be later than the frame's look at its clock.
  const MonoTime made{as_number(incoming[1])};
  node.sampled = std::max(node.sampled, std::min(made, now));
}

}  // namespace hild::dds
