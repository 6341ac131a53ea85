// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `hildctl watch` shows of samples: a table in place, plain lines, or JSON a line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/report/style.hpp"

namespace hild::ctl {

struct WatchedSignals {
  std::vector<std::string> names;
  std::vector<std::string> units;
};

struct Sample {
  std::int64_t frame = 0;
  double time_s = 0;
  std::vector<double> values;  ///< in the order of the names
};

class LiveView {
 public:
  LiveView() = default;
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;
  virtual ~LiveView() = default;

  /// Text to print before the first sample, for one sample, after a bunch of them, at the end.
  virtual std::string begin() { return {}; }
  virtual std::string sample(const Sample& sample) = 0;
  virtual std::string shown(std::int64_t /*lost*/) { return {}; }
  /// What is to be known of the run from now on: `loud`, each in a line of words; `news` are those
  /// of what changed, the quiet ones too.
  virtual std::string told(const std::vector<std::string>& loud,
                           const std::vector<std::string>& news) = 0;
  virtual std::string end() { return {}; }
};

/// A row a signal: name, value, its last values as a line, their lowest and highest.
[[nodiscard]] std::unique_ptr<LiveView> live_table(WatchedSignals watched,
                                                   const report::Style& style);
/// A line a sample, a column a signal, under a heading.
[[nodiscard]] std::unique_ptr<LiveView> plain_lines(WatchedSignals watched);
/// {"frame": 1, "time_s": 0.001, "values": {NAME: number}} a line.
[[nodiscard]] std::unique_ptr<LiveView> json_lines(WatchedSignals watched);

}  // namespace hild::ctl
