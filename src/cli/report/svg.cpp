// SPDX-License-Identifier: Apache-2.0
#include "cli/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>

namespace hild::report {
namespace {

constexpr double panel_width = 420;
constexpr double panel_height = 320;
constexpr double left_margin = 70;
constexpr double right_margin = 20;
constexpr double top_margin = 40;
constexpr double bottom_margin = 50;
constexpr double plot_width = panel_width - left_margin - right_margin;
constexpr double plot_height = panel_height - top_margin - bottom_margin;
constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};

std::string escaped(std::string_view text) {
  std::string out(text);
  boost::replace_all(out, "&", "&amp;");
  boost::replace_all(out, "<", "&lt;");
  boost::replace_all(out, ">", "&gt;");
  return out;
}

bool finite(Coordinates p) { return std::isfinite(p.x) && std::isfinite(p.y); }

std::string words(double x, double y, std::string_view anchor, std::string_view text,
                  std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, escaped(text));
}

std::string_view dashes(const SvgCurve& curve) {
  return curve.dashed ? " stroke-dasharray=\"5 4\"" : "";
}

// Makes the shorter of two ranges longer, so that a unit is as long in both.
void equalise(Range& x, Range& y) {
  const double unit = std::max((x.high - x.low) / plot_width, (y.high - y.low) / plot_height);
  const double middle = 0.5 * (x.low + x.high);
  x = {middle - 0.5 * unit * plot_width, middle + 0.5 * unit * plot_width};
  y.high = y.low + unit * plot_height;
}

class Panel {
 public:
  Panel(const SvgPanel& panel, double left, double top)
      : panel_(panel), left_(left + left_margin), top_(top + top_margin) {
    Range x;
    Range y;
    for (const SvgCurve& c : panel.curves) {
      for (const Coordinates p : c.points) {
        if (!finite(p)) continue;
        x.add(p.x);
        y.add(p.y);
      }
    }
    if (!(x.high >= x.low)) x = y = {0, 1};
    if (!(x.high > x.low)) x.high = x.low + 1;
    if (panel.equal_scales) equalise(x, y);
    x_ = round_scale(x.low, x.high, 6);
    y_ = round_scale(y.low, y.high, 6);
    if (!panel.equal_scales) return;
    x_.low = x.low, x_.high = x.high, y_.low = y.low, y_.high = y.high;
    if (!(y_.high > y_.low)) y_.high = y_.low + 1;
  }

  [[nodiscard]] std::string text() const {
    std::string out = axes();
    double y = top_ + 18;
    for (std::size_t i = 0; i < panel_.curves.size(); ++i) {
      const SvgCurve& c = panel_.curves[i];
      const char* colour = colours[panel_.equal_scales ? 0 : i % colours.size()];
      out += curve(c, colour);
      if (c.name.empty()) continue;
      out += legend(c, colour, y);
      y += 16;
    }
    return out;
  }

 private:
  [[nodiscard]] double x_of(double v) const {
    return left_ + (v - x_.low) / (x_.high - x_.low) * plot_width;
  }
  [[nodiscard]] double y_of(double v) const {
    return top_ + plot_height - (v - y_.low) / (y_.high - y_.low) * plot_height;
  }

  [[nodiscard]] std::string axes() const {
    std::string out;
    const double foot = top_ + plot_height;
    const auto grid = [&](double x1, double y1, double x2, double y2, bool zero) {
      out += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
          x2, y2, zero ? "#888" : "#ddd");
    };
    for (const double tick : x_.ticks(x_.low, x_.high)) {
      grid(x_of(tick), top_, x_of(tick), foot, tick == 0);
      out += words(x_of(tick), foot + 16, "middle", x_.label(tick));
    }
    for (const double tick : y_.ticks(y_.low, y_.high)) {
      grid(left_, y_of(tick), left_ + plot_width, y_of(tick), tick == 0);
      out += words(left_ - 6, y_of(tick) + 4, "end", y_.label(tick));
    }
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#333\"/>\n",
        left_, top_, plot_width, plot_height);
    out +=
        words(left_ + plot_width / 2, top_ - 12, "middle", panel_.title, " font-weight=\"bold\"");
    out += words(left_ + plot_width / 2, foot + 36, "middle", panel_.x_label);
    const double x = left_ - 54;
    const double y = top_ + plot_height / 2;
    return out + words(x, y, "middle", panel_.y_label,
                       fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y));
  }

  [[nodiscard]] std::string curve(const SvgCurve& curve, std::string_view colour) const {
    std::string path;
    bool pen_down = false;
    for (const Coordinates p : curve.points) {
      if (finite(p)) {
        path += fmt::format("{}{:.2f} {:.2f}", pen_down ? 'L' : 'M', x_of(p.x), y_of(p.y));
      }
      pen_down = finite(p);
    }
    return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n",
                       path, colour, dashes(curve));
  }

  [[nodiscard]] std::string legend(const SvgCurve& curve, std::string_view colour, double y) const {
    return fmt::format(
               "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\""
               " stroke-width=\"1.6\"{4}/>\n",
               left_ + 8, y - 4, left_ + 32, colour, dashes(curve)) +
           words(left_ + 38, y, "start", curve.name);
  }

  const SvgPanel& panel_;
  double left_;
  double top_;
  Scale x_;
  Scale y_;
};

}  // namespace

std::string svg_document(std::string_view title, std::span<const SvgPanel> panels) {
  const std::size_t rows = (panels.size() + 1) / 2;
  const double width = 2 * panel_width;
  const double height = static_cast<double>(rows) * panel_height;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height, escaped(title));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / 2;
    const double left = i % 2 == 0 ? 0 : panel_width;
    const double top = static_cast<double>(row) * panel_height;
    out += Panel(panels[i], left, top).text();
  }
  return out + "</svg>\n";
}

}  // namespace hild::report
