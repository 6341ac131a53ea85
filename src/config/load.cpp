// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "config/config.hpp"
#include "config/document.hpp"
#include "config/parts.hpp"
#include "config/sections.hpp"

namespace hild::config {
namespace {

/// Sections that speak of the model's signals, states or method.
constexpr std::array about_the_model{"integrator", "connections", "calculated",
                                     "inputs",     "outputs",     "interlocks",
                                     "alarms",     "record",      "recorders"};

void read_what_runs(YamlOptions& root, Config& config) {
  const bool several = root.has("models");
  root.one_of({"model", "models"});
  const bool read = root.attempt(several ? "models" : "model", [&] {
    if (several) return read_models(root, config);
    YamlOptions& section = root.section("model");
    config.model.advances =
        !section.has("table") && !section.has("bond");  // also where it is refused
    config.model = read_one_model(root, section, root, {});
  });
  if (!read) {
    for (const char* section : about_the_model) root.doubt(section);
    if (several) return;
  }
  root.attempt("integrator", [&] { read_integrator(root, config); });
  root.attempt([&] { check_workers(root, config); });
}

// Each section by itself, so that what is wrong in one hides nothing of the others.
Config resolve(const Node& document, const std::string& file, Findings& findings) {
  YamlOptions root(document, "", file, &findings);
  Config config;
  config.file = file;
  root.attempt("frame", [&] { read_frame(root, config); });
  read_what_runs(root, config);
  root.attempt("calculated", [&] { read_calculated(root, config); });
  root.attempt("overrun", [&] { read_overrun(root, config); });
  root.attempt("budget", [&] { read_budget(root, config); });
  root.attempt("accuracy", [&] { read_accuracy(root, config); });
  root.attempt("events", [&] { read_events(root, config); });
  root.attempt("devices", [&] { read_devices(root, config); });
  if (config.coupled) root.attempt([&] { refuse_doubly_fed(root); });
  root.attempt("inputs", [&] { read_inputs(root, config); });
  root.attempt([&] { find_followed(root, config); });
  root.attempt("outputs", [&] { read_outputs(root, config); });
  root.attempt("safety", [&] { read_safety(root, config); });
  root.attempt("interlocks", [&] { read_interlocks(root, config); });
  root.attempt("alarms", [&] { read_alarms(root, config); });
  root.attempt([&] { read_recorders(root, config); });
  root.attempt("control", [&] { read_control(root, config); });
  root.refuse_unknown();
  if (findings.any()) return config;
  config.resolved = write_yaml(document, root.files());
  config.sources = sources_of(document);
  return config;
}

/// The boundary of the room: nothing is thrown beyond it.
template <class Read>
Result<Config> guarded(const std::string& file, Read read) {
  Findings findings;
  try {
    Config config = resolve(choose_parts(read()), file, findings);
    if (!findings.any()) return config;
  } catch (const ConfigError& refused) {
    findings.add(refused);
  } catch (const std::exception& error) {
    if (!findings.any()) return fail("{}: {}", file, error.what());
  }
  return tl::make_unexpected(findings.all());
}

}  // namespace

Result<Config> load(const std::string& file, const std::vector<Setting>& settings,
                    std::string_view node) {
  return guarded(file, [&] { return read_document(file, settings, node); });
}

Result<std::vector<std::string>> nodes_in(const std::string& file) {
  try {
    return read_nodes(file);
  } catch (const ConfigError& refused) {
    return tl::make_unexpected(refused.error);
  }
}

Result<Config> load_text(const std::string& text, const std::string& name,
                         const std::vector<Setting>& settings) {
  return guarded(name, [&] { return read_text(text, name, settings); });
}

}  // namespace hild::config
