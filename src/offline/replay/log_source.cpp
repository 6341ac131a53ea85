// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/log_source.hpp"

#include <cstring>

namespace hild::replay {

/// The first reading: what took effect.
class LogSource::Effects final : public framelog::LogVisitor {
 public:
  explicit Effects(LogSource& source) : source_(source) {}

  void begin(const framelog::LogHead& head) override { source_.head_ = head; }
  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::change;
  }
  void change(framelog::Effect& effect) override { source_.effects_.push_back(std::move(effect)); }

 private:
  LogSource& source_;
};

/// The second: the frames.
class LogSource::Frames final : public framelog::LogVisitor {
 public:
  explicit Frames(LogSource& source) : source_(source) {}

  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::frame;
  }
  void frame(const io::FrameView& record) override { going_ = source_.put(record, progress_); }
  bool go_on(double part) override {
    progress_ = part;
    return going_;
  }

 private:
  LogSource& source_;
  double progress_ = 0;
  bool going_ = true;
};

Result<std::unique_ptr<LogSource>> LogSource::open(const std::string& file) {
  auto opened = mcap::FileSource::open(file);
  if (!opened) return tl::make_unexpected(opened.error());
  std::unique_ptr<LogSource> source(new LogSource(std::move(*opened)));
  Effects effects(*source);
  const auto scan = framelog::read_log(source->file_, effects);
  if (!scan) return fail("{}: {}", file, scan.error().message);
  if (const int semantics = source->head_.semantics; semantics != framelog::semantics_version) {
    return fail(
        "{}: what {} made of its inputs has number {} (`semantics`), what this program would make "
        "of them has number {}: other bits; replay it with that version",
        file, source->head_.description.program, semantics, framelog::semantics_version);
  }
  if (source->head_.frame_layout.bytes() <= sizeof(io::FrameHeader)) {
    return fail("{}: it holds no whole frames, which a replay needs", file);
  }
  LogSource* const self = source.get();
  source->reader_ = std::thread([self] { self->read_frames(); });
  return source;
}

LogSource::~LogSource() { give_up(); }

void LogSource::give_up() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  moved_.notify_all();
  if (reader_.joinable()) reader_.join();
}

void LogSource::read_frames() {
  Frames frames(*this);
  const auto scan = framelog::read_log(file_, frames);
  const std::lock_guard lock(mutex_);
  if (!scan) {
    problem_ = scan.error().message;
  } else if (scan->file.damage_count > 0 || scan->bad_messages > 0) {
    problem_ = "the log is damaged: `hild log` tells where";
  }
  progress_ = 1;
  all_read_ = true;
  moved_.notify_all();
}

// False when nobody wants any more.
bool LogSource::put(const io::FrameView& record, double progress) {
  Record copy((layout().bytes() + 7) / 8);
  std::memcpy(copy.data(), &record.header(), layout().bytes());
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [this] { return given_up_ || records_.size() < most_ahead; });
  if (given_up_) return false;
  progress_ = progress;
  records_.push_back(std::move(copy));
  if (records_.size() == 1) moved_.notify_all();
  return true;
}

const std::byte* LogSource::next() noexcept {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [this] { return all_read_ || !records_.empty(); });
  if (records_.empty()) return nullptr;
  taken_ = std::move(records_.front());
  records_.pop_front();
  if (records_.size() == most_ahead / 2) moved_.notify_all();
  return reinterpret_cast<const std::byte*>(taken_.data());
}

const exec::Transaction* LogSource::next_accepted() noexcept {
  return next_effect_ < effects_.size() ? &effects_[next_effect_++].transaction : nullptr;
}

double LogSource::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::string LogSource::problem() {
  give_up();
  return problem_;
}

}  // namespace hild::replay
