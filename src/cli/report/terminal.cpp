// SPDX-License-Identifier: Apache-2.0
#include "cli/report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "recording/record/words.hpp"

namespace hild::report {
namespace {

struct Fact {
  std::string name;
  std::string value;
  bool alarming = false;
};

std::vector<Fact> facts(const Report& r) {
  using exec::Statistics;
  using Notice = exec::CounterInfo::Notice;
  std::vector<Fact> all;
  const auto count = [&](std::string_view name, std::int64_t n, bool alarming = false) {
    all.push_back({std::string(name), grouped(n), alarming && n > 0});
  };
  const auto rare = [&](std::string_view name, std::int64_t n, bool alarming = false) {
    if (n != 0) count(name, n, alarming);
  };
  // Of several models, which it was.
  const auto by_model = [&](io::Cap cap) {
    for (const Report::Capped& one : r.capped_by) {
      rare("  " + one.model, one.steps[static_cast<std::size_t>(cap)], true);
    }
  };
  const auto capped = [&](std::string_view name, io::Cap cap) {
    rare(name, r.capped[static_cast<std::size_t>(cap)], true);
    by_model(cap);
  };
  for (const exec::CounterInfo& c : exec::counters) {
    const bool always = c.notice == Notice::always || c.counter == &Statistics::slips;
    const std::int64_t n = r.counts[c.counter];
    if (always || n != 0) count(c.in_table(), n, c.notice == Notice::alarming);
    if (c.counter == &Statistics::frames) {
      all.push_back({"simulated time", fmt::format("{:.3f} s", r.sim_time_s)});
    } else if (c.counter == &Statistics::late_wakes) {
      const std::string share =
          r.overruns == 0 ? "" : fmt::format("  {:.3g} %", r.overrun_percent());
      all.push_back({"overruns", grouped(r.overruns) + share, r.overruns > 0});
    } else if (c.counter == &Statistics::state_events_deferred) {
      by_model(io::Cap::state_events);
    } else if (c.counter == &Statistics::time_events) {
      capped("  put off", io::Cap::time_events);
    }
  }
  capped("events cut short", io::Cap::event_iterations);
  capped("not ahead", io::Cap::zero_advance);
  capped("steps cut short", io::Cap::step_parts);
  capped("answers missed", io::Cap::late_answers);
  capped("algebraic variables not found", io::Cap::algebraic_iterations);
  rare("external events", r.events_served);
  rare("  put off", r.events_deferred);
  rare("  refused", r.events_refused, true);
  rare("clamped outputs", r.clamped_outputs, true);
  rare("  in frames", r.clamped_frames, true);
  for (const Report::Recording& one : r.recordings) {
    count("frames recorded", one.log.frames);
    if (one.log.files > 1) count("  files", one.log.files);
    rare("  not written", one.log.lost, true);
  }
  return all;
}

std::string cell(const Fact& fact, const Style& style) {
  const std::string value = right(fact.value, 20, style);
  return left(fact.name, 16, style) +
         (fact.alarming ? painted(value, Colour::yellow, style) : value);
}

std::string row(std::string_view name, const Quantiles& q, const Style& style) {
  std::string out = ' ' + left(name, 22, style);
  for (const double us : {q.p50, q.p99, q.p999, q.max}) {
    out += fmt::format("{:10.{}f}", us, us < 1e6 ? 1 : 0);
  }
  return out + '\n';
}

// Waiting is not where time is lost.
bool is_waiting(io::Phase phase) { return phase == io::Phase::wait || phase == io::Phase::idle; }

std::string pass_rows(const Report& r, const Style& style) {
  if (r.passes.size() < 2) return {};  // the phase says it already
  std::string out;
  for (std::size_t i = 0; i < r.passes.size(); ++i) {
    out += row(fmt::format("    pass {}", i), r.passes[i], style);
  }
  return out;
}

std::string load_row(std::string_view name, double share, const Report& r, const Style& style) {
  const bool over = share > r.budget;
  return fmt::format(" {}{:8.1f} %  {}\n", left(name, 10, style), 100 * share,
                     painted(gauge(share, std::min(style.width - 24, 50), style, r.budget),
                             over ? Colour::red : Colour::green, style));
}

std::string title(const Report& r, const Style& style) {
  const std::string setup =
      fmt::format("{} with {} at {:g} Hz, sampling: {}", r.model, r.method, r.rate_hz, r.sampling);
  return title_line("hild run " + r.config, style) +
         fmt::format(" {}\n", cut(setup, style.width - 1, style));
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

std::string devices_table(const Report& r, const Style& style) {
  std::string out;
  for (const Report::Device& device : r.devices) {
    for (const Report::Device::Count& one : device.counts) {
      if (one.value == 0) continue;
      const std::string value = right(grouped(one.value), 14, style);
      out += fmt::format(
          " {}{}\n",
          left(device.name + ": " + boost::replace_all_copy(one.name, "_", " "), 40, style),
          one.alarming ? painted(value, Colour::yellow, style) : value);
    }
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

std::string times_table(const Report& r, const Style& style) {
  std::string out = columns_line(
      fmt::format(" {:<22}{:>10}{:>10}{:>10}{:>10}", "us", "p50", "p99", "p99.9", "max"), style);
  out += row("wake latency", r.wake_latency, style);
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    const auto phase = static_cast<io::Phase>(p);
    if (phase == io::Phase::wake || is_waiting(phase) || !(r.phases[p].max > 0)) continue;
    out += row(io::to_string(phase), r.phases[p], style);
    if (phase == io::Phase::passes) out += pass_rows(r, style);
  }
  out += row("work in a frame", r.work, style);
  if (r.overruns > 0) out += row("lateness of overruns", r.lateness, style);
  return out;
}

std::string load_table(const Report& r, const Style& style) {
  std::string out = load_row("p50", r.utilisation.p50, r, style);
  out += load_row("p99", r.utilisation.p99, r, style);
  out += load_row("max", r.utilisation.max, r, style);
  out += fmt::format(" budget {:.0f} % of {:.1f} us", 100 * r.budget, r.period_us);
  if (const std::int64_t n = r.counts[&exec::Statistics::over_budget]; n > 0) {
    out += fmt::format(", exceeded in {}", record::counted(n, "frame"));
  }
  out += fmt::format("\n margin left: min {:.1f} us, p1 {:.1f} us, p50 {:.1f} us\n", r.margin.min,
                     r.margin.p1, r.margin.p50);
  if (r.ticks && r.ticks->came) {
    out += fmt::format(" ticks of device {}: every {:.3f} us, jitter {:.1f} us\n", r.ticks->device,
                       r.ticks->came->period_us, r.ticks->came->jitter_us);
  } else if (r.ticks) {
    out += fmt::format(" ticks of device {}: none came\n", r.ticks->device);
  }
  if (r.phase_error_us) {
    out += fmt::format(" ticks on TAI: the last one was {:.1f} us off\n", *r.phase_error_us);
  }
  if (r.local_error.max > 0) {
    out +=
        fmt::format(" estimated error of a step, in parts of the state: p50 {:.1e}, max {:.1e}\n",
                    r.local_error.p50, r.local_error.max);
  }
  return out;
}

std::string bar_chart(std::span<const Bin> bins, const Style& style) {
  std::int64_t total = 0;
  std::int64_t most = 0;
  for (const Bin& bin : bins) {
    total += bin.count;
    most = std::max(most, bin.count);
  }
  if (total == 0) return {};
  const int ends = columns(grouped(bins.back().high.ns / 1000));
  const int counts = std::max(columns(grouped(most)), 5);
  const int room = std::clamp(style.width - 2 * ends - counts - 22, 8, 40);
  std::string out;
  for (const Bin& bin : bins) {
    const double share = static_cast<double>(bin.count) / static_cast<double>(total);
    const double length = static_cast<double>(bin.count) / static_cast<double>(most);
    const std::string line =
        fmt::format("   {:>{}} .. {:>{}} us {:>{}} {:6.2f} %  {}", grouped(bin.low.ns / 1000), ends,
                    grouped(bin.high.ns / 1000), ends, grouped(bin.count), counts, 100 * share,
                    painted(bar(length, room, style), Colour::cyan, style));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

std::string verdict_text(const Verdict& v, bool good, const Style& style) {
  const int width = style.width - 1;
  std::string out = fmt::format(
      " {}\n", painted(wrapped(v.what, width, 1), good ? Colour::green : Colour::red, style));
  if (!v.next.empty()) out += fmt::format(" {}\n", wrapped("Next: " + v.next + ".", width, 1));
  return out;
}

std::string warnings_text(std::span<const std::string> warnings, const Style& style) {
  std::string out;
  for (const std::string& warning : warnings) {
    const std::string text = wrapped("warning: " + warning, style.width - 1, 3);
    out +=
        fmt::format(" {}{}\n", painted(text.substr(0, 8), Colour::yellow, style), text.substr(8));
  }
  return out;
}

std::string terminal_report(const Report& r, std::span<const PlottedSignal> signals,
                            const Style& style) {
  std::string out = title(r, style);
  out += verdict_text(r.verdict, exit_code(r.outcome) == ExitCode::done, style);
  out += '\n' + counts_table(r, style);
  out += part("Devices", devices_table(r, style), style);
  out += part("Overruns by cause", causes_table(r, style), style);
  out += part("Where the time goes", times_table(r, style), style);
  out += part("Utilisation", load_table(r, style), style);
  out += part("Wake latency", bar_chart(r.wake_bins, style), style);
  for (const PlottedSignal& signal : signals) out += '\n' + line_plot(signal, style);
  if (!r.warnings.empty()) out += '\n' + warnings_text(r.warnings, style);
  return out;
}

}  // namespace hild::report
