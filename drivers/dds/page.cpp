// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/page.hpp"

#include <new>
#include <utility>

namespace hild::dds {
namespace {

constexpr std::size_t slot_words(std::size_t values) noexcept { return 1 + stamps + values; }

constexpr std::size_t slot_area =
    slot_words(most_values) + most_nodes * slot_words(0) + most_values;

struct WholePage {
  PageHead head;
  rt::SeqlockWord words[slot_area];
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

PageHead& Page::head() const noexcept { return whole(memory_).head; }

rt::SeqlockView Page::slot(std::size_t first, std::size_t values) const noexcept {
  const std::span<rt::SeqlockWord> words(whole(memory_).words);
  return {words[first], words.subspan(first + 1, stamps + values)};
}

rt::SeqlockView Page::outputs(std::size_t values) const noexcept { return slot(0, values); }

std::vector<rt::SeqlockView> Page::images(std::span<const std::size_t> values) const {
  std::vector<rt::SeqlockView> all;
  std::size_t first = slot_words(most_values);
  for (const std::size_t n : values) {
    all.push_back(slot(first, n));
    first += slot_words(n);
  }
  return all;
}

}  // namespace hild::dds
