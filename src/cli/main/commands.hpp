// SPDX-License-Identifier: Apache-2.0
/// \file
/// The subcommands of `hild`, one file each. add_*() declares a command on the application; when
/// it is chosen, it runs and stores its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/config.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "recording/framelog/reader.hpp"

namespace hild::commands {

void add_advise(CLI::App& app, ExitCode& exit_code);
void add_replay(CLI::App& app, ExitCode& exit_code);
void add_run(CLI::App& app, ExitCode& exit_code);
void add_completion(CLI::App& app, ExitCode& exit_code);
void add_check(CLI::App& app, ExitCode& exit_code);
void add_doctor(CLI::App& app, ExitCode& exit_code);
void add_export(CLI::App& app, ExitCode& exit_code);
void add_statistics(CLI::App& app, ExitCode& exit_code);
void add_io(CLI::App& app, ExitCode& exit_code);
void add_log(CLI::App& app, ExitCode& exit_code);
void add_methods(CLI::App& app, ExitCode& exit_code);
void add_new_model(CLI::App& app, ExitCode& exit_code);
void add_new_driver(CLI::App& app, ExitCode& exit_code);
void add_safe(CLI::App& app, ExitCode& exit_code);
void add_simulate(CLI::App& app, ExitCode& exit_code);
/// Adds all of them, in the order of the help.
void add_all(CLI::App& app, ExitCode& exit_code);

/// The arguments of every command with a configuration: the file, of a system the node, and --set
/// key=value.
struct ConfigArguments {
  std::string file;
  std::string node;
  std::vector<std::string> settings;
};
void add_config_arguments(CLI::App& command, ConfigArguments& arguments);
/// Reads the KEY=VALUE of --set.
[[nodiscard]] Result<std::vector<config::Setting>> parse_settings(
    const std::vector<std::string>& texts);
[[nodiscard]] Result<config::Config> load(const ConfigArguments& arguments);
/// The names of the nodes where the file is of several; else empty, also where it cannot be read.
[[nodiscard]] std::vector<std::string> nodes_of(const ConfigArguments& arguments);

/// The arguments of every command that takes a part of a recording: bounds in seconds of simulated
/// time, or as times such as `500 ms`; empty: no bound.
struct RangeArguments {
  std::string from;
  std::string to;
};
/// Declares --from and --to.
void add_range_arguments(CLI::App& command, RangeArguments& arguments);
/// Reads the bounds. Throws an Error.
[[nodiscard]] framelog::ReadOptions range_of(const RangeArguments& arguments);

/// Reports an error on the terminal; returns its exit code.
ExitCode complain(const Error& error);

/// The value of a result. Its error is thrown, and ends the command (add_command()).
template <class T>
T needed(Result<T> result) {
  if (!result) throw std::move(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Reads the text of an option: "500 ms", or a bare number of seconds. Throws an Error, which names
/// the option and gives `such` as an example.
[[nodiscard]] double seconds_of(std::string_view option, const std::string& text,
                                std::string_view such = "500 ms");
/// Likewise a time of more than 0.
[[nodiscard]] Duration time_of(std::string_view option, const std::string& text);
/// Likewise; none where the option was not given.
[[nodiscard]] std::optional<Duration> optional_time_of(std::string_view option,
                                                       const std::string& text);

/// Declares a command, whose options are to fill the arguments returned. When it is chosen, `run`
/// is called with them, and returns the exit code unless that is done; an Error that it throws is
/// reported.
template <class Code, class Arguments>
std::pair<CLI::App&, Arguments&> add_command(CLI::App& app, ExitCode& exit_code, const char* name,
                                             const char* summary, Code (*run)(const Arguments&)) {
  CLI::App* const command = app.add_subcommand(name, summary);
  const auto arguments = std::make_shared<Arguments>();
  command->callback([=, &exit_code] {
    try {
      if constexpr (std::is_void_v<Code>) {
        run(*arguments);
      } else {
        exit_code = run(*arguments);
      }
    } catch (const Error& error) {
      exit_code = complain(error);
    }
  });
  return {*command, *arguments};
}

/// Declares an option with a value, which the help calls `value`.
template <class T>
CLI::Option& add_option(CLI::App& command, const char* name, T& place, const char* value,
                        const std::string& words) {
  return *command.add_option(name, place, words)->type_name(value);
}

/// Declares an option that takes one value each time it is given.
inline CLI::Option& add_repeated(CLI::App& command, const char* name,
                                 std::vector<std::string>& place, const char* value,
                                 const std::string& words) {
  return *add_option(command, name, place, value, words + " (may be repeated)")
              .expected(1)
              ->take_all()
              ->allow_extra_args(false);
}

}  // namespace hild::commands
