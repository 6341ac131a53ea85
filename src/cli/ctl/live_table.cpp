// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/ctl/columns.hpp"
#include "cli/ctl/live_view.hpp"
#include "cli/ctl/members.hpp"
#include "cli/ctl/series.hpp"
#include "cli/report/text.hpp"

namespace hild::ctl {
namespace {

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

  std::string begin() override { return hide_cursor; }
  std::string end() override { return show_cursor; }

  std::string sample(const Sample& sample) override {
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
  static constexpr const char* hide_cursor = "\x1b[?25l";
  static constexpr const char* show_cursor = "\x1b[?25h";

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

}  // namespace

std::unique_ptr<LiveView> live_table(WatchedSignals watched, const report::Style& style) {
  return std::make_unique<LiveTable>(std::move(watched), style);
}

}  // namespace hild::ctl
