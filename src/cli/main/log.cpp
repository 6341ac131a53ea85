// SPDX-License-Identifier: Apache-2.0
/// `hild log`: what is in a frame log; a cut or damaged one made whole; a timeline; those of
/// several nodes together.
#include "cli/report/log.hpp"

#include <unistd.h>

#include "cli/main/commands.hpp"
#include "cli/main/log_against.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/main/recordings_together.hpp"
#include "cli/report/join.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"
#include "recording/convert/export.hpp"
#include "recording/mcap/recover.hpp"

namespace hild::commands {
namespace {

struct LogArguments {
  std::vector<std::string> files;
  std::string recover, trace;
  AgainstArguments against;
  RangeArguments range;
  bool as_json = false;
  bool config = false;
  bool join = false;

  [[nodiscard]] const std::string& file() const { return files.front(); }
};

void recover(const LogArguments& a, mcap::ByteSource& source) {
  auto output = mcap::FileOutput::create(a.recover, mcap::FileOutput::Existing::refuse);
  if (!output) throw Error{"--recover: " + output.error().message};
  LogProgress progress("recovering");
  const auto total = static_cast<double>(source.size());
  const auto scan = needed(mcap::recover(source, *output, [&](std::uint64_t offset) {
    return progress(static_cast<double>(offset) / total);
  }));
  for (const mcap::Damage& d : scan.damages) {
    cli::print("byte {}: {} ({} bytes), left out\n", d.offset, d.what, d.bytes);
  }
  cli::print("{} has {} whole chunks of {}\n", a.recover, scan.chunks, a.file());
}

void trace(const LogArguments& a, mcap::ByteSource& source) {
  const auto range = range_of(a.range);
  LogProgress progress("writing the timeline");
  const auto written = needed(convert::export_timeline(source, a.trace, range, std::ref(progress)));
  if (written.rows == 0) {
    throw Error{fmt::format("{}: no whole frames in that range to make a timeline of", a.file())};
  }
  cli::print("{} frames in {}; open it at ui.perfetto.dev\n", report::grouped(written.rows),
             a.trace);
}

void summarise(const LogArguments& a, mcap::ByteSource& source) {
  LogProgress progress("reading");
  const auto summary = framelog::summarise(source, std::ref(progress));
  if (!summary) throw Error{fmt::format("{}: {}", a.file(), summary.error().message)};
  const framelog::Summary& s = **summary;
  if (a.config) {
    cli::print_text(s.head.description.config);
  } else if (a.as_json) {
    cli::print_text(report::pretty(report::log_json(s, a.file())));
  } else {
    cli::print_text(report::log_text(s, a.file(), report::style_for(STDOUT_FILENO)));
  }
}

// ---- several nodes -----------------------------------------------------------------------------

void trace_together(const LogArguments& a, RecordingsTogether& all) {
  std::vector<convert::TimelineOf> runs;
  runs.reserve(all.nodes.size());
  for (std::size_t n = 0; n < all.nodes.size(); ++n) {
    const join::NodeRecord& node = all.nodes[n];
    runs.push_back({&all.sources[n], node.name, node.on_its_clock(all.joined.zero)});
  }
  LogProgress progress("writing the timeline");
  const auto written = needed(convert::export_timelines(runs, a.trace, {}, std::ref(progress)));
  cli::tell("{} frames of {} nodes in {}; open it at ui.perfetto.dev\n",
            report::grouped(written.rows), all.nodes.size(), a.trace);
}

ExitCode log_together(const LogArguments& a) {
  if (!a.recover.empty() || a.config) {
    throw Error{"--join, with --recover or --config: expected one of them"};
  }
  if (!a.range.from.empty() || !a.range.to.empty()) {
    throw Error{"--from and --to are of the --trace of one recording; --join takes all of each"};
  }
  RecordingsTogether all = read_together(a.files);
  if (!a.trace.empty()) trace_together(a, all);
  if (a.as_json) {
    cli::print_text(report::pretty(report::join_json(all.joined)));
  } else {
    cli::print_text(
        report::join_text(all.joined, "hild log --join", report::style_for(STDOUT_FILENO)));
  }
  return all.joined.first_difference() == nullptr ? ExitCode::done : ExitCode::fault;
}

ExitCode against_another(const LogArguments& a) {
  if (a.join || a.config || !a.recover.empty() || !a.trace.empty() || a.files.size() > 1) {
    throw Error{
        "--against, with --join, --config, --recover, --trace or another LOG: expected one "
        "recording and none of these"};
  }
  AgainstArguments both = a.against;
  both.file = a.file();
  both.as_json = a.as_json;
  return log_against(both);
}

ExitCode log(const LogArguments& a) {
  if (!a.against.against.empty()) return against_another(a);
  if (!a.against.plot.empty() || a.against.tolerance > 0) {
    throw Error{"--plot and --tolerance are of --against: expected another recording there"};
  }
  if (a.join) return log_together(a);
  if (a.files.size() > 1) {
    throw Error{
        fmt::format("found {} recordings, expected one; `--join` takes those of several "
                    "nodes together",
                    a.files.size())};
  }
  if (!a.recover.empty() && !a.trace.empty()) {
    throw Error{"--recover and --trace: expected one of them"};
  }
  if (a.trace.empty() && (!a.range.from.empty() || !a.range.to.empty())) {
    throw Error{"--from and --to are of --trace"};
  }
  auto source = needed(mcap::FileSource::open(a.file()));
  if (!a.recover.empty()) {
    recover(a, source);
  } else if (!a.trace.empty()) {
    trace(a, source);
  } else {
    summarise(a, source);
  }
  return ExitCode::done;
}

}  // namespace

void add_log(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "log",
      "what a recording holds: summary, overruns, gaps; recover a cut one; a timeline; where two "
      "differ; those of several nodes together",
      log);
  command.add_option("LOG", a.files, "recording (MCAP); with --join several")->required();
  command.add_flag("--json", a.as_json, "for programs, lists in full");
  command.add_flag("--join", a.join,
                   "recordings of several nodes of a system: whether what each received is what "
                   "was sent, what was lost, and how old it was");
  command.add_flag("--config", a.config, "print the configuration of the run, as YAML");
  add_option(command, "--recover", a.recover, "NEW", "write all that is whole as a new log");
  add_option(command, "--trace", a.trace, "FILE.json",
             "write a timeline of the frames for ui.perfetto.dev");
  add_option(command, "--against", a.against.against, "OTHER",
             "where it differs from another recording of the same model, as a branch of it "
             "(`hild replay --at`): the first difference, and the largest of each signal");
  add_option(command, "--plot", a.against.plot, "FILE.svg",
             "with --against: draw the signals that differ, of both");
  add_option(command, "--tolerance", a.against.tolerance, "FRACTION",
             "with --against: values this close count as the same (default: every bit counts)")
      .check(CLI::NonNegativeNumber);
  add_range_arguments(command, a.range);
  command.footer("Exit code 2: with --against or --join there are differences.");
}

}  // namespace hild::commands
