// SPDX-License-Identifier: Apache-2.0
#include "cli/main/commands.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <filesystem>

#include "cli/terminal/print.hpp"
#include "foreign/fmu/load.hpp"
#include "hild/core/units.hpp"

namespace hild::commands {
namespace {

// The configuration that stands for an FMU (.fmu) or a plug-in (.so): a frame of 1 ms, RK-4 with
// held inputs, or the FMU's own solver, and no device; none for any other file. Errors of the model
// are reported when the configuration is read.
std::optional<std::string> configuration_of_model(const std::string& file) {
  const std::filesystem::path path(file);
  const bool fmu = path.extension() == ".fmu";
  if (!fmu && path.extension() != ".so") return {};
  std::string_view method = "rk-4";
  if (fmu) {
    // Read, and not run: it may be for a process of its own.
    const auto read = fmu::unpacked(path);
    if (read && read->kind == fmu::Kind::co_simulation) method = "forward-euler";
  }
  // Paths are relative to the configuration, which has the model's name.
  const std::string name = boost::replace_all_copy(path.filename().string(), "'", "''");
  return fmt::format(
      "frame: {{period: 1 ms}}\nmodel: {{{}: '{}'}}\nintegrator: {{method: {}, sampling: frame}}\n",
      fmu ? "fmu" : "plugin", name, method);
}

}  // namespace

void add_all(CLI::App& app, ExitCode& exit_code) {
  for (const auto add : {add_run, add_check, add_advise, add_io, add_safe, add_doctor, add_methods,
                         add_simulate, add_log, add_replay, add_export, add_statistics,
                         add_new_model, add_new_driver, add_completion}) {
    add(app, exit_code);
  }
}

void add_config_arguments(CLI::App& command, ConfigArguments& arguments) {
  command
      .add_option("CONFIG", arguments.file,
                  "configuration file (YAML), or a model: an FMU (.fmu) or plug-in (.so)")
      ->required();
  add_option(command, "--node", arguments.node, "NAME",
             "of a configuration of several nodes (`nodes`) the one that is meant");
  add_repeated(command, "--set", arguments.settings, "KEY=VALUE",
               "replace one value: --set frame.period='2 ms'");
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
  const auto text = configuration_of_model(arguments.file);
  if (text && !arguments.node.empty()) {
    return fail("--node {}: {} is a model, expected a configuration of several nodes",
                arguments.node, arguments.file);
  }
  return text ? config::load_text(*text, arguments.file, *settings)
              : config::load(arguments.file, *settings, arguments.node);
}

std::vector<std::string> nodes_of(const ConfigArguments& arguments) {
  std::error_code ignored;  // what comes by a pipe can be read once
  if (!std::filesystem::is_regular_file(arguments.file, ignored)) return {};
  if (configuration_of_model(arguments.file)) return {};
  return config::nodes_in(arguments.file).value_or(std::vector<std::string>{});
}

double seconds_of(std::string_view option, const std::string& text, std::string_view such) {
  const auto split = split_quantity(text);
  if (!split) {
    throw Error{fmt::format("{} {}: expected seconds, or a time such as `{}`", option, text, such)};
  }
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) throw Error{fmt::format("{} {}: {}", option, text, value.error().message)};
  return *value;
}

Duration time_of(std::string_view option, const std::string& text) {
  const double value = seconds_of(option, text);
  if (value > 0 && value <= 1e9) return from_seconds(value);
  throw Error{fmt::format("{} {}: expected more than 0 s", option, text)};
}

std::optional<Duration> optional_time_of(std::string_view option, const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(time_of(option, text));
}

void add_range_arguments(CLI::App& command, RangeArguments& a) {
  add_option(command, "--from", a.from, "TIME", "leave out what is before this simulated time");
  add_option(command, "--to", a.to, "TIME", "leave out what is after it");
}

framelog::ReadOptions range_of(const RangeArguments& a) {
  framelog::ReadOptions range;
  if (!a.from.empty()) range.from = seconds_of("--from", a.from);
  if (!a.to.empty()) range.to = seconds_of("--to", a.to);
  if (range.from <= range.to) return range;
  throw Error{fmt::format("--from {} --to {}: expected a time before", a.from, a.to)};
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
