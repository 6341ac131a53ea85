// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/words.hpp"

#include <algorithm>
#include <cstring>

namespace hild::dds {
namespace {

constexpr std::size_t words_of_name = words_of_peer - 1;
static_assert(words_of_name * sizeof(double) == Name::capacity + 1);
constexpr int attempts = 1000;  // at what is being written

}  // namespace

io::Ask ask_of(std::int64_t number) noexcept {
  const bool known = number > 0 && number <= static_cast<std::int64_t>(io::Ask::disarm);
  return known ? static_cast<io::Ask>(number) : io::Ask::nothing;
}

PackedWords packed(const io::NodeWords& words) noexcept {
  return {as_word(words.waits ? 1 : 0),
          as_word(words.armed ? 1 : 0),
          as_word(words.may_arm ? 1 : 0),
          as_word(words.first_tick),
          as_word(words.frame),
          as_word(words.overruns),
          as_word(static_cast<std::int64_t>(words.ask)),
          as_word(words.number),
          as_word(words.answer_to),
          as_word(words.yes ? 1 : 0)};
}

io::NodeWords unpacked(std::span<const double, words_of_node> words) noexcept {
  const auto number = [&](std::size_t at) { return as_number(words[at]); };
  return {.waits = number(0) != 0,
          .armed = number(1) != 0,
          .may_arm = number(2) != 0,
          .first_tick = number(3),
          .frame = number(4),
          .overruns = number(5),
          .ask = ask_of(number(6)),
          .number = number(7),
          .answer_to = number(8),
          .yes = number(9) != 0};
}

void put(rt::ImageSlot& slot, const io::Peer& peer) noexcept {
  std::array<double, words_of_peer> head{};
  std::memcpy(head.data(), peer.node.view().data(), peer.node.view().size());
  head[words_of_name] = as_word(peer.here ? 1 : 0);
  slot.write(head, packed(peer.words));
}

std::optional<io::Peer> peer_in(const rt::ImageSlot& slot) {
  std::array<double, words_of_peer + words_of_node> words{};
  if (slot.writes() == 0 || !slot.read(words, attempts)) return {};
  std::array<char, Name::capacity + 1> name{};
  std::memcpy(name.data(), words.data(), name.size());
  const std::string_view text(name.data(), ::strnlen(name.data(), Name::capacity));
  const bool printable = std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
  if (text.empty() || !printable) return {};
  return io::Peer{text, as_number(words[words_of_name]) != 0,
                  unpacked(std::span(words).last<words_of_node>())};
}

}  // namespace hild::dds
