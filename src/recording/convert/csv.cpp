// SPDX-License-Identifier: Apache-2.0
#include "hild/core/csv.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/text_file.hpp"
#include "recording/convert/export.hpp"
#include "recording/convert/row_writer.hpp"
#include "recording/convert/selection.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;
using framelog::Row;

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
        out_.add(",");
        out_.add(csv_field(fmt::format("{}.{} [{}]", kind_of(c.part), name, unit)));
      }
      group_of_[static_cast<std::size_t>(c.part)] = static_cast<int>(groups_.size());
      const std::size_t n = c.columns.size();
      groups_.push_back({std::move(c.columns), columns_, false});
      columns_ += n;
    }
    out_.add("\n");
    writer_.emplace(out_, columns_ - 1);
  }

  [[nodiscard]] bool wants(LogPart part) const override {
    return writer_ && group_of_[static_cast<std::size_t>(part)] >= 0;
  }

  void row(LogPart part, const Row& row) override {
    const int g = group_of_[static_cast<std::size_t>(part)];
    if (g < 0) return;
    Group& group = groups_[static_cast<std::size_t>(g)];
    if (row_.empty() || row.tick != tick_ || group.filled) open_row(row);
    group.filled = true;
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      row_[group.first + i] = row.values[group.columns[i]];
    }
  }

  bool go_on(double part) override {
    return good_ && (!writer_ || writer_->good()) && (!progress_ || progress_(part));
  }

  Result<std::int64_t> finish() {
    if (writer_) writer_->finish();
    if (!good_) return tl::make_unexpected(good_.error());
    return rows_;
  }

 private:
  struct Group {
    std::vector<std::size_t> columns;
    std::size_t first;  ///< place in a row
    bool filled;        ///< in this row
  };

  void open_row(const Row& row) {
    row_ = writer_->next();
    std::ranges::fill(row_, RowWriter::empty());
    row_[0] = row.t;
    tick_ = row.tick;
    for (Group& group : groups_) group.filled = false;
    ++rows_;
  }

  TextFile& out_;
  const ExportOptions& options_;
  const framelog::Progress& progress_;
  Result<void> good_;
  std::vector<Group> groups_;
  std::array<int, framelog::part_count> group_of_ = [] {
    std::array<int, framelog::part_count> none{};
    none.fill(-1);
    return none;
  }();
  std::size_t columns_ = 1;          ///< of a row: the time, then the signals
  std::optional<RowWriter> writer_;  ///< once it is known what is wanted
  std::span<double> row_;            ///< being filled
  std::int64_t tick_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace

Result<Exported> export_csv(mcap::ByteSource& log, const std::string& file,
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
