// SPDX-License-Identifier: Apache-2.0
/// Calculated channels: calculated: {power: {formula: armature_voltage * current, unit: W}}.
#include <algorithm>
#include <array>
#include <cctype>

#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "hild/core/units.hpp"
#include "model/calculated/calculated.hpp"
#include "model/calculated/formula.hpp"
#include "model/calculated/unit_check.hpp"

namespace hild::config {
namespace {

using model::Channel;
using model::Operand;

// What a name in a formula stands for, with the powers of its unit.
struct Meaning {
  Operand operand;
  model::UnitPowers powers{};
};

bool is_number(std::string_view text) {
  const auto c = static_cast<unsigned char>(text.empty() ? ' ' : text.front());
  return std::isdigit(c) != 0 || c == '-' || c == '+' || c == '.';
}

class ChannelReader {
 public:
  // `model` has the channels before as further outputs.
  ChannelReader(YamlOptions& entry, const model::Description& model)
      : entry_(entry), where_(entry.map("where")), model_(model) {}

  Channel read(std::string_view name) {
    Channel channel;
    channel.name = Name(name);
    channel.formula = entry_.text("formula");
    const UnitInBase unit = read_unit(channel);
    channel.names = formula_or_told(model::Formula::names_in(channel.formula));
    check_where(channel);
    std::vector<model::UnitPowers> powers;
    powers.reserve(channel.names.size());
    channel.operands.reserve(channel.names.size());
    for (const std::string& one : channel.names) {
      Meaning meaning = where_.has(one) ? meaning_where(one) : meaning_in(entry_, "formula", one);
      channel.operands.push_back(meaning.operand);
      powers.push_back(std::move(meaning.powers));
    }
    const auto formula = formula_or_told(model::Formula::make(channel.formula, channel.names));
    if (const auto good = model::check_units(*formula, powers, unit.powers); !good) {
      entry_.mismatch("formula", fmt::format("one of the unit {}", channel.unit.view()),
                      good.error().message);
    }
    if (entry_.has("otherwise")) {
      channel.otherwise = entry_.number("otherwise", channel.unit.view());
    }
    return channel;
  }

 private:
  template <class Value>
  Value formula_or_told(Result<Value> made) {
    if (!made) entry_.mismatch("formula", "a formula", made.error().message);
    return std::move(*made);
  }

  UnitInBase read_unit(Channel& channel) {
    const std::string_view text = entry_.text("unit", "1");
    auto unit = unit_in_base(text);
    if (!unit) entry_.mismatch("unit", "a unit, N m say", unit.error().message);
    if (text.size() > Name::capacity) {
      entry_.mismatch("unit", "a shorter unit", fmt::format("at most {} bytes", Name::capacity));
    }
    channel.unit = Name(text);
    const double factor = 1 / unit->to_base.factor;
    channel.from_base = {factor, -unit->to_base.offset * factor};
    return std::move(*unit);
  }

  // Each name there is used: another one is a mistake in writing.
  void check_where(const Channel& channel) {
    for (const std::string& key : where_.keys()) {
      if (std::ranges::find(channel.names, key) != channel.names.end()) continue;
      where_.reject(key, fmt::format("found \"{}\", which the formula does not use", key));
    }
  }

  // A quantity or the name of a signal.
  Meaning meaning_where(const std::string& alias) {
    const std::string_view text = where_.text(alias);
    if (!is_number(text)) return meaning_in(where_, alias, text);
    const auto parts = where_.accept(alias, split_quantity(text));
    const auto unit = where_.accept(alias, unit_in_base(parts.unit.empty() ? "1" : parts.unit));
    const double value = parts.number * unit.to_base.factor + unit.to_base.offset;
    return {{.of = Operand::Of::constant, .value = value}, unit.powers};
  }

  Meaning meaning_in(YamlOptions& at, std::string_view key, std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view kind = colon < name.size() ? name.substr(0, colon) : "";
    const std::string_view bare = colon < name.size() ? name.substr(colon + 1) : name;
    std::vector<Meaning> found;
    std::vector<std::string_view> known;
    const auto look = [&](std::string_view its_kind, Operand::Of of, const auto& signals) {
      for (std::size_t i = 0; i < signals.size(); ++i) {
        if (!kind.empty() && kind != its_kind) continue;
        known.push_back(signals[i].name);
        if (signals[i].name != bare) continue;
        const UnitInBase unit = at.accept(key, unit_in_base(signals[i].unit));
        found.push_back(
            {{.of = of, .index = static_cast<std::uint32_t>(i), .to_base = unit.to_base},
             unit.powers});
      }
    };
    look("input", Operand::Of::input, model_.inputs);
    look("output", Operand::Of::output, model_.outputs);
    look("state", Operand::Of::state, model_.states);
    if (found.size() == 1) return std::move(found.front());
    if (found.size() > 1) {
      at.reject(key,
                fmt::format(
                    "\"{0}\" is the name of an input, an output or a state at once; write "
                    "`where: {{{1}: \"output:{0}\"}}` and {1} in the formula, or input:, or state:",
                    bare, bare == "x" ? "y" : "x"));
    }
    if (name == "time") return {{.of = Operand::Of::time}, {{"s", 1}}};
    at.reject(
        key, fmt::format("there is no signal \"{}\" in the model or among the channels before ({})",
                         name, suggest(bare, known)));
  }

  YamlOptions& entry_;
  YamlOptions& where_;
  const model::Description& model_;
};

void check_name(YamlOptions& section, const std::string& name, const model::Description& model) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  const bool begins = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  if (!begins || name.size() > Name::capacity || !std::ranges::all_of(name, fits)) {
    section.reject(
        name,
        fmt::format(
            "found the name \"{}\", expected one of letters, digits, _ and ., at most {} of them",
            name, Name::capacity));
  }
  const auto names = names_of(model.outputs);
  if (std::ranges::find(names, name) != names.end()) {
    section.reject(
        name,
        fmt::format("an output of the model is called \"{}\" already; choose another name", name));
  }
}

}  // namespace

void read_calculated(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("calculated");
  std::vector<Channel> channels;
  channels.reserve(section.keys().size());
  const model::Description model = config.model.description;
  for (const std::string& name : section.keys()) {
    section.attempt(name, [&] {
      check_name(section, name, config.model.description);
      channels.push_back(ChannelReader(section.section(name), config.model.description).read(name));
      config.model.calculation = model::make_calculation(model, channels);
      config.model.description = model::description_of(*config.model.calculation);
    });
  }
}

}  // namespace hild::config
