// SPDX-License-Identifier: Apache-2.0
/// \file
/// The subcommands of `hild`, one file each. add_*() declares a command on the application; when
/// it is chosen, it runs and stores its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::commands {

void add_advise(CLI::App& app, ExitCode& exit_code);
void add_replay(CLI::App& app, ExitCode& exit_code);
void add_run(CLI::App& app, ExitCode& exit_code);
void add_completion(CLI::App& app, ExitCode& exit_code);
void add_check(CLI::App& app, ExitCode& exit_code);
void add_doctor(CLI::App& app, ExitCode& exit_code);
void add_export(CLI::App& app, ExitCode& exit_code);
void add_io(CLI::App& app, ExitCode& exit_code);
void add_log(CLI::App& app, ExitCode& exit_code);
void add_methods(CLI::App& app, ExitCode& exit_code);
void add_new_model(CLI::App& app, ExitCode& exit_code);
void add_safe(CLI::App& app, ExitCode& exit_code);
void add_simulate(CLI::App& app, ExitCode& exit_code);
/// Adds all of them, in the order of the help.
void add_all(CLI::App& app, ExitCode& exit_code);

/// The arguments of every command with a configuration: the file, and --set key=value.
struct ConfigArguments {
  std::string file;
  std::vector<std::string> settings;
};
void add_config_arguments(CLI::App& command, ConfigArguments& arguments);
/// Reads the KEY=VALUE of --set.
[[nodiscard]] Result<std::vector<config::Setting>> parse_settings(
    const std::vector<std::string>& texts);
[[nodiscard]] Result<config::Config> load(const ConfigArguments& arguments);

/// Reads a time: "500 ms", or a bare number of seconds; more than 0. The error names the option.
[[nodiscard]] Result<Duration> parse_time(std::string_view option, const std::string& text);

/// Reports an error on the terminal; returns its exit code.
ExitCode complain(const Error& error);

}  // namespace hild::commands
