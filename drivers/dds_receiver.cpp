// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_receiver.hpp"

#include <array>
#include <utility>

namespace hild::dds {
namespace {

constexpr Duration before_any_image = 31'536'000_s;

}  // namespace

Receiver::Receiver(const Page& page, std::span<const Places> nodes, std::span<const double> start,
                   MonoTime opened, Duration min_age, rt::Counter& unreadable)
    : min_age_(min_age), unreadable_(&unreadable) {
  std::vector<std::size_t> sizes;
  for (const Places& places : nodes) sizes.push_back(places.size());
  const auto images = page.images(sizes);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Node node{
        .images = images[n], .seen = images[n].writes(), .sampled = opened - before_any_image};
    node.words = stamps;
    for (const std::size_t to : nodes[n]) {
      std::vector<Stretch>& all = node.stretches;
      const bool goes_on = !all.empty() && all.back().to + all.back().count == to;
      if (!goes_on) all.push_back({node.words, to, 0});
      ++all.back().count;
      ++node.words;
    }
    node.memory.resize(2 * node.words);
    node.image = node.memory.data();
    node.incoming = node.image + node.words;
    for (std::size_t i = 0; i < nodes[n].size(); ++i) node.image[stamps + i] = start[nodes[n][i]];
    nodes_.push_back(std::move(node));
  }
}

// The newest image, or while that is too young the one before it.
void Receiver::take_old_enough(Node& node, std::uint64_t newest, MonoTime now) noexcept {
  std::array<double, stamps> head{};
  const bool young = node.images.image(newest).read(head, detail::attempts) &&
                     MonoTime{as_number(head[1])} > now - min_age_;
  const std::uint64_t wanted = young ? newest - 1 : newest;
  if (wanted == node.seen || !read(node, wanted)) return;
  // Of two that came just now the second one has taken the place of the older one.
  if (young && node.images.writes() != newest) return;
  settle(node, wanted, now);
}

}  // namespace hild::dds
