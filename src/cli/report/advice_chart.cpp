// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/advice.hpp"
#include "cli/report/advice_words.hpp"
#include "cli/report/text.hpp"

namespace hild::report {
namespace {

using advise::Advice;
using advise::Window;

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

}  // namespace

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

}  // namespace hild::report
