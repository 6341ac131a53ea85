// SPDX-License-Identifier: Apache-2.0
/// \file
/// Samples as lines, for pipes and programs.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "cli/ctl/live_view.hpp"
#include "cli/ctl/members.hpp"
#include "cli/report/text.hpp"

namespace hild::ctl {
namespace {

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

  std::string sample(const Sample& sample) override {
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

  std::string sample(const Sample& sample) override {
    // Numbers as one writes them: 12.5, not 1.25E1.
    std::string values;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
      const double v = sample.values[i];
      const boost::json::value name(watched_.names[i]);
      values += fmt::format("{}{}:{}", i == 0 ? "" : ",", boost::json::serialize(name),
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
      text += fmt::format("{{\"told\":{}}}\n", boost::json::serialize(boost::json::value(words)));
    }
    return text;
  }

 private:
  WatchedSignals watched_;
};

}  // namespace

std::unique_ptr<LiveView> plain_lines(WatchedSignals watched) {
  return std::make_unique<PlainLines>(std::move(watched));
}

std::unique_ptr<LiveView> json_lines(WatchedSignals watched) {
  return std::make_unique<JsonLines>(std::move(watched));
}

}  // namespace hild::ctl
