// SPDX-License-Identifier: Apache-2.0
#include "cli/main/configured_inputs.hpp"

#include <algorithm>
#include <optional>

#include "hild/core/units.hpp"

namespace hild::commands {
namespace {

class ConfiguredInputs final : public reference::Inputs {
 public:
  struct Wire {
    const io::Signal* signal = nullptr;  ///< nullptr: `offset` is the value
    double scale = 0;
    double offset = 0;
    io::Interval range{};
    bool digital = false;
  };

  void at(double t, SimTime piece, std::span<double> u) const override {
    for (std::size_t i = 0; i < wires.size(); ++i) {
      const Wire& w = wires[i];
      if (w.signal == nullptr) {
        u[i] = w.offset;
        continue;
      }
      const double line = w.signal->value(t, piece);
      const double converted =
          w.digital ? (line >= 0.5 ? 1.0 : 0.0) : std::clamp(line, w.range.low, w.range.high);
      u[i] = w.scale * converted + w.offset;
    }
  }
  [[nodiscard]] SimTime next_break(SimTime t) const override {
    SimTime next = model::never;
    for (const Wire& w : wires) {
      if (w.signal != nullptr) next = std::min(next, w.signal->next_break(t));
    }
    return next;
  }

  std::vector<Wire> wires;
};

struct Given {
  std::size_t input;
  double value;
};

// NAME=VALUE, the value in the signal's unit when it has none.
Result<Given> parse_given(const model::Description& model, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return fail("--input {}: expected NAME=VALUE", text);
  const auto name = std::string_view(text).substr(0, equals);
  const auto input = std::ranges::find(model.inputs, name, &model::Input::name);
  if (input == model.inputs.end()) {
    std::vector<std::string_view> names;
    for (const auto& i : model.inputs) names.push_back(i.name);
    return fail("--input {}: {} has no such input; expected {}", text, model.name,
                names.empty() ? "none" : fmt::format("one of {}", fmt::join(names, ", ")));
  }
  const auto words = std::string_view(text).substr(equals + 1);
  const auto split = split_quantity(words);
  const auto value =
      split && split->unit.empty() ? Result<double>(split->number) : quantity(words, input->unit);
  if (!value) return fail("--input {}: {}", text, value.error().message);
  return Given{static_cast<std::size_t>(input - model.inputs.begin()), *value};
}

}  // namespace

Result<std::unique_ptr<reference::Inputs>> configured_inputs(
    const config::Config& config, const std::vector<std::string>& given) {
  std::vector<std::optional<double>> constant(config.inputs.size());
  for (const auto& text : given) {
    const auto parsed = parse_given(config.model.description, text);
    if (!parsed) return tl::make_unexpected(parsed.error());
    constant[parsed->input] = parsed->value;
    if (!config.coupled) continue;
    for (const auto& c : config.coupled->composition->connections()) {
      if (c.to != parsed->input) continue;
      return fail("--input {}: it is connected to {}", text,
                  config.model.description.outputs[c.from].name);
    }
  }
  auto inputs = std::make_unique<ConfiguredInputs>();
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    const io::InputSignal& s = config.inputs[i];
    if (constant[i] || s.device < 0) {
      inputs->wires.push_back({.offset = constant[i].value_or(s.start)});
      continue;
    }
    const auto& member = config.devices[static_cast<std::size_t>(s.device)];
    const io::Signal* const signal = member.device->signal(s.slot);
    if (signal == nullptr) {
      return fail(
          "{}: input `{}` comes from device {} ({}), which a reference run has not: its value must "
          "follow from time alone; give it one, for example --input {}='{:g} {}'",
          config.file, s.name.view(), member.name.view(), s.channel.where.view(), s.name.view(),
          s.start, config.model.description.inputs[i].unit);
    }
    inputs->wires.push_back({signal, s.scale, s.offset, s.channel.range, s.channel.digital});
  }
  return inputs;
}

}  // namespace hild::commands
