// SPDX-License-Identifier: Apache-2.0
/// \file
/// The readers of the sections of a configuration, one source file each. All throw ConfigError.
#pragma once

#include "config/config.hpp"
#include "config/yaml_options.hpp"

namespace hild::config {

void read_frame(YamlOptions& root, Config& config);
/// Finds the device that frames follow among those that were read, with the inputs.
void find_followed(YamlOptions& root, Config& config);
/// Reads the grid from the section `frame`.
Grid read_grid(YamlOptions& frame);
void read_integrator(YamlOptions& root, Config& config);
/// Reads where a model comes from, its parameters and its initial states. `section` is its map;
/// `owner` is the map with its integrator, which takes steps of `rate`.
[[nodiscard]] Model read_one_model(YamlOptions& root, YamlOptions& section, YamlOptions& owner,
                                   coupled::Rate rate);
/// The model that a section `table: {file: thrust.csv, axes: 1, between, outside}` makes.
[[nodiscard]] Model read_table(YamlOptions& section);
/// The model that a section `bond: {effort: N m, displacement: rad, stiffness: 2e4 N m/rad, end,
/// delay}` makes, which takes steps of `rate`.
[[nodiscard]] Model read_bond(YamlOptions& root, YamlOptions& section, coupled::Rate rate);
/// Reads calculated channels, which are further outputs of the model.
void read_calculated(YamlOptions& root, Config& config);
/// Reads `models` and `connections`, which take the place of `model`.
void read_models(YamlOptions& root, Config& config);
/// Refuses CPUs for models that do not go with one another, with the frame's or with the sampling.
void check_workers(YamlOptions& root, Config& config);
/// Reads the key `cpu`; -1 where it is absent.
[[nodiscard]] int read_cpu(YamlOptions& section);
/// Refuses inputs that are both connected to a model and wired to a device.
void refuse_doubly_fed(YamlOptions& root);
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
/// Reads it from a key that may be absent.
[[nodiscard]] Patience read_patience(YamlOptions& section, std::string_view key, const Grid& grid);
void read_overrun(YamlOptions& root, Config& config);
void read_budget(YamlOptions& root, Config& config);
void read_accuracy(YamlOptions& root, Config& config);
void read_events(YamlOptions& root, Config& config);
void read_safety(YamlOptions& root, Config& config);
void read_control(YamlOptions& root, Config& config);
/// Reads `roles` of the section `control`.
void read_roles(YamlOptions& section, Config& config);
/// The file mode under the key `mode`.
[[nodiscard]] unsigned read_mode(YamlOptions& control, unsigned fallback);
/// The bounds of a token, a secret that HTTP requests must carry when others can reach the server.
inline constexpr std::size_t shortest_token = 16;
inline constexpr std::size_t longest_token = 512;

/// Reads a token file, without blanks around its content. Error: it cannot be read, can be read by
/// others, is too short to be a secret, or contains what HTTP cannot carry.
[[nodiscard]] Result<std::string> read_token_file(const std::string& path);
void read_recorders(YamlOptions& root, Config& config);
void read_devices(YamlOptions& root, Config& config);

/// Read the inputs and the outputs of the model, and add their channels to the devices.
void read_inputs(YamlOptions& root, Config& config);
void read_outputs(YamlOptions& root, Config& config);

/// Reads from an entry a channel of a device, whose keys the device's driver reads; slots are
/// numbered on from those already taken.
void read_line(YamlOptions& entry, const Config& config, const std::vector<io::InputSignal>& inputs,
               io::InputSignal& signal);
/// Reads interlocks, with the lines that are read only for them.
void read_interlocks(YamlOptions& root, Config& config);
/// Reads alarms, of the signals of the model and calculated channels.
void read_alarms(YamlOptions& root, Config& config);

/// The names of states, inputs, devices and the like, for suggestions.
template <class Range>
[[nodiscard]] std::vector<std::string_view> names_of(const Range& things) {
  std::vector<std::string_view> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace hild::config
