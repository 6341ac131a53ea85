// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/page.hpp"

#include <new>
#include <utility>

namespace hild::dds {
namespace {

constexpr std::size_t all_words = stamps + most_values + most_nodes * stamps + most_values;

struct WholePage {
  PageHead head;  // where Page::head() looks for it
  rt::ImageSequence sequences[1 + most_nodes];
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

rt::ImageSlot Page::slot(std::size_t which, std::size_t first, std::size_t values) const noexcept {
  WholePage& page = whole(memory_);
  return {page.sequences[which], std::span(page.words).subspan(first, stamps + values)};
}

rt::ImageSlot Page::outputs(std::size_t values) const noexcept { return slot(0, 0, values); }

std::vector<rt::ImageSlot> Page::images(std::span<const std::size_t> values) const {
  std::vector<rt::ImageSlot> all;
  std::size_t first = stamps + most_values;
  for (const std::size_t n : values) {
    all.push_back(slot(all.size() + 1, first, n));
    first += stamps + n;
  }
  return all;
}

}  // namespace hild::dds
