// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <limits>
#include <string_view>

#include "cli/ctl/common.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/report/text.hpp"

namespace hild::ctl {
namespace {

constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> ascii{"_", ".", ",", "-", "~", "+", "*", "#"};
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

class LiveTable final : public LiveView {
 public:
  LiveTable(WatchedSignals watched, const report::Style& style)
      : watched_(std::move(watched)), style_(style) {
    const int name = widest(watched_.names);
    // Name, value with unit, line, lowest and highest.
    const int taken = name + 14 + widest(watched_.units) + 2 * 10 + 8;
    const auto length = static_cast<std::size_t>(std::clamp(style.width - taken, 8, 60));
    series_.assign(watched_.names.size(), Series(length));
  }

  std::string begin() override { return "\x1b[?25l"; }  // hides the cursor
  std::string end() override { return "\x1b[?25h"; }    // shows it again

  std::string sample(const SampleRow& sample) override {
    frame_ = sample.frame;
    time_s_ = sample.time_s;
    for (std::size_t i = 0; i < series_.size(); ++i) series_[i].add(sample.values[i]);
    return {};
  }

  std::string shown(std::int64_t lost) override {
    lost_ += lost;
    return draw();
  }

  std::string told(const std::vector<std::string>& loud,
                   const std::vector<std::string>& /*news*/) override {
    loud_ = loud;
    return draw();
  }

 private:
  [[nodiscard]] std::string draw() {
    std::vector<TableLine> rows;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const Series& s = series_[i];
      const double last = s.empty() ? std::nan("") : s.last();
      rows.push_back({watched_.names[i], quantity_text(last),
                      watched_.units[i] == "1" ? "" : watched_.units[i], s.sparkline(style_),
                      quantity_text(s.lowest()), "...", quantity_text(s.highest())});
    }
    std::string text = fmt::format("frame {}  {:.3f} s{}\n", frame_, time_s_,
                                   lost_ > 0 ? fmt::format("  {} samples lost", lost_) : "");
    for (const std::string& words : loud_) text += words + '\n';
    text += columns(rows, {1, 4});
    const std::string back = drawn_ > 0 ? fmt::format("\x1b[{}A", drawn_) : "";
    const std::size_t lines = series_.size() + loud_.size() + 1;
    const bool fewer = lines < drawn_;
    drawn_ = lines;
    return back + clear_lines(text) + (fewer ? "\x1b[J" : "");
  }

  static int widest(const std::vector<std::string>& texts) {
    int width = 0;
    for (const auto& text : texts) width = std::max(width, report::columns(text));
    return width;
  }

  /// Each line clears what an older, longer one left behind it, and none is longer than the
  /// terminal is wide: the table is drawn over itself.
  [[nodiscard]] std::string clear_lines(const std::string& text) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      out += report::cut(text.substr(at, end - at), style_.width, style_) + "\x1b[K\n";
      at = end + 1;
    }
    return out;
  }

  WatchedSignals watched_;
  report::Style style_;
  std::vector<Series> series_;
  std::int64_t frame_ = 0;
  double time_s_ = 0;
  std::int64_t lost_ = 0;
  std::vector<std::string> loud_;
  std::size_t drawn_ = 0;  // lines
};

class PlainLines final : public LiveView {
 public:
  explicit PlainLines(WatchedSignals watched) : watched_(std::move(watched)) {}

  std::string begin() override {
    std::string line = "      time_s";
    for (std::size_t i = 0; i < watched_.names.size(); ++i) {
      const std::string& unit = watched_.units[i];
      const std::string title = unit.empty() || unit == "1"
                                    ? watched_.names[i]
                                    : fmt::format("{}[{}]", watched_.names[i], unit);
      widths_.push_back(std::max(report::columns(title), 12));
      line += fmt::format("  {:>{}}", title, widths_.back());
    }
    return line + '\n';
  }

  std::string sample(const SampleRow& sample) override {
    std::string line = fmt::format("{:12.6f}", sample.time_s);
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
      line += fmt::format("  {:>{}}", quantity_text(sample.values[i]), widths_[i]);
    }
    return line + '\n';
  }

  std::string shown(std::int64_t lost) override {
    return lost > 0 ? fmt::format("# {} samples lost\n", lost) : "";
  }

  std::string told(const std::vector<std::string>& /*loud*/,
                   const std::vector<std::string>& news) override {
    std::string text;
    for (const std::string& words : news) text += "# " + words + '\n';
    return text;
  }

 private:
  WatchedSignals watched_;
  std::vector<int> widths_;
};

class JsonLines final : public LiveView {
 public:
  explicit JsonLines(WatchedSignals watched) : watched_(std::move(watched)) {}

  std::string sample(const SampleRow& sample) override {
    // Numbers as one writes them: 12.5, not 1.25E1.
    std::string values;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
      const double v = sample.values[i];
      const json::value name(watched_.names[i]);
      values += fmt::format("{}{}:{}", i == 0 ? "" : ",", json::serialize(name),
                            std::isfinite(v) ? fmt::format("{}", v) : "null");
    }
    return fmt::format("{{\"frame\":{},\"time_s\":{},\"values\":{{{}}}}}\n", sample.frame,
                       sample.time_s, values);
  }

  std::string shown(std::int64_t lost) override {
    return lost > 0 ? fmt::format("{{\"lost\":{}}}\n", lost) : "";
  }

  std::string told(const std::vector<std::string>& /*loud*/,
                   const std::vector<std::string>& news) override {
    std::string text;
    for (const std::string& words : news) {
      text += fmt::format("{{\"told\":{}}}\n", json::serialize(json::value(words)));
    }
    return text;
  }

 private:
  WatchedSignals watched_;
};

}  // namespace

void Series::add(double value) {
  values_.push_back(value);
  if (values_.size() > length_) values_.pop_front();
}

double Series::lowest() const {
  double lowest = nothing;
  for (const double v : values_) {
    if (std::isfinite(v) && !(v >= lowest)) lowest = v;
  }
  return lowest;
}

double Series::highest() const {
  double highest = nothing;
  for (const double v : values_) {
    if (std::isfinite(v) && !(v <= highest)) highest = v;
  }
  return highest;
}

std::string Series::sparkline(const report::Style& style) const {
  const auto& levels = style.utf8 ? blocks : ascii;
  const double low = lowest();
  const double range = highest() - low;
  std::string line;
  for (const double v : values_) {
    if (!std::isfinite(v)) {
      line += ' ';
      continue;
    }
    const double share = range > 0 ? (v - low) / range : 0.5;
    const auto level = static_cast<std::size_t>(share * static_cast<double>(levels.size()));
    line += levels[std::min(level, levels.size() - 1)];
  }
  return line;
}

std::unique_ptr<LiveView> live_table(WatchedSignals watched, const report::Style& style) {
  return std::make_unique<LiveTable>(std::move(watched), style);
}

std::unique_ptr<LiveView> plain_lines(WatchedSignals watched) {
  return std::make_unique<PlainLines>(std::move(watched));
}

std::unique_ptr<LiveView> json_lines(WatchedSignals watched) {
  return std::make_unique<JsonLines>(std::move(watched));
}

}  // namespace hild::ctl
