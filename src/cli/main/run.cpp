// SPDX-License-Identifier: Apache-2.0
/// `hild run`: the daemon, in the foreground.
#include <unistd.h>

#include <csignal>
#include <memory>
#include <optional>

#include "cli/main/commands.hpp"
#include "cli/main/service.hpp"
#include "cli/main/session.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {
namespace {

struct RunArguments {
  ConfigArguments config;
  std::string duration;
  bool offline = false;
  bool arm = false;
  std::string report;
};

Result<std::optional<Duration>> parse_duration(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto duration = parse_time("--duration", text);
  if (!duration) return tl::make_unexpected(duration.error());
  return *duration;
}

// A person who runs it by hand has chosen the file; as root they are told all the same.
Result<void> check_trust(const config::Config& config) {
  if (!under_service_manager() && geteuid() != 0) return {};
  auto trusted = check_sources(config);
  if (trusted || under_service_manager()) return trusted;
  cli::tell("hild: warning: {}\n", trusted.error().message);
  return {};
}

ExitCode run(const RunArguments& arguments) {
  // One that is asked for while it starts is heeded once it can be (Session::listen).
  if (under_service_manager()) mask_reloads(SIG_BLOCK);
  const auto duration = parse_duration(arguments.duration);
  if (!duration) return complain(duration.error());
  if (arguments.offline && !*duration) {
    return complain({"--offline needs --duration: the virtual clock would run for ever"});
  }
  auto config = load(arguments.config);
  if (!config) return complain(config.error());

  if (auto trusted = check_trust(*config); !trusted) return complain(trusted.error());
  auto session = std::make_unique<Session>(
      plan::assemble(std::move(*config)),
      Session::Options{.offline = arguments.offline, .arm = arguments.arm, .duration = *duration});
  if (auto ready = session->prepare(); !ready) return complain(ready.error());
  if (auto ran = session->run(); !ran) return complain(ran.error());
  const ExitCode code = session->finish(arguments.report);
  if (!session->reload_asked() || code != ExitCode::done) return code;
  session.reset();  // closes its devices and sockets
  return complain(start_anew());
}

}  // namespace

void add_run(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "run", "run the plant in lock-step with real time, until --duration or a signal");
  const auto arguments = std::make_shared<RunArguments>();
  add_config_arguments(*command, arguments->config);
  command->add_option("--duration", arguments->duration, "end after this many seconds")
      ->type_name("S");
  command->add_flag("--offline", arguments->offline,
                    "on the virtual clock, as fast as the machine goes");
  command->add_flag("--arm", arguments->arm,
                    "let outputs of hardware follow the model from the start; else they stay safe "
                    "until `hildctl arm`");
  command->add_option("--report", arguments->report, "write the report as JSON")
      ->type_name("FILE.json");
  command->callback([=, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace hild::commands
