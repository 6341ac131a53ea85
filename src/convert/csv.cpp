// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "convert/export.hpp"
#include "convert/selection.hpp"
#include "convert/text_file.hpp"

namespace hild::convert {
namespace {

using framelog::Row;
using framelog::Topic;

/// Puts the streams together again: what belongs to one tick comes one after the other.
class CsvWriter final : public framelog::LogVisitor {
 public:
  CsvWriter(TextFile& out, const ExportOptions& options, const framelog::Progress& progress)
      : out_(out), options_(options), progress_(progress) {}

  void begin(const framelog::LogHead& head) override {
    auto chosen = choose(head, options_.signals);
    if (!chosen) {
      good_ = tl::make_unexpected(chosen.error());
      return;
    }
    out_.add("time [s]");
    for (Chosen& c : *chosen) {
      for (const auto& [name, unit] : c.names) {
        out_.add(fmt::format(",{}.{} [{}]", kind_of(c.topic), name, unit));
      }
      group_of_[static_cast<std::size_t>(c.topic)] = static_cast<int>(groups_.size());
      const std::size_t n = c.columns.size();
      groups_.push_back({std::move(c.columns), std::vector<double>(n), false});
    }
    out_.add("\n");
  }

  [[nodiscard]] bool wants(Topic topic) const override {
    return topic != Topic::frame && topic != Topic::gap && topic != Topic::change;
  }

  void row(Topic topic, const Row& row) override {
    const int g = group_of_[static_cast<std::size_t>(topic)];
    if (g < 0) return;
    Group& group = groups_[static_cast<std::size_t>(g)];
    if (open_ && (row.tick != tick_ || group.filled)) close_row();
    open_ = true;
    tick_ = row.tick;
    t_ = row.t;
    group.filled = true;
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      group.values[i] = row.values[group.columns[i]];
    }
  }

  bool go_on(double part) override {
    return good_ && out_.good() && (!progress_ || progress_(part));
  }

  Result<std::int64_t> finish() {
    if (open_) close_row();
    if (!good_) return tl::make_unexpected(good_.error());
    return rows_;
  }

 private:
  struct Group {
    std::vector<std::size_t> columns;
    std::vector<double> values;
    bool filled;
  };

  void close_row() {
    out_.add(t_);
    for (Group& group : groups_) {
      for (const double value : group.values) {
        out_.add(",");
        if (group.filled) out_.add(value);
      }
      group.filled = false;
    }
    out_.add("\n");
    open_ = false;
    ++rows_;
  }

  TextFile& out_;
  const ExportOptions& options_;
  const framelog::Progress& progress_;
  Result<void> good_;
  std::vector<Group> groups_;
  std::array<int, framelog::topic_count> group_of_{-1, -1, -1, -1, -1, -1, -1};
  bool open_ = false;
  std::int64_t tick_ = 0;
  double t_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace

Result<Exported> export_csv(mcap::Source& log, const std::string& file,
                            const ExportOptions& options, const framelog::Progress& progress) {
  auto out = TextFile::create(file);
  if (!out) return tl::make_unexpected(out.error());
  CsvWriter writer(*out, options, progress);
  auto scan = framelog::read_log(log, writer, options.range);
  if (!scan) return tl::make_unexpected(scan.error());
  const auto rows = writer.finish();
  if (!rows) return tl::make_unexpected(rows.error());
  if (auto closed = out->close(); !closed) return tl::make_unexpected(closed.error());
  return Exported{*rows, std::move(*scan)};
}

}  // namespace hild::convert
