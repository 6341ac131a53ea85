// SPDX-License-Identifier: Apache-2.0
/// `hildctl sequence`: a test sequence against a run.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/control.hpp"
#include "cli/ctl/daemon_bench.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "control/rpc/error.hpp"
#include "control/sequence/parse.hpp"
#include "control/sequence/runner.hpp"
#include "core/doc_page.hpp"

namespace hild::ctl {
namespace {

using sequence::Names;
using sequence::Sequence;
using CallKind = CallError::Kind;

struct SequenceArguments {
  Common common;
  std::string file;
  std::string junit;
  bool check = false;
  bool share = false;
};

Reply<Sequence> parse(const std::string& file, const Names* names) {
  auto sequence = sequence::parse_file(file, names);
  if (!sequence) return call_error(CallKind::usage, sequence.error().message);
  return std::move(*sequence);
}

/// A signal whose samples tell the time of a sequence that looks at none.
std::string any_signal(const Names& names) {
  for (const auto& one : names.all()) {
    if (one.kind != sequence::Kind::parameter) {
      return fmt::format("{}:{}", to_string(one.kind), one.name);
    }
  }
  return {};
}

void print_steps(const Sequence& sequence) {
  for (const auto* list : {&sequence.steps, &sequence.always}) {
    for (const auto& step : *list) {
      const std::string at = step.at ? fmt::format("{:9.3f} s", seconds(*step.at)) : "";
      cli::print("{:>5}  {:11}  {}\n", step.line, at, step.name);
    }
  }
}

Exit check(const SequenceArguments& a) {
  const auto sequence = parse(a.file, nullptr);
  if (!sequence) return complain(a.common, sequence.error());
  if (!a.common.json) {
    print_steps(*sequence);
  } else {
    print_json({{"name", sequence->name},
                {"steps", sequence->steps.size()},
                {"always", sequence->always.size()}});
  }
  return Exit::done;
}

Exit exit_of(const sequence::Outcome& outcome) {
  if (!outcome.displaced.empty() || outcome.failure == sequence::Failure::Kind::displaced) {
    return Exit::controlled;
  }
  if (outcome.verdict() == sequence::Verdict::passed) return Exit::done;
  if (outcome.verdict() == sequence::Verdict::failed) return Exit::unexpected;
  return outcome.failure == sequence::Failure::Kind::lost ? Exit::no_daemon : Exit::refused;
}

Exit tell(const SequenceArguments& a, const Sequence& sequence, const sequence::Outcome& outcome) {
  if (a.common.json) {
    print_json(sequence::to_json(sequence, outcome));
  } else {
    cli::print("{}\n", sequence::summary(sequence, outcome));
  }
  if (!a.junit.empty()) {
    const auto written = report::write_file(a.junit, sequence::to_junit(sequence, outcome));
    if (!written) return complain(a.common, {CallKind::usage, written.error().message});
  }
  return exit_of(outcome);
}

CallError error_of(const sequence::Failure& failure) {
  using Of = sequence::Failure::Kind;
  if (failure.kind == Of::refused) return {CallKind::refused, failure.message};
  if (failure.kind == Of::displaced) {
    return {CallKind::refused, failure.message, static_cast<int>(rpc::Code::controlled)};
  }
  return {failure.kind == Of::interrupted ? CallKind::interrupted : CallKind::lost,
          failure.message};
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
  if (const auto form = parse(a.file, nullptr); !form) return complain(a.common, form.error());
  auto client = open(a.common);
  if (!client) return complain(a.common, client.error());
  const auto list = (*client)->call("list");
  if (!list) return complain(a.common, list.error());
  const auto names = Names::from_list(*list);
  if (!names) return complain(a.common, {CallKind::lost, names.error().message});
  const auto sequence = parse(a.file, &*names);
  if (!sequence) return complain(a.common, sequence.error());

  const auto patience = seconds_of("--timeout", a.common.timeout.empty() ? "5" : a.common.timeout);
  const std::chrono::milliseconds still(static_cast<std::int64_t>(*patience * 1e3));
  HeldControl control(**client, sequence_name(*sequence), still);
  if (!a.share) {
    if (const auto taken = control.take(); !taken) return complain(a.common, taken.error());
  }
  DaemonBench bench(**client, a.share ? nullptr : &control, still);
  (*client)->heed_signals();
  sequence::Runner runner(bench, *sequence, any_signal(*names), [&](const auto& outcome) {
    if (a.common.json) return;
    cli::print("{}\n", sequence::line_of(outcome));
  });
  auto outcome = runner.run();
  if (!outcome) return complain(a.common, error_of(outcome.error()));
  // Where another took over, what was seen may be the other's doing.
  if (const auto given = control.give(); !given && refused_for_control(given.error())) {
    outcome->displaced = given.error().message;
  }
  return tell(a, *sequence, *outcome);
}

}  // namespace

void add_sequence(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("sequence", "run a test sequence, and tell what passed");
  const auto a = std::make_shared<SequenceArguments>();
  command->add_option("FILE", a->file, "the steps, as YAML (" + doc_page("sequences") + ")")
      ->required();
  command->add_option("--junit", a->junit, "write the outcome as JUnit XML too")
      ->type_name("FILE.xml");
  command->add_flag("--check", a->check, "read the file and list its steps; asks no daemon");
  command->add_flag("--share", a->share,
                    "do not take control: other clients may change the run meanwhile");
  add_common_options(*command, a->common);
  command->footer(
      "Exit codes: 0 all passed, 1 wrong file or a step refused, 2 no connection, 3 an expectation "
      "failed,\n4 another client has control of the run, or took it over.\nExample: hildctl "
      "sequence config/sequences/demo.yaml --junit demo.xml");
  command->callback([=, &exit] { exit = a->check ? check(*a) : run(*a); });
}

}  // namespace hild::ctl
