// SPDX-License-Identifier: Apache-2.0
/// \file
/// The views of samples of `hildctl watch`: a table in place, plain lines, or JSON lines.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cli/report/text.hpp"

namespace hild::ctl {

/// Keeps the last values of a signal, and draws them in one line of text.
class Series {
 public:
  explicit Series(std::size_t length) : length_(length) {}

  void add(double value);
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] double last() const { return values_.back(); }
  /// The lowest and the highest of the finite values kept; NaN when there is none.
  [[nodiscard]] double lowest() const;
  [[nodiscard]] double highest() const;

  /// A character for each value, oldest first, scaled from the lowest to the highest. A constant is
  /// drawn in the middle, a value that is not finite as a blank. As many columns as values are
  /// kept.
  [[nodiscard]] std::string sparkline(const report::Style& style) const;

 private:
  std::size_t length_;
  std::deque<double> values_;
};

struct WatchedSignals {
  std::vector<std::string> names;
  std::vector<std::string> units;
};

struct SampleRow {
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

  /// The text to print before the first sample, for one sample, after a group of samples, and at
  /// the end.
  virtual std::string begin() { return {}; }
  virtual std::string sample(const SampleRow& sample) = 0;
  virtual std::string shown(std::int64_t /*lost*/) { return {}; }
  /// The text about a changed state of the run: `loud` are the topics to be noticed, each in a line
  /// of words; `news` those that changed, the quiet ones included.
  virtual std::string told(const std::vector<std::string>& loud,
                           const std::vector<std::string>& news) = 0;
  virtual std::string end() { return {}; }
};

/// A table with a row for each signal: name, value, its last values as a small plot, their lowest
/// and highest.
[[nodiscard]] std::unique_ptr<LiveView> live_table(WatchedSignals watched,
                                                   const report::Style& style);
/// A line for each sample and a column for each signal, under a heading.
[[nodiscard]] std::unique_ptr<LiveView> plain_lines(WatchedSignals watched);
/// JSON lines {"frame": 1, "time_s": 0.001, "values": {NAME: number}}.
[[nodiscard]] std::unique_ptr<LiveView> json_lines(WatchedSignals watched);

}  // namespace hild::ctl
