// SPDX-License-Identifier: Apache-2.0
#include "recording/convert/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "recording/convert/selection.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;

// Mean and squares by Welford (Technometrics 4, 1962): small deviations of a large mean are not
// lost.
class Gathered {
 public:
  void take(double x) {
    if (!std::isfinite(x)) {
      ++not_finite_;
      return;
    }
    least_ = count_ == 0 ? x : std::min(least_, x);
    most_ = count_ == 0 ? x : std::max(most_, x);
    const double off = x - mean_;
    mean_ += off / static_cast<double>(++count_);
    squares_ += off * (x - mean_);
  }
  void put_into(SignalStatistics& s) const {
    s.count = count_;
    s.not_finite = not_finite_;
    s.mean = mean_;
    s.least = least_;
    s.most = most_;
    if (count_ > 1) s.deviation = std::sqrt(squares_ / static_cast<double>(count_ - 1));
  }

 private:
  std::int64_t count_ = 0;
  std::int64_t not_finite_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of what values are off the mean, summed
  double least_ = 0;
  double most_ = 0;
};

class Gatherer final : public framelog::LogVisitor {
 public:
  Gatherer(const std::vector<std::string>& words, const framelog::Progress& progress)
      : words_(words), progress_(progress) {}

  void begin(const framelog::LogHead& head) override {
    auto chosen = choose(head, words_);
    if (!chosen) {
      good_ = tl::make_unexpected(chosen.error());
      return;
    }
    for (Chosen& c : *chosen) {
      Group& group = groups_[static_cast<std::size_t>(c.part)];
      group.columns = std::move(c.columns);
      group.gathered.resize(group.columns.size());
      for (const auto& [name, unit] : c.names) {
        group.names.push_back({.name = fmt::format("{}.{}", kind_of(c.part), name), .unit = unit});
      }
    }
  }
  [[nodiscard]] bool wants(LogPart part) const override {
    return !groups_[static_cast<std::size_t>(part)].columns.empty();
  }
  void row(LogPart part, const framelog::Row& row) override {
    Group& group = groups_[static_cast<std::size_t>(part)];
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      group.gathered[i].take(row.values[group.columns[i]]);
    }
  }
  bool go_on(double part) override { return good_ && (!progress_ || progress_(part)); }

  Result<std::vector<SignalStatistics>> finish() {
    if (!good_) return tl::make_unexpected(good_.error());
    std::vector<SignalStatistics> all;
    for (Group& group : groups_) {
      for (std::size_t i = 0; i < group.names.size(); ++i) {
        group.gathered[i].put_into(group.names[i]);
        all.push_back(std::move(group.names[i]));
      }
    }
    return all;
  }

 private:
  struct Group {
    std::vector<std::size_t> columns;
    std::vector<Gathered> gathered;
    std::vector<SignalStatistics> names;
  };
  const std::vector<std::string>& words_;
  const framelog::Progress& progress_;
  Result<void> good_;
  std::array<Group, framelog::part_count> groups_;
};

}  // namespace

Result<std::vector<SignalStatistics>> statistics_of(mcap::ByteSource& log,
                                                    const ExportOptions& options,
                                                    const framelog::Progress& progress) {
  Gatherer gatherer(options.signals, progress);
  const auto scan = framelog::read_log(log, gatherer, options.range);
  if (!scan) return tl::make_unexpected(scan.error());
  return gatherer.finish();
}

}  // namespace hild::convert
