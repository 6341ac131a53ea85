// SPDX-License-Identifier: Apache-2.0
/// `hild run`: the daemon, in the foreground.
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/main/commands.hpp"
#include "cli/main/sequences.hpp"
#include "cli/main/service.hpp"
#include "cli/main/session.hpp"
#include "cli/main/sweep.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "control/sequence/outcome.hpp"

namespace hild::commands {
namespace {

struct RunArguments {
  ConfigArguments config;
  std::string duration;
  bool offline = false;
  bool arm = false;
  std::string from;  // a recording
  std::string at;    // a time of it
  std::string report;
  SweepArguments sweep;
  SequenceArguments sequence;
};

// A person who runs it by hand has chosen the file; as root they are told all the same.
void check_trust(const config::Config& config) {
  if (!under_service_manager() && geteuid() != 0) return;
  auto trusted = check_sources(config);
  if (under_service_manager()) return needed(std::move(trusted));
  if (!trusted) cli::tell("hild: warning: {}\n", trusted.error().message);
}

/// What a run ends with whose sequence met an expectation that was not met.
constexpr auto unexpected = static_cast<ExitCode>(6);

// Several runs are on the virtual clock, where none disturbs another.
ExitCode run_several(const RunArguments& a) {
  if (!a.offline) {
    throw Error{"--sweep and --seeds need --offline: live runs would take each other's CPUs"};
  }
  if (a.duration.empty() && a.sequence.file.empty()) {
    throw Error{"--offline needs --duration: the virtual clock would run for ever"};
  }
  (void)optional_time_of("--duration", a.duration);
  if (!a.report.empty()) {
    throw Error{"--report is of one run: with --sweep or --seeds each has its own below --into"};
  }
  return sweep(a.config, a.duration, a.sweep, a.sequence);
}

// Its steps, or with --json its outcome, stand for the report.
ExitCode finish_sequence(const RunArguments& a, const OfflineSequence& sequence, ExitCode code) {
  const boost::json::value& outcome = sequence.outcome();
  if (a.sweep.as_json) {
    cli::print_text(report::pretty(outcome));
  } else {
    cli::print("{}\n", sequence.summary());
  }
  if (!a.sequence.junit.empty()) {
    needed(report::write_file(a.sequence.junit, sequence::to_junit({outcome})));
  }
  // That the sequence ended with the run is the run's fault where it had one.
  if (code != ExitCode::done) return code;
  if (sequence.verdict() == sequence::Verdict::passed) return code;
  return sequence.verdict() == sequence::Verdict::failed ? unexpected : ExitCode::usage;
}

std::optional<SequenceTask> sequence_of(const RunArguments& a) {
  const SequenceArguments& s = a.sequence;
  if (s.file.empty()) {
    if (s.lets.empty() && s.junit.empty()) return std::nullopt;
    throw Error{"--let and --junit are of a sequence: give --sequence FILE too"};
  }
  if (!a.offline) {
    throw Error{"--sequence needs --offline: a live run is steered by `hildctl sequence`"};
  }
  return SequenceTask{s.file, lets_of(s), a.sweep.as_json};
}

// A thread is in a model that does not return, and all it may touch must stay.
[[noreturn]] void leave_at_once(ExitCode code) {
  spdlog::shutdown();
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(code));
}

// By what is recorded of a run of this configuration.
std::shared_ptr<const replay::StateAt> beginning_of(const RunArguments& a) {
  if (a.from.empty() != a.at.empty()) {
    throw Error{"--from FILE.mcap and --at TIME belong together: found one of them"};
  }
  if (a.from.empty()) return nullptr;
  if (a.offline) {
    throw Error{"--from and --at are of a live run: offline, `hild replay FILE --at TIME` goes on"};
  }
  const double at = seconds_of("--at", a.at, "20 s");
  if (!(at >= 0 && at <= 1e9)) {
    throw Error{fmt::format("--at {}: expected a simulated time, 0 s or later", a.at)};
  }
  const plan::Assembly assembly = plan::assemble(needed(load(a.config)));
  return std::make_shared<const replay::StateAt>(needed(
      replay::state_at(assembly, a.from, SimTime{std::llround(1e9 * at)}, [] { return true; })));
}

ExitCode run(const RunArguments& arguments) {
  auto sequence = sequence_of(arguments);
  if (arguments.sweep.wanted() || (sequence && sweeps(arguments.sequence))) {
    return run_several(arguments);
  }
  if (arguments.sweep.as_json && !sequence) {
    throw Error{"--json is of a summary: give --sweep or --seeds, or --report FILE.json for a run"};
  }
  // One that is asked for while it starts is heeded once it can be (Session::listen).
  if (under_service_manager()) mask_reloads(SIG_BLOCK);
  const auto duration = optional_time_of("--duration", arguments.duration);
  if (arguments.offline && !duration && !sequence) {
    throw Error{"--offline needs --duration: the virtual clock would run for ever"};
  }
  const auto read = [&] { return with_sequences_checked(load(arguments.config)); };
  auto config = needed(read());
  check_trust(config);
  auto from = beginning_of(arguments);
  auto session = std::make_unique<Session>(plan::assemble(std::move(config)),
                                           Session::Options{.offline = arguments.offline,
                                                            .arm = arguments.arm,
                                                            .duration = duration,
                                                            .sequence = std::move(sequence),
                                                            .from = std::move(from),
                                                            .again = read});
  ExitCode code = ExitCode::done;
  try {
    session->prepare();
    session->run();
    code = session->finish(arguments.report);
    if (session->sequence() != nullptr) {
      code = finish_sequence(arguments, *session->sequence(), code);
    }
    if (session->stuck()) leave_at_once(code);
  } catch (const Error& error) {
    code = complain(error);  // before what it has begun is ended
    if (session->end()) leave_at_once(code);
    return code;
  }
  if (!session->reload_asked() || code != ExitCode::done) return code;
  const std::optional<RecordedStep> next = session->rewinds_to();
  session.reset();  // closes its devices and sockets
  return complain(start_anew(next));
}

}  // namespace

void add_run(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] =
      add_command(app, exit_code, "run",
                  "run the plant in lock-step with real time, until --duration or a signal", run);
  add_config_arguments(command, a.config);
  add_option(command, "--duration", a.duration, "S", "end after this many seconds");
  command.add_flag("--offline", a.offline, "on the virtual clock, as fast as the machine goes");
  command.add_flag("--arm", a.arm,
                   "let outputs of hardware follow the model from the start; else they stay safe "
                   "until `hildctl arm`");
  add_option(command, "--from", a.from, "FILE.mcap",
             "go on from a step of this recording, with the plant held and outputs disarmed; needs "
             "--at");
  add_option(command, "--at", a.at, "TIME",
             "the first step of it that starts at this simulated time or later");
  add_option(command, "--report", a.report, "FILE.json", "write the report as JSON");
  add_sweep_arguments(command, a.sweep);
  add_sequence_arguments(command, a.sequence);
  command.footer(
      "Exit codes: 0 the run ended as it should, 1 wrong arguments or configuration, or a step of "
      "the sequence\nwas refused, 2 a fault while running, 3 an overrun limit, 4 a device failed, "
      "5 an interlock\nor an alarm, 6 an expectation of the sequence was not met.");
}

}  // namespace hild::commands
