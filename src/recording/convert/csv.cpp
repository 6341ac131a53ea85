// SPDX-License-Identifier: Apache-2.0
#include "hild/core/csv.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "core/text_file.hpp"
#include "recording/convert/export.hpp"
#include "recording/convert/selection.hpp"

namespace hild::convert {
namespace {

using framelog::LogPart;
using framelog::Row;

/// Writes rows of numbers as text, on a thread of its own while the next ones are read: finding the
/// shortest digits of a number costs more than everything else in an export.
class RowWriter {
 public:
  /// From here until finish() nobody else may use `out`. A row has `width` numbers.
  RowWriter(TextFile& out, std::size_t width)
      : out_(out),
        width_(width),
        filling_(std::max(width_, numbers_at_once / width_ * width_)),
        thread_([this] { write(); }) {}
  ~RowWriter() { finish(); }

  /// The place for the next row. A value that is empty() is left empty in the text.
  std::span<double> next() {
    if (used_ == filling_.size()) hand_over();
    return std::span(filling_).subspan(std::exchange(used_, used_ + width_), width_);
  }
  static double empty() noexcept { return std::bit_cast<double>(nothing); }
  /// Whether everything could be written so far.
  bool good() const {
    const std::lock_guard lock(mutex_);
    return good_;
  }
  /// Returns when all rows are written to `out`.
  void finish() {
    if (!thread_.joinable()) return;
    if (used_ > 0) hand_over();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    moved_.notify_all();
    thread_.join();
  }

 private:
  using Rows = std::vector<double>;
  static constexpr std::size_t most_waiting = 4;
  static constexpr std::size_t numbers_at_once = 32768;
  // A quiet not-a-number with a payload that no computation makes.
  static constexpr std::uint64_t nothing = 0x7FF8'0068'696C'6400U;

  void hand_over() {
    const std::size_t size = filling_.size();
    filling_.resize(std::exchange(used_, 0));
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [this] { return waiting_.size() < most_waiting; });
    waiting_.push_back(std::move(filling_));
    filling_ = {};
    if (!spare_.empty()) {
      filling_ = std::move(spare_.back());
      spare_.pop_back();
    }
    filling_.resize(size);
    moved_.notify_all();
  }

  void write() {
    std::unique_lock lock(mutex_);
    while (true) {
      moved_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      Rows rows = std::move(waiting_.front());
      waiting_.erase(waiting_.begin());
      moved_.notify_all();
      lock.unlock();
      write(rows);
      lock.lock();
      good_ = out_.good();
      spare_.push_back(std::move(rows));
    }
  }

  void write(const Rows& rows) {
    for (std::size_t at = 0; at < rows.size(); at += width_) {
      for (std::size_t i = 0; i < width_; ++i) {
        if (i > 0) out_.add(",");
        const double value = rows[at + i];
        if (std::bit_cast<std::uint64_t>(value) != nothing) out_.add(value);
      }
      out_.add("\n");
    }
  }

  TextFile& out_;
  std::size_t width_;
  Rows filling_;
  std::size_t used_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable moved_;
  std::vector<Rows> waiting_;  // the oldest first
  std::vector<Rows> spare_;
  bool good_ = true;
  bool ended_ = false;
  std::thread thread_;
};

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
