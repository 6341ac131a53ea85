// SPDX-License-Identifier: Apache-2.0
#include "drivers/dbc/attributes.hpp"

#include <algorithm>
#include <cctype>

namespace hild::can {
namespace {

constexpr std::array<std::string_view, 5> attribute_names{"GenMsgCycleTime", "GenMsgStartDelayTime",
                                                          "GenMsgSendType", "VFrameFormat",
                                                          "GenSigStartValue"};
constexpr double longest_ms = 1e9;  // 11 days

/// What a word of GenMsgSendType means. Tools have their own, of which these are parts.
SendType send_type_of(std::string_view word) {
  std::string small;
  for (const char c : word.substr(0, 64)) {
    small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto any_of = [&small](std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](auto part) { return small.find(part) != small.npos; });
  };
  if (any_of({"ifactive"})) return SendType::if_active;
  const bool cyclic = any_of({"cyclic", "periodic"});
  if (any_of({"spontan", "change", "event", "write"})) {
    return cyclic ? SendType::cyclic_and_on_change : SendType::on_change;
  }
  if (cyclic) return SendType::cyclic;
  return any_of({"nomsgsendtype", "notused", "none"}) ? SendType::none : SendType::unspecified;
}

}  // namespace

Attributes::Which Attributes::which(std::string_view name) {
  const auto found = std::ranges::find(attribute_names, name);
  return static_cast<Which>(found - attribute_names.begin());
}

Attributes::Value Attributes::value(Scanner& in) {
  const int line = in.line();
  if (in.peek() == '"') {
    return {.number = 0, .word = in.quoted("the attribute's value"), .is_word = true, .line = line};
  }
  const double number = in.number("the attribute's value, a number or a text");
  return {.number = number, .word = {}, .is_word = false, .line = line};
}

void Attributes::define(Scanner& in) {
  const int begun = in.line();
  if (in.at_word()) in.word("what the attribute is of");
  const Which attribute = which(in.quoted("the attribute's name"));
  const std::string_view type = in.word("the attribute's type (INT, HEX, FLOAT, STRING, ENUM)");
  if (attribute != none && type == "ENUM") {
    Words& words = words_[attribute];
    words.clear();
    do words.push_back(in.quoted("a word of the enumeration"));
    while (in.take(','));
  }
  in.skip_section("BA_DEF_", begun);
}

void Attributes::set_default(Scanner& in) {
  const Which attribute = which(in.quoted("the attribute's name"));
  const Value given = value(in);
  if (attribute != none) defaults_[attribute] = given;
  in.expect(';', "behind the default");
}

void Attributes::set(Scanner& in, std::string_view name, std::optional<std::size_t> message) {
  const Which attribute = which(name);
  const Value given = value(in);
  if (attribute != none && message) values_[attribute][*message] = given;
  in.expect(';', "behind the attribute's value");
}

void Attributes::set(Scanner& in, std::string_view name, Signal* signal) {
  const Value given = value(in);
  if (signal != nullptr && which(name) == start_value && !given.is_word) {
    signal->start = given.number;
  }
  in.expect(';', "behind the attribute's value");
}

const Attributes::Value* Attributes::find(Which which, std::size_t message) const {
  const auto found = values_[which].find(message);
  if (found != values_[which].end()) return &found->second;
  return defaults_[which] ? &*defaults_[which] : nullptr;
}

std::string_view Attributes::word_of(Which which, const Value& value) const {
  if (value.is_word) return value.word;
  const Words& words = words_[which];
  const bool has_word = value.number >= 0 && value.number < static_cast<double>(words.size());
  return has_word ? words[static_cast<std::size_t>(value.number)] : std::string_view();
}

std::optional<Duration> Attributes::time(Scanner& in, Which which, std::size_t message) const {
  const Value* given = find(which, message);
  if (given == nullptr || given->is_word || given->number == 0) return {};
  if (!(given->number > 0 && given->number <= longest_ms)) {
    in.refuse(given->line, "{} is {} ms; expected 0 (none) to {} ms", attribute_names[which],
              given->number, longest_ms);
    return {};
  }
  return from_seconds(given->number / 1e3);
}

void Attributes::apply_format(Message& message, const Value& value) const {
  const std::string_view word = word_of(frame_format, value);
  const auto is = [&](std::string_view name, double number) {
    return word.empty() ? !value.is_word && value.number == number : word == name;
  };
  message.fd = is("StandardCAN_FD", 14) || is("ExtendedCAN_FD", 15);
  message.j1939 = is("J1939PG", 3);
}

void Attributes::apply(Scanner& in, Database& database) const {
  for (std::size_t i = 0; i < database.messages.size(); ++i) {
    Message& message = database.messages[i];
    message.cycle_time = time(in, cycle_time, i);
    message.start_delay = time(in, start_delay, i);
    if (const Value* given = find(send_type, i)) {
      message.send_type = send_type_of(word_of(send_type, *given));
    }
    if (const Value* given = find(frame_format, i)) apply_format(message, *given);
    if (message.length > 8 && !message.j1939) message.fd = true;
    const auto& start = defaults_[start_value];
    if (!start || start->is_word) continue;
    for (Signal& signal : message.signals) {
      if (!signal.start) signal.start = start->number;
    }
  }
}

}  // namespace hild::can
