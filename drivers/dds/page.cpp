// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/page.hpp"

#include <new>
#include <utility>

namespace hild::dds {
namespace {

constexpr std::size_t first_own_word =
    stamps + most_values + 2 * (most_nodes * stamps + most_values);
constexpr std::size_t first_peer = first_own_word + words_of_node;
constexpr std::size_t peer_size = words_of_peer + words_of_node;
constexpr std::size_t all_words = first_peer + most_nodes * peer_size;
// Of the outputs, the images, this node, the others.
constexpr std::size_t own_place = 1 + 2 * most_nodes;
constexpr std::size_t all_places = own_place + 1 + most_nodes;

struct WholePage {
  PageHead head;  // where Page::head() looks for it
  rt::ImageSequence sequences[all_places];
  double words[all_words];
};

WholePage& whole(const rt::SharedMemory& memory) noexcept {
  return *static_cast<WholePage*>(memory.data());
}

}  // namespace

Page::Page(rt::SharedMemory memory) noexcept : memory_(std::move(memory)) {}

Result<Page> Page::make(Descriptor& file) {
  auto memory = rt::SharedMemory::make_with_file(sizeof(WholePage), file);
  if (!memory) return tl::make_unexpected(memory.error());
  static_cast<void>(memory->emplace<WholePage>());
  return Page(std::move(*memory));
}

Result<Page> Page::map(int file) {
  auto memory = rt::SharedMemory::map(file, sizeof(WholePage));
  if (!memory) return tl::make_unexpected(memory.error());
  return Page(std::move(*memory));
}

std::size_t Page::bytes() noexcept { return sizeof(WholePage); }

rt::ImageSlot Page::slot(std::size_t which, std::size_t first, std::size_t words) const noexcept {
  WholePage& page = whole(memory_);
  return {page.sequences[which], std::span(page.words).subspan(first, words)};
}

rt::ImageSlot Page::outputs(std::size_t values) const noexcept {
  return slot(0, 0, stamps + values);
}

std::vector<TwoImages> Page::images(std::span<const std::size_t> values) const {
  std::vector<TwoImages> all;
  all.reserve(values.size());
  std::size_t place = 1;
  std::size_t first = stamps + most_values;
  for (const std::size_t n : values) {
    const std::size_t size = stamps + n;
    all.emplace_back(slot(place, first, size), slot(place + 1, first + size, size));
    place += 2;
    first += 2 * size;
  }
  return all;
}

rt::ImageSlot Page::own_words() const noexcept {
  return slot(own_place, first_own_word, words_of_node);
}

std::vector<rt::ImageSlot> Page::peers() const {
  std::vector<rt::ImageSlot> all;
  all.reserve(most_nodes);
  for (std::size_t n = 0; n < most_nodes; ++n) {
    all.push_back(slot(own_place + 1 + n, first_peer + n * peer_size, peer_size));
  }
  return all;
}

}  // namespace hild::dds
