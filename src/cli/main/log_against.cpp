// SPDX-License-Identifier: Apache-2.0
#include "cli/main/log_against.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <optional>

#include "cli/main/commands.hpp"
#include "cli/main/differences.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/report/log.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "offline/replay/against.hpp"
#include "offline/replay/log_source.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;
using framelog::SignalName;

void check_names(std::string_view what, const std::vector<SignalName>& a,
                 const std::vector<SignalName>& b, const AgainstArguments& files) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i]) continue;
    throw Error{fmt::format(
        "{} {} is `{}` in {} in {}, and `{}` in {} in {}: expected recordings of one model", what,
        i + 1, a[i].name, a[i].unit, files.file, b[i].name, b[i].unit, files.against)};
  }
}

std::string origin_of(const std::string& file, const framelog::Description& d) {
  if (!d.branch) return fmt::format("{}: a run from its start\n", file);
  std::string out = fmt::format("{}: a branch of {} from frame {} on{}\n", file, d.branch->file,
                                d.branch->frame, d.branch->changes.empty() ? ", unchanged" : ":");
  for (const std::string& change : d.branch->changes) out += fmt::format("  {}\n", change);
  return out;
}

json::object origin_json(const std::string& file, const framelog::Description& d) {
  return {
      {"log", file},
      {"start_ns", d.clock.realtime_ns},
      {"branch", d.branch ? json::value(report::branch_json(*d.branch)) : json::value(nullptr)}};
}

}  // namespace

ExitCode log_against(const AgainstArguments& a) {
  const auto first = needed(replay::LogSource::open(a.file));
  const auto second = needed(replay::LogSource::open(a.against));
  const framelog::Signals& signals = first->head().frame_signals;
  const framelog::Signals& others = second->head().frame_signals;
  check_names("input", signals.inputs, others.inputs, a);
  check_names("output", signals.outputs, others.outputs, a);
  check_names("state", signals.states, others.states, a);
  std::optional<DifferenceCurves> curves;
  if (!a.plot.empty()) curves.emplace(signals);
  LogProgress progress("comparing");
  replay::AgainstOptions options;
  options.tolerance = a.tolerance;
  options.go_on = [&] { return progress((first->progress() + second->progress()) / 2); };
  if (curves) {
    options.on_pair = [&](const io::FrameView& was, const io::FrameView& is) {
      if (was.header().frozen || is.header().frozen) return;
      curves->add(first->head().description.clock.end_of(was.header()), was, is);
    };
  }
  const auto result = replay::against(*first, *second, options);
  if (!result) throw Error{fmt::format("{}, {}: {}", a.file, a.against, result.error().message)};
  if (curves) {
    needed(report::write_file(
        a.plot, curves->svg(fmt::format("{} and {}", a.file, a.against), a.file, a.against)));
  }
  std::string damage = first->problem();
  if (damage.empty()) damage = second->problem();
  if (a.as_json) {
    json::object o{{"same", !result->first && damage.empty()},
                   {"first_log", origin_json(a.file, first->head().description)},
                   {"second_log", origin_json(a.against, second->head().description)},
                   {"tolerance", a.tolerance},
                   {"first_frame", result->first_frame},
                   {"last_frame", result->last_frame},
                   {"only_first", result->only_first},
                   {"only_second", result->only_second},
                   {"problem", damage}};
    add_to(o, *result, signals);
    cli::print_text(report::pretty(o));
  } else {
    cli::print_text(origin_of(a.file, first->head().description) +
                    origin_of(a.against, second->head().description));
    cli::print(
        "{} steps are in both, from frame {} to {}; {} in the first alone, {} in the second "
        "alone\n",
        report::grouped(result->compared), result->first_frame, result->last_frame,
        report::grouped(result->only_first), report::grouped(result->only_second));
    if (result->first) {
      cli::print_text(to_text(static_cast<const replay::Differences&>(*result), signals));
    } else {
      cli::print("every input, state and output of these is the same, {}\n",
                 a.tolerance > 0 ? fmt::format("within {:g}", a.tolerance) : "to the bit");
    }
    if (!damage.empty()) cli::print("not all of it was read: {}\n", damage);
    if (curves) cli::print("drawn in {}\n", a.plot);
  }
  return !result->first && damage.empty() ? ExitCode::done : ExitCode::fault;
}

}  // namespace hild::commands
