// SPDX-License-Identifier: Apache-2.0
#include "config/config.hpp"
#include "config/document.hpp"
#include "config/sections.hpp"

namespace hild::config {
namespace {

Config resolve(const Node& document, const std::string& file) {
  YamlOptions root(document, "", file);
  Config config;
  config.file = file;
  read_frame(root, config);
  if (root.has("models")) {
    read_models(root, config);
  } else {
    config.model = read_model(root);
  }
  read_integrator(root, config);
  config.settings.overrun = read_overrun(root, config.evidence);
  config.settings.budget = read_budget(root);
  config.admission = read_events(root);
  config.devices = read_devices(root);
  if (config.coupled) refuse_doubly_fed(root);
  config.inputs = read_inputs(root, config.model.description, config.devices);
  config.outputs =
      read_outputs(root, config.model.description, config.devices, config.settings.grid);
  config.safety = read_safety(root, config.settings.grid, config.settings.clamping);
  read_interlocks(root, config);
  config.record = read_record(root, config.model.description, config.settings.grid);
  read_control(root, config);
  root.refuse_unknown();
  config.resolved = write_yaml(document);
  config.sources = sources_of(document);
  return config;
}

/// The boundary of the room: nothing is thrown beyond it.
template <class Read>
Result<Config> guarded(const std::string& file, Read read) {
  try {
    return resolve(read(), file);
  } catch (const ConfigError& refused) {
    return tl::make_unexpected(refused.error);
  } catch (const std::exception& error) {
    return fail("{}: {}", file, error.what());
  }
}

}  // namespace

Result<Config> load(const std::string& file, const std::vector<Setting>& settings) {
  return guarded(file, [&] { return read_document(file, settings); });
}

Result<Config> load_text(const std::string& text, const std::string& name,
                         const std::vector<Setting>& settings) {
  return guarded(name, [&] { return read_text(text, name, settings); });
}

}  // namespace hild::config
