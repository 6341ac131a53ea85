// SPDX-License-Identifier: Apache-2.0
/// `hildctl sequence`: a test sequence against a run.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/control.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "control/rpc/message.hpp"
#include "control/sequence/parse.hpp"
#include "control/sequence/runner.hpp"
#include "core/doc_page.hpp"

namespace hild::ctl {
namespace {

using sequence::Failure;
using sequence::Names;
using sequence::Sequence;
using CallKind = CallError::Reason;

struct SequenceArguments : Common {
  std::string file;
  std::string junit;
  std::vector<std::string> lets;
  bool check = false;
  bool share = false;
  bool lines = false;

  void declare(CLI::App& command) {
    command.add_option("FILE", file, "the steps, as YAML (" + doc_page("sequences") + ")")
        ->required();
    command.add_option("--junit", junit, "write the outcome as JUnit XML too")
        ->type_name("FILE.xml");
    command.add_option("--let", lets, "the value of a variable of the file (may be repeated)")
        ->type_name("NAME=VALUE")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    auto* const only_read =
        command.add_flag("--check", check, "read the file and list its steps; asks no daemon");
    command
        .add_flag("--lines", lines,
                  "for programs that watch: a JSON object a line, for each step as it ends and at "
                  "the end")
        ->excludes(only_read);
    command.add_flag("--share", share,
                     "do not take control: other clients may change the run meanwhile");
  }
};

// ---- the daemon as the bench of a sequence -----------------------------------------------------

Failure failure_of(const CallError& failed) {
  using enum Failure::Kind;
  if (failed.kind == CallKind::interrupted) return {interrupted, failed.message};
  if (failed.kind == CallKind::lost || failed.kind == CallKind::silent) {
    return {lost, failed.message};
  }
  return {refused_for_control(failed) ? displaced : refused, failed.message};
}

CallError error_of(const Failure& failure) {
  using enum Failure::Kind;
  if (failure.kind == refused) return {CallKind::refused, failure.message};
  if (failure.kind == displaced) {
    return {CallKind::refused, failure.message, static_cast<int>(rpc::Code::controlled)};
  }
  return {failure.kind == interrupted ? CallKind::interrupted : CallKind::lost, failure.message};
}

class DaemonBench final : public sequence::Bench {
 public:
  /// `patience` is how long simulated time may stand still. `control`, if there is any, is kept
  /// meanwhile; null: there is none. Both outlive the bench.
  DaemonBench(Client& client, HeldControl* control, std::chrono::milliseconds patience)
      : client_(client), control_(control), patience_(patience) {}

  json::value call(std::string_view method, json::object params) override try {
    if (method == "subscribe") columns_ = params.at("names").as_array().size();
    return control_ != nullptr ? client_.call(method, params)
                               : call_as_owner(client_, method, params);
  } catch (const CallError& failed) {
    throw failure_of(failed);
  }

  // Frozen frames send none, so that samples that come are later than all before.
  sequence::Samples samples(SimTime /*until*/) override try {
    if (control_ != nullptr) control_->keep();
    const auto params = client_.notification("samples", patience_);
    if (!params) {
      throw Failure{
          Failure::Kind::stalled,
          fmt::format("simulated time stood still for {:.3g} s: a frozen run needs `resume` or "
                      "`step` before anything that takes time",
                      std::chrono::duration<double>(patience_).count())};
    }
    SampleRows rows = sample_rows(*params, columns_);
    sequence::Samples samples{.times = {}, .values = std::move(rows.values), .lost = rows.lost};
    for (const double t : rows.times_s) samples.times.push_back(SimTime{} + from_seconds(t));
    return samples;
  } catch (const CallError& failed) {
    throw failure_of(failed);
  }

 private:
  Client& client_;
  HeldControl* control_;
  std::chrono::milliseconds patience_;
  std::size_t columns_ = 0;  ///< of the subscription
};

// ---- the command -------------------------------------------------------------------------------

std::vector<sequence::Let> lets_of(const SequenceArguments& a) {
  std::vector<sequence::Let> lets;
  lets.reserve(a.lets.size());
  for (const std::string& text : a.lets) {
    auto let = sequence::read_given(text);
    if (!let) fail_call(CallKind::usage, "{}", let.error().message);
    lets.push_back(std::move(*let));
  }
  return lets;
}

Sequence parse(const SequenceArguments& a, const Names* names) {
  auto sequence = sequence::parse_file(a.file, names, lets_of(a));
  if (!sequence) fail_call(CallKind::usage, "{}", sequence.error().message);
  return std::move(*sequence);
}

/// A signal whose samples tell the time of a sequence that looks at none.
std::string any_signal(const Names& names) {
  for (const auto& one : names.all()) {
    using enum sequence::Kind;
    if (one.kind == input || one.kind == output || one.kind == state) {
      return fmt::format("{}:{}", to_string(one.kind), one.name);
    }
  }
  return {};
}

Exit check(const SequenceArguments& a) {
  const Sequence sequence = parse(a, nullptr);
  if (a.json) {
    print_json({{"name", sequence.name},
                {"steps", sequence.steps.size()},
                {"always", sequence.always.size()}});
    return Exit::done;
  }
  for (const auto* list : {&sequence.steps, &sequence.always}) {
    for (const auto& step : *list) {
      const std::string at = step.at ? fmt::format("{:9.3f} s", seconds(*step.at)) : "";
      cli::print("{:>5}  {:11}  {}\n", step.line, at, step.name);
    }
  }
  return Exit::done;
}

Exit exit_of(const sequence::Outcome& outcome) {
  if (!outcome.displaced.empty() || outcome.failure == Failure::Kind::displaced) {
    return Exit::controlled;
  }
  if (outcome.verdict() == sequence::Verdict::passed) return Exit::done;
  if (outcome.verdict() == sequence::Verdict::failed) return Exit::unexpected;
  return outcome.failure == Failure::Kind::lost ? Exit::no_daemon : Exit::refused;
}

void print_line(const json::object& line) { cli::print("{}\n", json::serialize(line)); }

void print_beginning(const Sequence& sequence) {
  print_line({{"sequence",
               {{"name", sequence.name},
                {"file", sequence.file},
                {"description", sequence.description},
                {"steps", sequence.steps.size()},
                {"always", sequence.always.size()}}}});
}

void print_step(const Sequence& sequence, const sequence::StepOutcome& outcome) {
  const bool always = std::ranges::any_of(
      sequence.always, [&](const sequence::Step& one) { return &one == outcome.step; });
  json::object line = sequence::to_json(outcome);
  line["always"] = always;
  print_line({{"step", std::move(line)}});
}

Exit tell(const SequenceArguments& a, const Sequence& sequence, const sequence::Outcome& outcome) {
  if (a.lines) {
    print_line({{"outcome", sequence::summary_json(sequence, outcome)}});
  } else if (a.json) {
    print_json(sequence::to_json(sequence, outcome));
  } else {
    cli::print("{}\n", sequence::summary(sequence, outcome));
  }
  if (!a.junit.empty()) {
    const auto written =
        report::write_file(a.junit, sequence::to_junit({sequence::to_json(sequence, outcome)}));
    if (!written) fail_call(CallKind::usage, "{}", written.error().message);
  }
  return exit_of(outcome);
}

/// "sequence load step (alice, process 4242)": two of one user are two.
std::string sequence_name(const Sequence& sequence) {
  constexpr std::size_t longest = 48;
  std::string name = sequence.name.substr(0, longest);
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) - 0x20U >= 0x5fU; }, '?');
  return fmt::format("sequence {} ({}, process {})", name, owner_name().substr(0, 24), ::getpid());
}

Exit run(const SequenceArguments& a) {
  // Before anybody is asked: what is wrong with the file is wrong without a daemon too.
  parse(a, nullptr);
  Client client = open(a);
  const auto names = Names::from_list(client.call("list"));
  if (!names) fail_call(CallKind::lost, "{}", names.error().message);
  const Sequence sequence = parse(a, &*names);

  const double patience = seconds_of("--timeout", a.timeout.empty() ? "5" : a.timeout);
  const std::chrono::milliseconds still(static_cast<std::int64_t>(patience * 1e3));
  HeldControl control(client, sequence_name(sequence), still);
  const bool shares = a.share || sequence.share;
  if (!shares) control.take();
  DaemonBench bench(client, shares ? nullptr : &control, still);
  client.heed_signals();
  if (a.lines) print_beginning(sequence);
  auto outcome = run_sequence(bench, sequence, any_signal(*names), [&](const auto& step) {
    if (a.lines) {
      print_step(sequence, step);
    } else if (!a.json) {
      cli::print("{}\n", sequence::line_of(step));
    }
  });
  if (!outcome) throw error_of(outcome.error());
  try {
    control.give();
  } catch (const CallError& failed) {
    // Where another took over, what was seen may be the other's doing.
    if (refused_for_control(failed)) outcome->displaced = failed.message;
  }
  return tell(a, sequence, *outcome);
}

// What ends it before its first step is a line too.
Exit run_in_lines(const SequenceArguments& a) try {
  if (a.json) {
    fail_call(CallKind::usage, "--lines and --json are two forms of one thing: expected one");
  }
  return run(a);
} catch (const CallError& failed) {
  print_line(error_json(failed));
  return exit_of(failed);
}

Exit perform_sequence(const SequenceArguments& a) {
  if (a.check) return check(a);
  return a.lines ? run_in_lines(a) : run(a);
}

}  // namespace

void add_sequence(CLI::App& app, Exit& exit) {
  add_command<SequenceArguments>(
      app, exit,
      {"sequence", "run a test sequence, and tell what passed",
       "Exit codes: 0 all passed, 1 wrong file or a step refused, 2 no connection, 3 an "
       "expectation failed,\n4 another client has control of the run, or took it over.\nExample: "
       "hildctl sequence config/sequences/demo.yaml --junit demo.xml"},
      perform_sequence);
}

}  // namespace hild::ctl
