// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/report/tables.hpp"
#include "cli/report/text.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

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
  std::string out;
  if (r.passes.size() < 2) return out;  // the phase says it already
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

}  // namespace

std::string times_table(const Report& r, const Style& style) {
  std::string out = painted(fmt::format(" {}{:>10}{:>10}{:>10}{:>10}", left("us", 22, style), "p50",
                                        "p99", "p99.9", "max"),
                            Colour::faint, style) +
                    '\n';
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
  if (r.local_error.max > 0) {
    out +=
        fmt::format(" estimated error of a step, in parts of the state: p50 {:.1e}, max {:.1e}\n",
                    r.local_error.p50, r.local_error.max);
  }
  return out;
}

}  // namespace hild::report
