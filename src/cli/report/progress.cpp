// SPDX-License-Identifier: Apache-2.0
#include "cli/report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hild::report {
namespace {

// "t  3.0 s / 10 s": as wide at the start as at the end.
std::string time_of(const Progress& p) {
  if (!p.duration_s) return fmt::format("t {:.1f} s", p.t_s);
  const auto width = fmt::format("{:.1f}", *p.duration_s).size();
  return fmt::format("t {:{}.1f} s / {:g} s", p.t_s, width, *p.duration_s);
}

std::string painted_count(std::string_view name, std::int64_t n, Colour colour,
                          const Style& style) {
  const std::string text = fmt::format("{} {}", name, n);
  return n > 0 ? painted(text, colour, style) : text;
}

}  // namespace

Progress progress_of(const exec::Statistics& s, const Grid& grid,
                     std::optional<Duration> duration) {
  Progress p;
  p.frames = s.frames.get();
  p.t_s = seconds(grid.tick(p.frames));
  if (duration) p.duration_s = seconds(*duration);
  p.overruns = s.overruns.get();
  p.late_wakes = s.late_wakes.get();
  p.utilisation = seconds(s.work.mean()) * grid.rate_hz();
  return p;
}

std::string progress_line(const Progress& p, const Style& style) {
  const auto counts = [&p, &style](const Style& with) {
    return fmt::format("  frames {}  {}  {}  {} {:.0f} %", p.frames,
                       painted_count("overruns", p.overruns, Colour::red, with),
                       painted_count("late wakes", p.late_wakes, Colour::yellow, with),
                       style.width < 90 ? "util" : "utilisation", 100 * p.utilisation);
  };
  const std::string time = time_of(p);
  const Style plain{.utf8 = style.utf8, .colour = false, .width = style.width};
  const int room = style.width - columns(time + counts(plain));
  if (room < 0) return cut(time + counts(plain), style.width, style);
  if (!p.duration_s || !(*p.duration_s > 0) || room < 8) return time + counts(style);
  const int cells = std::min(room - 4, 10);
  return fmt::format("{}  [{}]{}", time, gauge(p.t_s / *p.duration_s, cells, style), counts(style));
}

}  // namespace hild::report
