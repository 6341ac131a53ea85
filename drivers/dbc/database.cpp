// SPDX-License-Identifier: Apache-2.0
#include "drivers/dbc/database.hpp"

#include <algorithm>

namespace hild::can {
namespace {

template <class All, class Is>
auto found_in(const All& all, Is is) -> decltype(all.data()) {
  const auto found = std::ranges::find_if(all, is);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view word_of(const Signal& signal, std::uint64_t raw) {
  if (signal.values == nullptr || signal.layout.number != Number::integer) return {};
  const NamedValue* const found = found_in(
      *signal.values, [&](const NamedValue& one) { return one.raw(signal.layout) == raw; });
  return found == nullptr ? std::string_view() : found->name;
}

const Signal* Message::find(std::string_view signal) const {
  return found_in(signals, [&](const Signal& one) { return one.name == signal; });
}

const Message* Database::find(std::string_view message) const {
  return found_in(messages, [&](const Message& one) { return one.name == message; });
}

const Message* Database::find(std::uint32_t id, bool extended) const {
  return found_in(messages,
                  [&](const Message& one) { return one.id == id && one.extended == extended; });
}

Presence presence_of(const Message& message, const Signal& signal) {
  Presence presence;
  for (const Signal* one = &signal; one->multiplexing.switched_by;) {
    const Signal& above = message.signals[*one->multiplexing.switched_by];
    presence.require(Field(above.layout), one->multiplexing.values);
    one = &above;
  }
  return presence;
}

}  // namespace hild::can
