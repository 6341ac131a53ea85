// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/report/advice.hpp"
#include "cli/report/advice_words.hpp"
#include "cli/report/text.hpp"

namespace hild::report {
namespace {

using advise::Advice;
using advise::Window;

std::string row(const Advice& a, std::size_t i, const Style& style) {
  const Window& w = a.windows[i];
  const char mark = a.chosen == i ? '>' : w.candidate.configured ? '=' : ' ';
  const advise::Upper& u = w.upper;
  const double accurate = std::min({u.modes, u.inputs, u.sampling});
  const std::string line =
      fmt::format("{}{}{:>2}{:>3}{:>9}{:>9}{:>10}{:>10}  {}  {}", mark,
                  left(w.candidate.name + (w.future ? "*" : ""), 17, style), w.order, w.passes,
                  short_time(w.lower), short_time(w.lower_p99), short_time(u.stability),
                  short_time(accurate), left(to_string(u.limit()), 9, style),
                  w.calm()   ? "open"
                  : w.open() ? "tight"
                             : "none");
  if (a.chosen == i) return painted(line, Colour::green, style) + '\n';
  return (w.open() ? line : painted(line, Colour::faint, style)) + '\n';
}

}  // namespace

std::string windows_table(const Advice& a, const Style& style) {
  std::string out = painted(fmt::format(" {}{:>2}{:>3}{:>9}{:>9}{:>10}{:>10}  {}  {}",
                                        left("method", 17, style), "k", "N", "needs", "p99",
                                        "stable", "accurate", left("limit", 9, style), "window"),
                            Colour::faint, style) +
                    '\n';
  bool future = false;
  for (std::size_t i = 0; i < a.windows.size(); ++i) {
    out += row(a, i, style);
    future = future || a.windows[i].future;
  }
  if (future) out += " * needs inputs from the future: under sampling: extrapolate\n";
  return out;
}

}  // namespace hild::report
