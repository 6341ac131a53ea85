// SPDX-License-Identifier: Apache-2.0
/// `hildctl status`: is it keeping up, and what is it doing.
#include <algorithm>
#include <boost/json.hpp>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/control.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/ctl/system.hpp"
#include "cli/terminal/print.hpp"
#include "exec/statistics.hpp"

namespace hild::ctl {
namespace {

/// "p50 12.1  p99 20  p999 31  max 40 us"
std::string quantiles(const json::value& status, std::string_view key) {
  const json::value* of = member(status, key);
  if (of == nullptr || !of->is_object()) return "-";
  std::string text;
  for (const auto& [name, value] : of->get_object()) {
    if (!value.is_number()) continue;
    text += fmt::format("{}{} {:.3g}", text.empty() ? "" : "  ", std::string_view(name),
                        number_of(value));
  }
  return text + " us";
}

/// " (late_wake 3, device 1)"; nothing when all are 0.
std::string counts(const json::object& of) {
  std::string text;
  for (const auto& [name, value] : of) {
    if (!value.is_number() || number_of(value) == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", std::string_view(name),
                        json::serialize(value));
  }
  return text.empty() ? text : text + ")";
}

std::string utilisation(const json::value& status) {
  const json::value* shares = member(status, "utilisation");
  if (shares == nullptr) return "-";
  return fmt::format("p50 {:.1f} %  p99 {:.1f} %  max {:.1f} %, {:.0f} % allowed",
                     100 * number_of(*shares, "p50"), 100 * number_of(*shares, "p99"),
                     100 * number_of(*shares, "max"), 100 * number_of(*shares, "limit"));
}

std::string words_of(const json::array& entries, std::string_view who, std::string_view what) {
  std::string text;
  for (const json::value& entry : entries) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", text_of(entry, who), text_of(entry, what));
    if (const double value = number_of(entry, "value"); value == value) {
      text += fmt::format(" {:.6g}", value);
    }
  }
  return text.empty() ? "none" : text;
}

std::string recording(const json::value& status) {
  const json::value* of = member(status, "recording");
  if (of == nullptr || of->is_null()) return "none";
  return fmt::format("{}; at most {} of {} blocks of memory in use",
                     told_of(status, "recording", text_of(*of, "file")), whole_of(*of, "blocks"),
                     whole_of(*of, "blocks_max"));
}

/// What keeps the plant from being one, behind what it is.
std::string plant_words(const json::value& status) {
  const std::string words = told_of(status, "plant", "moves");
  return words == "moves" ? "" : "; " + words;
}

/// Whether the lines carry what the model says.
std::string limit_words(const json::value& status) {
  const json::value clamped = map_of(status, "clamped");
  if (whole_of(clamped, "frames") == 0) return "kept by all outputs";
  return fmt::format("outputs were cut to them in {} frames{}", whole_of(clamped, "frames"),
                     flag_of(clamped, "now") ? ", and are now" : "");
}

/// What the estimated errors of its steps were, as parts of the size of their states.
std::string accuracy_words(const json::value& status) {
  const json::value error = map_of(status, "local_error");
  if (number_of(error, "max") == 0) return "no estimate yet";
  const double limit = number_of(error, "limit");
  return fmt::format("estimated error of a step p50 {:.1e}, max {:.1e}{}", number_of(error, "p50"),
                     number_of(error, "max"), limit > 0 ? fmt::format(" of {:g}", limit) : "");
}

/// Of what a run usually has none, ", late samples 3".
std::string rare_counts(const json::value& status) {
  using exec::Statistics;
  static constexpr exec::CounterOf elsewhere[] = {&Statistics::slips, &Statistics::frozen_frames,
                                                  &Statistics::state_events};
  std::string text;
  for (const exec::CounterInfo& c : exec::counters) {
    if (c.notice == exec::CounterInfo::Notice::always) continue;
    if (std::ranges::find(elsewhere, c.counter) != std::ranges::end(elsewhere)) continue;
    if (const std::int64_t n = whole_of(status, c.name); n > 0) {
      text += fmt::format(", {} {}", c.words, n);
    }
  }
  return text;
}

void print_status(const json::value& s) {
  const json::value overruns = map_of(s, "overruns");
  const json::value events = map_of(s, "external_events");
  const std::vector<TableLine> rows{
      {"state", told_of(s, "run", text_of(s, "state"))},
      {"plant", fmt::format("{} by {}, sampling {}, frame {:.6g} ms{}", text_of(s, "model"),
                            text_of(s, "method"), text_of(s, "sampling"),
                            1e3 * number_of(s, "period_s"), plant_words(s))},
      {"time", fmt::format("{:.3f} s, frame {}, {} steps", number_of(s, "sim_time_s"),
                           whole_of(s, "frame"), whole_of(s, "steps"))},
      {"overruns",
       fmt::format("{}, {:.3g} %{}", whole_of(overruns, "total"), number_of(overruns, "percent"),
                   counts(map_of(overruns, "by_cause")))},
      {"", fmt::format("late wakes {}, doubled steps {}, slips {}, frozen frames {}{}",
                       whole_of(s, "late_wakes"), whole_of(s, "doubled_steps"),
                       whole_of(s, "slips"), whole_of(s, "frozen_frames"), rare_counts(s))},
      {"utilisation", utilisation(s)},
      {"work", quantiles(s, "work_us")},
      {"wake latency", quantiles(s, "wake_latency_us")},
      {"accuracy", accuracy_words(s)},
      {"events", fmt::format("state {}; external: served {}, deferred {}, refused {}",
                             whole_of(s, "state_events"), whole_of(events, "served"),
                             whole_of(events, "deferred"), whole_of(events, "refused"))},
      {"outputs", told_of(s, "outputs", flag_of(s, "armed", true) ? "armed" : "disarmed")},
      {"limits", limit_words(s)},
      {"control", control_words(s)},
      {"alarms", told_of(s, "alarms", "-")},
      {"faults", told_of(s, "faults", words_of(list_of(s, "overrides"), "signal", "kind"))},
      {"stimuli", told_of(s, "stimuli", words_of(list_of(s, "stimuli"), "input", "shape"))},
      {"guard", told_of(s, "guard", "-")},
      {"access", told_of(s, "access", "-")},
      {"recording", recording(s)},
      {"dropped", fmt::format("records {}, samples {}", whole_of(s, "records_dropped"),
                              whole_of(s, "samples_lost"))},
      {"daemon", fmt::format("hild {}, pid {}, {} clients{}", text_of(s, "version"),
                             whole_of(s, "pid"), whole_of(s, "clients"),
                             flag_of(s, "writing", true) ? "" : ", writing disabled")},
  };
  cli::print_text(columns(rows));
}

}  // namespace

void add_status(CLI::App& app, Exit& exit) {
  add_command<SystemArguments>(app, exit,
                               {"status", "how the run is doing",
                                "Examples: hildctl status --json | jq .overruns.total\n"
                                "          hildctl status --system"},
                               [](const SystemArguments& a) {
                                 return a.system ? show_system(a)
                                                 : perform(a, "status", {}, print_status);
                               });
}

}  // namespace hild::ctl
