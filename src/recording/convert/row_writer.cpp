// SPDX-License-Identifier: Apache-2.0
#include "recording/convert/row_writer.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace hild::convert {
namespace {

constexpr std::size_t numbers_at_once = 32768;
// A quiet not-a-number with a payload that no computation makes.
constexpr std::uint64_t nothing = 0x7FF8'0068'696C'6400U;

}  // namespace

double RowWriter::empty() noexcept { return std::bit_cast<double>(nothing); }

RowWriter::RowWriter(TextFile& out, std::size_t columns)
    : out_(out),
      width_(columns + 1),
      filling_(std::max(width_, numbers_at_once / width_ * width_)),
      thread_([this] { write(); }) {}

RowWriter::~RowWriter() { finish(); }

std::span<double> RowWriter::next() {
  if (used_ == filling_.size()) hand_over();
  return std::span(filling_).subspan(std::exchange(used_, used_ + width_), width_);
}

bool RowWriter::good() const {
  const std::lock_guard lock(mutex_);
  return good_;
}

void RowWriter::hand_over() {
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

void RowWriter::finish() {
  if (!thread_.joinable()) return;
  if (used_ > 0) hand_over();
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  moved_.notify_all();
  thread_.join();
}

void RowWriter::write() {
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

void RowWriter::write(const Rows& rows) {
  for (std::size_t at = 0; at < rows.size(); at += width_) {
    for (std::size_t i = 0; i < width_; ++i) {
      if (i > 0) out_.add(",");
      const double value = rows[at + i];
      if (std::bit_cast<std::uint64_t>(value) != nothing) out_.add(value);
    }
    out_.add("\n");
  }
}

}  // namespace hild::convert
