// SPDX-License-Identifier: Apache-2.0
/// \file
/// The readers of the sections of a configuration, one file each. All throw ConfigError.
#pragma once

#include "config/config.hpp"
#include "config/yaml_options.hpp"

namespace hild::config {

void read_frame(YamlOptions& root, Config& config);
/// The grid of `frame`.
Grid read_grid(YamlOptions& frame);
void read_integrator(YamlOptions& root, Config& config);
[[nodiscard]] Model read_model(YamlOptions& root);
/// Where a model comes from, its parameters and its start: `section` is its map, and in `owner` is
/// its integrator, which takes steps of `rate`.
[[nodiscard]] Model read_one_model(YamlOptions& root, YamlOptions& section, YamlOptions& owner,
                                   coupled::Rate rate);
/// models: and connections:, instead of model:.
void read_models(YamlOptions& root, Config& config);
/// An input is connected or wired, not both.
void refuse_doubly_fed(YamlOptions& root);
/// An algebraic loop that nothing breaks.
void refuse_loop(YamlOptions& root, const Coupled& coupled);
/// The connections between the parts.
[[nodiscard]] std::vector<coupled::Connection> read_connections(
    YamlOptions& root, const std::vector<std::unique_ptr<const Part>>& parts);
/// Which method advances a model.
struct MethodChoice {
  numerics::Method method;
  std::optional<model::Multirate> multirate;
};
[[nodiscard]] MethodChoice read_method(YamlOptions& integrator, const Model& model);
/// Without a frame for how long a run is taken to hang. The ordinary scheduler may leave one that
/// does not hang out for seconds: what nobody asked for is longer there.
struct Patience {
  Duration urgent;
  Duration ordinary;
};
/// Of a key of a section that need not be there.
[[nodiscard]] Patience read_patience(YamlOptions* section, std::string_view key, const Grid& grid);
[[nodiscard]] exec::OverrunSettings read_overrun(YamlOptions& root, const Grid& grid,
                                                 bool& evidence, Duration& standstill_ordinary);
[[nodiscard]] exec::BudgetSettings read_budget(YamlOptions& root);
[[nodiscard]] exec::AdmissionSettings read_events(YamlOptions& root);
/// `clamping` is what the executive obeys of it.
[[nodiscard]] Safety read_safety(YamlOptions& root, const Grid& grid, exec::Clamping& clamping);
void read_control(YamlOptions& root, Config& config);
[[nodiscard]] std::vector<io::Member> read_devices(YamlOptions& root);
/// `max_latency` and `on_loss`; `usual` where nothing is said.
[[nodiscard]] io::LossRule read_loss(YamlOptions& section, const io::LossRule& usual);

[[nodiscard]] std::optional<Record> read_record(YamlOptions& root, const model::Description& model,
                                                const Grid& grid);

/// Inputs and outputs of the model; adds their channels to the devices.
[[nodiscard]] std::vector<io::InputSignal> read_inputs(YamlOptions& root,
                                                       const model::Description& model,
                                                       const std::vector<io::Member>& devices);
[[nodiscard]] std::vector<io::OutputSignal> read_outputs(YamlOptions& root,
                                                         const model::Description& model,
                                                         const std::vector<io::Member>& devices,
                                                         const Grid& grid);

/// What an entry says of a channel of a device, which its driver reads; slots count on from those
/// already taken.
void read_line(YamlOptions& entry, const std::vector<io::Member>& devices,
               const std::vector<io::InputSignal>& inputs, io::InputSignal& signal);
/// Interlocks, with the lines that are read for them alone.
void read_interlocks(YamlOptions& root, Config& config);

/// The names of states, inputs, devices and the like, as suggestions need them.
template <class Range>
[[nodiscard]] std::vector<std::string_view> names_of(const Range& things) {
  std::vector<std::string_view> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace hild::config
