// SPDX-License-Identifier: Apache-2.0
#include "hild/core/csv.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <future>
#include <optional>
#include <span>
#include <utility>

#include "core/text_file.hpp"
#include "recording/convert/export.hpp"
#include "recording/convert/selection.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;
using framelog::Row;

constexpr std::size_t cache_line = 64;

/// Writes rows of numbers as text, on a thread of its own while the next ones are read: finding the
/// shortest digits of a number costs more than everything else in an export.
class RowWriter {
 public:
  /// From here until finish() nobody else may use `out`. A row has `width` numbers.
  RowWriter(TextFile& out, std::size_t width)
      : out_(out), width_(width), filling_(std::max(width, numbers_at_once / width * width)) {}
  ~RowWriter() { finish(); }

  /// The place for the next row. A value that is empty() is left empty in the text.
#ifdef __x86_64__
  [[gnu::target("prfchw")]]  // or gcc fetches to read, and it is waited for once more to write
#endif
  std::span<double>
  next() {
    if (used_ == filling_.size()) hand_over();
    // The other thread's processor has had these places, and the store of a row would wait for it.
    __builtin_prefetch(&filling_[std::min(used_ + fetched_ahead, filling_.size() - 1)], 1);
    return std::span(filling_).subspan(std::exchange(used_, used_ + width_), width_);
  }
  static double empty() noexcept { return std::bit_cast<double>(nothing); }
  /// Whether everything could be written that is no longer under way.
  [[nodiscard]] bool good() const noexcept { return good_; }
  /// Returns when all rows are written to `out`.
  void finish() {
    if (used_ > 0) hand_over();
    wait();
  }

 private:
  static constexpr std::size_t numbers_at_once = 131072;
  static constexpr std::size_t fetched_ahead = 64;  // numbers
  // A quiet not-a-number with a payload that no computation makes.
  static constexpr std::uint64_t nothing = 0x7FF8'0068'696C'6400U;

  void wait() {
    if (!under_way_.valid()) return;
    under_way_.get();
    good_ = out_.good();
  }
  void hand_over() {
    wait();
    std::swap(filling_, writing_);
    filling_.resize(writing_.size());
    // Of this object the task uses nothing: its lines of the cache stay with the thread that fills.
    under_way_ = std::async(std::launch::async, write, std::ref(out_), width_,
                            std::span(writing_).first(std::exchange(used_, 0)));
  }
  static void write(TextFile& out, std::size_t width, std::span<const double> rows) {
    for (std::size_t at = 0; at < rows.size(); at += width) {
      for (std::size_t i = at; i < at + width; ++i) {
        if (i > at) out.add(",");
        if (std::bit_cast<std::uint64_t>(rows[i]) != nothing) out.add(rows[i]);
      }
      out.add("\n");
    }
  }

  TextFile& out_;
  std::size_t width_;
  std::vector<double> filling_;
  std::size_t used_ = 0;
  std::vector<double> writing_;  // the rows under way
  std::future<void> under_way_;
  bool good_ = true;
};

/// Puts the streams together again: what belongs to one tick comes one after the other. It shares
/// no line of the cache with the file beside it, which another thread writes.
class alignas(cache_line) CsvWriter final : public framelog::LogVisitor {
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
      const std::size_t first = std::exchange(columns_, columns_ + c.columns.size());
      groups_[static_cast<std::size_t>(c.part)] = Group{std::move(c.columns), first, false};
    }
    out_.add("\n");
    writer_.emplace(out_, columns_);
  }

  [[nodiscard]] bool wants(LogPart part) const override {
    return writer_ && groups_[static_cast<std::size_t>(part)];
  }

  void row(LogPart part, const Row& row) override {
    auto& group = groups_[static_cast<std::size_t>(part)];
    if (!group) return;
    if (row_.empty() || row.tick != tick_ || group->filled) open_row(row);
    group->filled = true;
    for (std::size_t i = 0; i < group->columns.size(); ++i) {
      row_[group->first + i] = row.values[group->columns[i]];
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
    for (auto& group : groups_) {
      if (group) group->filled = false;
    }
    ++rows_;
  }

  TextFile& out_;
  const ExportOptions& options_;
  const framelog::Progress& progress_;
  Result<void> good_;
  std::array<std::optional<Group>, framelog::part_count> groups_;
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
