// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cli/report/advice.hpp"
#include "cli/report/terminal.hpp"
#include "cli/report/text.hpp"
#include "core/doc_page.hpp"

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

constexpr int name_width = 18;

// Whole decades of h, and the columns they are drawn in.
class Axis {
 public:
  Axis(const Advice& a, int columns) : columns_(columns) {
    double low = a.h;
    double high = a.h;
    for (const Window& w : a.windows) {
      for (const double end : {w.lower, w.lower_p99, w.upper.least()}) {
        if (!std::isfinite(end) || end <= 0) continue;
        low = std::min(low, end);
        high = std::max(high, end);
      }
    }
    low_ = std::floor(std::log10(low));
    high_ = std::max(low_ + 1, std::ceil(std::log10(high)));
  }

  [[nodiscard]] int columns() const { return columns_; }
  // Ends beyond the axis are at its end.
  [[nodiscard]] int at(double h) const {
    if (!(h > 0)) return 0;
    if (!std::isfinite(h)) return columns_ - 1;
    const double share = (std::log10(h) - low_) / (high_ - low_);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (columns_ - 1)));
  }
  [[nodiscard]] std::string labels() const {
    std::string line(static_cast<std::size_t>(columns_ + 8), ' ');
    std::size_t free = 0;
    for (double decade = low_; decade <= high_; ++decade) {
      const std::string text = short_time(std::pow(10.0, decade));
      const auto at_column = static_cast<std::size_t>(at(std::pow(10.0, decade)));
      if (at_column < free || at_column + text.size() > static_cast<std::size_t>(columns_))
        continue;
      line.replace(at_column, text.size(), text);
      free = at_column + text.size() + 1;
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

 private:
  int columns_;
  double low_ = 0;
  double high_ = 1;
};

// Of one column of a row, in words of the legend.
std::string_view cell(const Window& w, const Axis& axis, int column, bool marked, bool utf8) {
  const int lower = axis.at(w.lower);
  const int upper = axis.at(w.upper.least());
  if (!w.open()) {
    if (column == upper) return "<";
    if (column == lower) return ">";
  } else if (column >= lower && column <= upper) {
    if (marked) return utf8 ? "┃" : "|";
    if (column < axis.at(w.lower_p99)) return utf8 ? "░" : "-";
    return utf8 ? "█" : "#";
  }
  if (marked) return utf8 ? "│" : "|";
  return " ";
}

std::string line(std::string_view text, const Style& style) {
  return fmt::format(" {}\n", wrapped(text, style.width - 2, 3));
}

std::string band_words(const Advice& a) {
  // By advise::BandFrom.
  static constexpr std::array<std::string_view, 3> from{
      ", as asked for", ": 99 % of the power of inputs and states", ", that of the slowest mode"};
  if (a.known.band_from == advise::BandFrom::nothing) {
    return "no band of interest: nothing moves, and there are only integrators";
  }
  return fmt::format("band of interest {:.3g} Hz{}", a.known.band / (2 * std::numbers::pi),
                     from[static_cast<std::size_t>(a.known.band_from)]);
}

std::string modes_words(const Advice& a) {
  const auto& m = a.known.modes;
  const auto& t = a.known.trajectory;
  std::string out = fmt::format(
      "{} modes over {:.3g} s at {} points (by {}): |lambda| from {:.3g} "
      "to {:.3g} 1/s, stiffness ratio {:.3g}",
      a.states.size(), seconds(t.duration), t.points.size(), t.method, m.slowest, m.fastest,
      m.stiffness);
  if (m.least_damping) out += fmt::format(", least damping {:.3g}", *m.least_damping);
  if (m.grows) out += ", some grow";
  return out;
}

std::string model_part(const Advice& a, const Style& style) {
  std::string out = line(modes_words(a), style);
  out += line(
      fmt::format("{}; accuracy {:g}; inputs {}", band_words(a), a.wishes.accuracy,
                  a.known.demand.input > 0 ? fmt::format("up to {:.3g} rad/s", a.known.demand.input)
                                           : "constant"),
      style);
  out += line(fmt::format("budget {:.0f} % of the frame, sampling: {}", 100 * a.budget,
                          config::word_of(a.sampling)),
              style);
  return out;
}

std::string stiff_part(const Advice& a, const Style& style) {
  const auto& split = a.known.split;
  const bool possible = a.windows.back().candidate.rates.has_value();
  if (!a.known.modes.stiff() && !(split && possible)) return {};
  std::string out = heading(a.known.modes.stiff() ? "Stiff" : "Fast and slow", style);
  if (!split) {
    return out + line("No gap divides the modes: take an implicit method.", style);
  }
  out += line(fmt::format("fast: {} (|lambda| from {:.3g} to {:.3g} 1/s)", names_of(a, split->fast),
                          split->slowest_fast, split->fastest_fast),
              style);
  out += line(fmt::format("slow: {} (to {:.3g} 1/s), ratio k = {:.0f}", names_of(a, split->slow),
                          split->fastest_slow, split->ratio()),
              style);
  return out + line(possible ? "The row multirate has the fast states in a partition of their own."
                             : "The model has no partitions to match; list them in the model "
                               "(`partitions`, " +
                                   doc_page("CONTRIBUTING") + ") for method: multirate.",
                    style);
}

std::string advice_part(const Advice& a, const Style& style) {
  std::string out = heading("Advice", style);
  out += verdict_text({.what = verdict_of(a), .next = {}}, a.in_window(), style);
  if (!a.chosen) {
    out += line("No method has a window. What can be done, the best first:", style);
  } else if (*a.chosen == a.configured && a.chosen_h == a.h) {
    return out + line("Nothing needs to change.", style);
  } else {
    out += line(fmt::format("Recommended: {} with h = {}. Nothing has been changed; the lines are",
                            a.windows[*a.chosen].candidate.name, short_time(a.chosen_h)),
                style);
    for (const auto& yaml : a.yaml) out += fmt::format("   {}\n", yaml);
    if (!a.offers.empty()) out += line("What else can be done, the best first:", style);
  }
  int n = 0;
  for (const auto& offer : a.offers) {
    out += fmt::format(" {}. {}\n", ++n, wrapped(words_of(offer, a), style.width - 5, 4));
  }
  return out;
}

}  // namespace

std::string windows_table(const Advice& a, const Style& style) {
  std::string out =
      columns_line(fmt::format(" {:<17}{:>2}{:>3}{:>9}{:>9}{:>10}{:>10}  {:<9}  {}", "method", "k",
                               "N", "needs", "p99", "stable", "accurate", "limit", "window"),
                   style);
  bool future = false;
  for (std::size_t i = 0; i < a.windows.size(); ++i) {
    out += row(a, i, style);
    future = future || a.windows[i].future;
  }
  if (future) out += " * needs inputs from the future: under sampling: extrapolate\n";
  return out;
}

std::string windows_chart(const Advice& a, const Style& style) {
  const Axis axis(a, style.width - name_width - 2);
  const int mark = axis.at(a.h);
  std::string out;
  for (std::size_t i = 0; i < a.windows.size(); ++i) {
    std::string bars;
    for (int column = 0; column < axis.columns(); ++column) {
      bars += cell(a.windows[i], axis, column, column == mark, style.utf8);
    }
    out += fmt::format("{}{}{}\n", a.chosen == i ? '>' : ' ',
                       left(a.windows[i].candidate.name, name_width, style),
                       bars.substr(0, bars.find_last_not_of(' ') + 1));
  }
  const std::string indent(name_width + 1, ' ');
  out += indent + painted(axis.labels(), Colour::faint, style) + '\n';
  return out + fmt::format(
                   " {} window   {} only at the median of the costs   < > ends of none   "
                   "{} h = {}\n",
                   style.utf8 ? "█" : "#", style.utf8 ? "░" : "-", style.utf8 ? "│" : "|",
                   short_time(a.h));
}

std::string advice_text(const Advice& a, const Style& style) {
  std::string out = title_line(fmt::format("hild advise {}: {} with {}, h = {}", a.config_file,
                                           a.model, a.method, short_time(a.h)),
                               style);
  out += model_part(a, style) + '\n' + windows_table(a, style) + '\n' + windows_chart(a, style);
  out += stiff_part(a, style) + advice_part(a, style);
  if (!a.notes.empty()) out += '\n' + warnings_text(a.notes, style);
  return out;
}

}  // namespace hild::report
