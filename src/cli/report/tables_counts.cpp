// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/report/tables.hpp"
#include "cli/report/text.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

struct Fact {
  std::string name;
  std::string value;
  bool alarming = false;
};

std::vector<Fact> facts(const Report& r) {
  const auto count = [](std::string name, std::int64_t n, bool alarming = false) {
    return Fact{std::move(name), grouped(n), alarming && n > 0};
  };
  std::vector<Fact> all;
  const auto capped = [&](io::Cap cap) { return r.capped[static_cast<std::size_t>(cap)]; };
  const auto rare = [&](const Fact& fact) {
    if (fact.value != "0") all.push_back(fact);
  };
  // Of several models, which it was.
  const auto by_model = [&](io::Cap cap) {
    for (const Report::Capped& one : r.capped_by) {
      rare(count("  " + one.model, one.steps[static_cast<std::size_t>(cap)], true));
    }
  };
  const auto after = [&](exec::CounterOf counter) {
    using exec::Statistics;
    if (counter == &Statistics::frames) {
      all.push_back({"simulated time", fmt::format("{:.3f} s", r.sim_time_s)});
    } else if (counter == &Statistics::late_wakes) {
      all.push_back({"overruns",
                     r.overruns == 0
                         ? "0"
                         : fmt::format("{}  {:.3g} %", grouped(r.overruns), r.overrun_percent()),
                     r.overruns > 0});
    } else if (counter == &Statistics::state_events_deferred) {
      by_model(io::Cap::state_events);
    } else if (counter == &Statistics::time_events) {
      rare(count("  put off", capped(io::Cap::time_events), true));
      by_model(io::Cap::time_events);
    }
  };
  for (const exec::CounterInfo& c : exec::counters) {
    using Notice = exec::CounterInfo::Notice;
    const bool shown = c.notice == Notice::always || c.counter == &exec::Statistics::slips;
    const Fact fact =
        count(std::string(c.in_table()), r.counts[c.counter], c.notice == Notice::alarming);
    if (shown) all.push_back(fact);
    if (!shown) rare(fact);
    after(c.counter);
  }
  rare(count("events cut short", capped(io::Cap::event_iterations), true));
  by_model(io::Cap::event_iterations);
  rare(count("not ahead", capped(io::Cap::zero_advance), true));
  by_model(io::Cap::zero_advance);
  rare(count("steps cut short", capped(io::Cap::step_parts), true));
  by_model(io::Cap::step_parts);
  rare(count("answers missed", capped(io::Cap::late_answers), true));
  by_model(io::Cap::late_answers);
  rare(count("external events", r.events_served));
  rare(count("  put off", r.events_deferred));
  rare(count("  refused", r.events_refused, true));
  rare(count("clamped outputs", r.clamped_outputs, true));
  rare(count("  in frames", r.clamped_frames, true));
  if (r.recording) {
    all.push_back(count("frames recorded", r.recording->frames));
    rare(count("  not written", r.recording->lost, true));
  }
  return all;
}

std::string cell(const Fact& fact, const Style& style) {
  const std::string value = right(fact.value, 20, style);
  return left(fact.name, 16, style) +
         (fact.alarming ? painted(value, Colour::yellow, style) : value);
}

}  // namespace

std::string counts_table(const Report& r, const Style& style) {
  const std::vector<Fact> all = facts(r);
  const bool two = style.width >= 78;
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool ends_line = !two || i % 2 == 1 || i + 1 == all.size();
    const std::string_view before = two && i % 2 == 1 ? "   " : " ";
    out += fmt::format("{}{}{}", before, cell(all[i], style), ends_line ? "\n" : "");
  }
  return out;
}

std::string causes_table(const Report& r, const Style& style) {
  std::vector<std::size_t> causes;
  for (std::size_t c = 0; c < io::cause_count; ++c) {
    if (r.by_cause[c] > 0) causes.push_back(c);
  }
  std::ranges::stable_sort(causes, std::greater{}, [&](std::size_t c) { return r.by_cause[c]; });
  std::string out;
  for (const std::size_t c : causes) {
    const double share = static_cast<double>(r.by_cause[c]) / static_cast<double>(r.overruns);
    out += fmt::format(
        " {}{:>18} {:6.1f} %  {}\n", left(record::in_words(static_cast<io::Cause>(c)), 18, style),
        grouped(r.by_cause[c]), 100 * share,
        painted(bar(share, std::min(style.width - 50, 28), style), Colour::yellow, style));
  }
  if (r.by_cause[static_cast<std::size_t>(io::Cause::unknown)] > 0 && !r.evidence) {
    out +=
        " unknown: with `--set overrun.evidence=true` the kernel tells what it did to the frames\n";
  }
  return out;
}

}  // namespace hild::report
