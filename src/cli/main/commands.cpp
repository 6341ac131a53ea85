// SPDX-License-Identifier: Apache-2.0
#include "cli/main/commands.hpp"

#include "cli/main/model_file.hpp"
#include "cli/terminal/print.hpp"
#include "hild/core/units.hpp"

namespace hild::commands {

void add_all(CLI::App& app, ExitCode& exit_code) {
  for (const auto add :
       {add_run, add_check, add_advise, add_io, add_safe, add_doctor, add_methods, add_simulate,
        add_log, add_replay, add_export, add_new_model, add_completion}) {
    add(app, exit_code);
  }
}

void add_config_arguments(CLI::App& command, ConfigArguments& arguments) {
  command
      .add_option("CONFIG", arguments.file,
                  "configuration file (YAML), or a model: an FMU (.fmu) or plug-in (.so)")
      ->required();
  command
      .add_option("--set", arguments.settings,
                  "replace one value: --set frame.period='2 ms' (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

Result<std::vector<config::Setting>> parse_settings(const std::vector<std::string>& texts) {
  std::vector<config::Setting> settings;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail("--set {}: expected KEY=VALUE, for example --set frame.period='2 ms'", text);
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return settings;
}

Result<config::Config> load(const ConfigArguments& arguments) {
  const auto settings = parse_settings(arguments.settings);
  if (!settings) return tl::make_unexpected(settings.error());
  const auto text = configuration_of(arguments.file);
  return text ? config::load_text(*text, arguments.file, *settings)
              : config::load(arguments.file, *settings);
}

Result<Duration> parse_time(std::string_view option, const std::string& text) {
  const auto split = split_quantity(text);
  if (!split) return fail("{} {}: expected seconds, or a time such as `500 ms`", option, text);
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) return fail("{} {}: {}", option, text, value.error().message);
  if (!(*value > 0) || *value > 1e9) return fail("{} {}: expected more than 0 s", option, text);
  return from_seconds(*value);
}

ExitCode complain(const Error& error) {
  // Several errors of a configuration, one a line, each with its place.
  std::string words = "hild: " + error.message;
  for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos; ++at) {
    if (words.compare(at, 2, "\n ") != 0) words.insert(at + 1, "hild: ");
  }
  cli::tell("{}\n", words);
  return error.code;
}

}  // namespace hild::commands
