// SPDX-License-Identifier: Apache-2.0
#include "main/commands.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace hild::commands {

void add_config_arguments(CLI::App& command, ConfigArguments& arguments) {
  command.add_option("CONFIG", arguments.file, "configuration file (YAML)")->required();
  command
      .add_option("--set", arguments.settings,
                  "replace one value: --set frame.period='2 ms' (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

Result<config::Config> load(const ConfigArguments& arguments) {
  std::vector<config::Setting> settings;
  for (const auto& text : arguments.settings) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail("--set {}: expected KEY=VALUE, for example --set frame.period='2 ms'", text);
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return config::load(arguments.file, settings);
}

ExitCode complain(const Error& error) {
  fmt::print(stderr, "hild: {}\n", error.message);
  return error.code;
}

}  // namespace hild::commands
