// SPDX-License-Identifier: Apache-2.0
/// \file
/// The readers of the sections of a configuration, one source file each. All throw ConfigError.
#pragma once

#include "config/config.hpp"
#include "config/yaml_options.hpp"

namespace hild::config {

void read_frame(YamlOptions& root, Config& config);
/// Reads the grid from the section `frame`.
Grid read_grid(YamlOptions& frame);
void read_integrator(YamlOptions& root, Config& config);
[[nodiscard]] Model read_model(YamlOptions& root);
/// Reads where a model comes from, its parameters and its initial states. `section` is its map;
/// `owner` is the map with its integrator, which takes steps of `rate`.
[[nodiscard]] Model read_one_model(YamlOptions& root, YamlOptions& section, YamlOptions& owner,
                                   coupled::Rate rate);
/// Reads `models` and `connections`, which take the place of `model`.
void read_models(YamlOptions& root, Config& config);
/// Refuses inputs that are both connected to a model and wired to a device.
void refuse_doubly_fed(YamlOptions& root);
/// Refuses connections with an algebraic loop that no delay or method breaks.
void refuse_loop(YamlOptions& root, const Coupled& coupled);
/// Reads the connections between the parts.
[[nodiscard]] std::vector<coupled::Connection> read_connections(
    YamlOptions& root, const std::vector<std::unique_ptr<const Part>>& parts);
/// The method that advances a model.
struct MethodChoice {
  numerics::Method method;
  std::optional<model::Multirate> multirate;
};
[[nodiscard]] MethodChoice read_method(YamlOptions& integrator, const Model& model);
/// How long a run may be without a frame until it is taken to hang. The ordinary scheduler may
/// suspend a run that does not hang for seconds: the default is longer there.
struct Patience {
  Duration urgent;
  Duration ordinary;
};
/// Reads it from a key of a section that may be absent.
[[nodiscard]] Patience read_patience(YamlOptions* section, std::string_view key, const Grid& grid);
[[nodiscard]] exec::OverrunSettings read_overrun(YamlOptions& root, const Grid& grid,
                                                 bool& evidence, Duration& standstill_ordinary);
[[nodiscard]] exec::BudgetSettings read_budget(YamlOptions& root);
[[nodiscard]] exec::AdmissionSettings read_events(YamlOptions& root);
/// Reads the section `safety`; `clamping` is the part of it that the executive uses.
[[nodiscard]] Safety read_safety(YamlOptions& root, const Grid& grid, exec::Clamping& clamping);
void read_control(YamlOptions& root, Config& config);
[[nodiscard]] std::vector<io::Member> read_devices(YamlOptions& root);
/// Reads `max_latency` and `on_loss`; `usual` gives the values of absent keys.
[[nodiscard]] io::LossRule read_loss(YamlOptions& section, const io::LossRule& usual);

/// Reads the section `record`; `keyframes` is the part of it that the executive uses.
[[nodiscard]] std::optional<Record> read_record(YamlOptions& root, const model::Description& model,
                                                const Grid& grid,
                                                exec::KeyframeSettings& keyframes);

/// Read the inputs and the outputs of the model, and add their channels to the devices.
[[nodiscard]] std::vector<io::InputSignal> read_inputs(YamlOptions& root,
                                                       const model::Description& model,
                                                       const std::vector<io::Member>& devices);
[[nodiscard]] std::vector<io::OutputSignal> read_outputs(YamlOptions& root,
                                                         const model::Description& model,
                                                         const std::vector<io::Member>& devices,
                                                         const Grid& grid);

/// Reads from an entry a channel of a device, whose keys the device's driver reads; slots are
/// numbered on from those already taken.
void read_line(YamlOptions& entry, const std::vector<io::Member>& devices,
               const std::vector<io::InputSignal>& inputs, io::InputSignal& signal);
/// Reads interlocks, with the lines that are read only for them.
void read_interlocks(YamlOptions& root, Config& config);

/// The names of states, inputs, devices and the like, for suggestions.
template <class Range>
[[nodiscard]] std::vector<std::string_view> names_of(const Range& things) {
  std::vector<std::string_view> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace hild::config
