// SPDX-License-Identifier: Apache-2.0
#include "framelog/topics.hpp"

#include <algorithm>
#include <map>

#include "hild/io/frame_record.hpp"

namespace hild::framelog {
namespace {

using proto::Field;
using proto::Type;

constexpr std::array<std::string_view, 3> reasons{"ring", "disk", "trigger"};

// Enumerators must be unlike any other name of the package, by the rules of the language.
std::string enumerator(std::string_view kind, std::string_view value) {
  std::string name(kind);
  name += '_';
  name += value;
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return name;
}

void add(proto::Message& message, std::string name, Type type, std::string unit = "") {
  const auto number = static_cast<std::uint32_t>(message.fields.size() + 1);
  message.fields.push_back({name, number, type, {name, std::move(unit)}});
}

}  // namespace

proto::Message signals_message(Topic topic, const std::vector<SignalName>& signals) {
  constexpr std::array<std::string_view, 3> names{"hild.Inputs", "hild.Outputs", "hild.States"};
  const bool raw = topic == Topic::counts;
  proto::Message message;
  message.name =
      raw ? "hild.Counts"
          : names[static_cast<std::size_t>(topic) - static_cast<std::size_t>(Topic::inputs)];
  std::vector<std::string> taken;
  add(message, proto::identifier("tick", taken), Type::sfixed64);
  add(message, proto::identifier("t", taken), Type::float64, "s");
  for (const SignalName& signal : signals) {
    add(message, proto::identifier(signal.name, taken), raw ? Type::fixed32 : Type::float64);
    message.fields.back().signal = signal;
  }
  return message;
}

proto::Message timing_message() {
  proto::Message m{.name = "hild.Timing", .fields = {}, .enumeration = "Cause"};
  for (std::size_t i = 0; i < io::cause_count; ++i) {
    m.values.push_back(enumerator("cause", io::to_string(static_cast<io::Cause>(i))));
  }
  add(m, "step", Type::sfixed64);
  add(m, "frame", Type::sfixed64);
  add(m, "t", Type::float64, "s");
  add(m, "lateness", Type::float64, "us");
  add(m, "start", Type::float64, "us");
  for (std::size_t i = 0; i < io::phase_count; ++i) {
    add(m, std::string(io::to_string(static_cast<io::Phase>(i))), Type::float64, "us");
  }
  add(m, "span", Type::sfixed32);
  add(m, "slipped", Type::sfixed32);
  add(m, "passes_run", Type::sfixed32);
  add(m, "state_events", Type::sfixed32);
  add(m, "external_events", Type::sfixed32);
  add(m, "mark", Type::fixed32);
  add(m, "cause", Type::enumeration);
  add(m, "overrun", Type::boolean);
  add(m, "late_wake", Type::boolean);
  add(m, "starter", Type::boolean);
  add(m, "frozen", Type::boolean);
  add(m, "early", Type::boolean);
  return m;
}

proto::Message gap_message() {
  proto::Message m{.name = "hild.Gap", .fields = {}, .enumeration = "Reason"};
  for (const auto reason : reasons) m.values.push_back(enumerator("reason", reason));
  add(m, "first", Type::sfixed64);
  add(m, "last", Type::sfixed64);
  add(m, "reason", Type::enumeration);
  return m;
}

std::string_view to_string(Gap::Reason reason) noexcept {
  return reasons[static_cast<std::size_t>(reason)];
}

mcap::Schema schema_of(Topic topic, const proto::Message& message) {
  return {channel_of(topic), message.name, std::string(protobuf), proto::describe(message)};
}

mcap::Channel channel_of(Topic topic, const proto::Message& message) {
  mcap::Channel channel{channel_of(topic),
                        channel_of(topic),
                        std::string(to_string(topic)),
                        std::string(protobuf),
                        {}};
  for (const Field& field : message.fields) {
    if (!field.signal.unit.empty()) {
      channel.metadata.emplace_back("unit." + field.name, field.signal.unit);
    }
    if (field.signal.name != field.name) {
      channel.metadata.emplace_back("name." + field.name, field.signal.name);
    }
  }
  return channel;
}

void add_signal_names(const mcap::Map& metadata, proto::Message& message) {
  const std::map<std::string_view, std::string_view> by_key(metadata.begin(), metadata.end());
  const auto or_else = [&](const std::string& key, std::string_view other) {
    const auto found = by_key.find(key);
    return std::string(found == by_key.end() ? other : found->second);
  };
  for (Field& field : message.fields) {
    field.signal = {or_else("name." + field.name, field.name), or_else("unit." + field.name, "")};
  }
}

}  // namespace hild::framelog
