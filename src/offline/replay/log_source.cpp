// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/log_source.hpp"

#include <cstring>

namespace hild::replay {

/// The frames, and the keyframes between them.
class LogSource::Frames final : public framelog::LogVisitor {
 public:
  explicit Frames(LogSource& source) : source_(source) {}

  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::frame || part == framelog::LogPart::keyframe;
  }
  void frame(const io::FrameView& record) override { going_ = source_.put(record, progress_); }
  void keyframe(exec::Keyframe& keyframe) override { source_.put(keyframe); }
  bool go_on(double part) override {
    progress_ = part;
    return going_;
  }

 private:
  LogSource& source_;
  double progress_ = 0;
  bool going_ = true;
};

Result<std::unique_ptr<LogSource>> LogSource::open(const std::string& file, const LogRange& range) {
  auto opened = mcap::FileSource::open(file);
  if (!opened) return tl::make_unexpected(opened.error());
  auto counted = std::make_unique<CountedSource>(std::move(*opened));
  auto index = framelog::LogIndex::of(*counted);
  if (!index) return fail("{}: {}", file, index.error().message);
  std::unique_ptr<LogSource> source(new LogSource(std::move(counted), std::move(*index)));
  const framelog::LogHead& head = source->head();
  if (head.semantics != framelog::semantics_version) {
    return fail(
        "{}: what {} made of its inputs has number {} (`semantics`), what this program would make "
        "of them has number {}: other bits; replay it with that version",
        file, head.description.program, head.semantics, framelog::semantics_version);
  }
  if (head.frame_layout.bytes() <= sizeof(io::FrameHeader)) {
    return fail("{}: it holds no whole frames, which a replay needs", file);
  }
  if (auto begun = source->begin(range); !begun) {
    return fail("{}: {}", file, begun.error().message);
  }
  return source;
}

Result<void> LogSource::begin(const LogRange& range) {
  to_ = range.to;
  std::uint64_t log_time = 0;
  if (range.from) {
    auto keyframe = index_.keyframe_before(*file_, *range.from);
    if (!keyframe) return tl::make_unexpected(keyframe.error());
    first_ = std::move(keyframe->last);
    passed_over_ = keyframe->passed_over;
  }
  if (!first_ && mid_run()) {
    auto keyframe = index_.first_keyframe(*file_);
    if (!keyframe) return tl::make_unexpected(keyframe.error());
    if (!*keyframe) {
      return fail(
          "it begins in mid-run, and without a keyframe, so that it cannot be replayed: the run "
          "made none (record.keyframes, or what `hild check` says of them)");
    }
    first_ = std::move(*keyframe);
  }
  const auto& branch = head().description.branch;
  if (!first_ && branch && branch->cut()) {
    auto keyframe = index_.first_keyframe(*file_);
    if (!keyframe) return tl::make_unexpected(keyframe.error());
    if (!*keyframe || (*keyframe)->head.step != branch->begins_at) {
      return fail(
          "the keyframe of frame {} is damaged, with which this branch begins; branch off {} again",
          branch->frame, branch->file);
    }
    first_ = std::move(*keyframe);
  }
  if (first_) {
    log_time = head().description.clock.log_time(first_->head.tick);
    auto begun = effects_.begin_after(first_->head.transactions, first_->head.tick);
    if (!begun) return begun;
  }
  chunks_ = index_.chunks({framelog::Topic::step, framelog::Topic::keyframe}, log_time);
  reader_ = std::thread([this] { read_frames(); });
  return {};
}

LogSource::~LogSource() { give_up(); }

void LogSource::give_up() {
  {
    const std::lock_guard lock(ahead_.mutex);
    ahead_.given_up = true;
  }
  ahead_.moved.notify_all();
  if (reader_.joinable()) reader_.join();
}

void LogSource::read_frames() {
  Frames frames(*this);
  const auto scan = framelog::read_log(*file_, frames, {.chunks = &chunks_});
  const std::lock_guard lock(ahead_.mutex);
  if (!scan) {
    ahead_.problem = scan.error().message;
  } else if (index_.damaged() || scan->file.damage_count > 0 || scan->bad_messages > 0) {
    ahead_.problem = "the log is damaged: `hild log` tells where";
  }
  ahead_.progress = 1;
  ahead_.all_read = true;
  ahead_.moved.notify_all();
}

// False when nobody wants any more.
bool LogSource::put(const io::FrameView& record, double progress) {
  const io::FrameHeader& h = record.header();
  if (first_ && h.due < first_->head.tick) return true;
  if (to_ && h.t > *to_) return false;
  Record copy((layout().bytes() + 7) / 8);
  std::memcpy(copy.data(), &record.header(), layout().bytes());
  std::unique_lock lock(ahead_.mutex);
  ahead_.moved.wait(lock, [this] { return ahead_.given_up || ahead_.records.size() < most_ahead; });
  if (ahead_.given_up) return false;
  ahead_.progress = progress;
  ahead_.records.push_back(std::move(copy));
  if (ahead_.records.size() == 1) ahead_.moved.notify_all();
  return true;
}

void LogSource::put(exec::Keyframe& keyframe) {
  if (first_ && keyframe.head.tick <= first_->head.tick) return;
  const std::lock_guard lock(ahead_.mutex);
  ahead_.keyframes.push_back(std::move(keyframe));
}

// It was read before the record it belongs to was.
const exec::Keyframe* LogSource::keyframe_before(MonoTime due) noexcept {
  const std::lock_guard lock(ahead_.mutex);
  bool any = false;
  while (!ahead_.keyframes.empty() && ahead_.keyframes.front().head.tick <= due) {
    asked_for_ = std::move(ahead_.keyframes.front());
    ahead_.keyframes.pop_front();
    any = true;
  }
  return any ? &asked_for_ : nullptr;
}

const std::byte* LogSource::next() noexcept {
  std::unique_lock lock(ahead_.mutex);
  ahead_.moved.wait(lock, [this] { return ahead_.all_read || !ahead_.records.empty(); });
  if (ahead_.records.empty()) return nullptr;
  taken_ = std::move(ahead_.records.front());
  ahead_.records.pop_front();
  if (ahead_.records.size() == most_ahead / 2) ahead_.moved.notify_all();
  const auto* const record = reinterpret_cast<const std::byte*>(taken_.data());
  last_time_ = io::FrameView(layout(), record).header().t;
  return record;
}

double LogSource::progress() const {
  const std::lock_guard lock(ahead_.mutex);
  return ahead_.progress;
}

std::string LogSource::problem() {
  give_up();
  return ahead_.problem.empty() ? effects_.problem() : ahead_.problem;
}

}  // namespace hild::replay
