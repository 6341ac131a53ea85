// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/roll.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <utility>

#include "recording/framelog/changes.hpp"
#include "recording/framelog/file_series.hpp"

namespace hild::framelog {
namespace {

constexpr std::int64_t everything = std::numeric_limits<std::int64_t>::max();
/// Changes are told of a little after the frame they took effect in.
constexpr std::chrono::milliseconds late_changes{300};

}  // namespace

std::string_view to_string(Roll::State state) noexcept {
  static constexpr std::string_view words[] = {"idle", "beginning", "recording"};
  return words[static_cast<std::size_t>(state)];
}

Roll::Roll(config::Record settings, RollOptions options)
    : settings_(std::move(settings)), options_(std::move(options)) {
  for (std::string& text : options_.before) keep({++changes_.count, std::move(text)});
  changes_.noted = changes_.count;
}

Roll::~Roll() { flush(); }

Result<void> Roll::begin() {
  std::string file = settings_.file;
  if (settings_.rotation.any()) {
    const std::vector<std::int64_t> there = numbers_of(file);
    file = numbered(file, there.empty() ? 1 : there.back() + 1);
  }
  auto log = options_.open(file, false);
  if (!log) return tl::make_unexpected(log.error());
  std::unique_lock lock(mutex_);
  present_.log = std::move(*log);
  present_.file = newest_ = file;
  wishes_.record = true;
  ++files_;
  remove_old(lock);
  return {};
}

// ---- from any thread ---------------------------------------------------------------------------

Result<void> Roll::start() {
  const std::lock_guard lock(mutex_);
  if (wishes_.record) {
    return fail("recorder {} records already{}{}", settings_.name,
                present_.log ? ", into " : ": its file is being made", present_.file);
  }
  if (wishes_.over) return fail("the run is over");
  // A file that is still being made for a wish that was taken back serves this one.
  if (auto asked = ask_for_file(); !asked) return asked;
  wishes_.record = true;
  error_.clear();
  return {};
}

Result<void> Roll::stop() {
  const std::lock_guard lock(mutex_);
  if (!wishes_.record) return fail("recorder {} does not record", settings_.name);
  wishes_.record = false;
  if (next_) give_up(std::move(*std::exchange(next_, std::nullopt)));
  return {};
}

Roll::Status Roll::status() {
  const std::lock_guard lock(mutex_);
  Status s;
  s.state = present_.log ? State::recording : wishes_.record ? State::beginning : State::idle;
  s.file = newest_;
  s.files = files_;
  s.bytes = newest_bytes_;
  s.closing = ended_.size();
  s.error = error_;
  if (closed_) {
    s.lost += closed_->lost;
    if (s.error.empty()) s.error = closed_->error;
  }
  const auto add = [&s](FrameLog& log) {
    s.lost += log.lost();
    if (s.error.empty()) s.error = log.error();
  };
  for (const Ended& one : ended_) {
    add(*one.log);
    if (one.file == newest_) s.bytes = one.log->bytes();
  }
  if (present_.log) {
    add(*present_.log);
    s.bytes = present_.log->bytes();
    s.file = present_.log->file();
    s.blocks = present_.log->blocks();
    s.blocks_max = present_.log->blocks_max();
  }
  return s;
}

void Roll::changed(const exec::Transaction& transaction, const exec::Reply& reply,
                   std::span<const std::string> texts) {
  Told told{{0, write_effect(transaction, reply, texts)}, reply.frame};
  for (const exec::Change& c : transaction.changes()) {
    if (const auto* stimulus = std::get_if<exec::Stimulus>(&c)) {
      told.stimuli.emplace_back(stimulus->input, stimulus->shape == exec::Shape::playback);
    } else if (const auto* quiet = std::get_if<exec::StopStimulus>(&c)) {
      told.stimuli.emplace_back(quiet->input, false);
    }
  }
  const std::lock_guard lock(mutex_);
  told.change.number = ++changes_.count;
  changes_.waiting.push_back(std::move(told));
}

// ---- on the thread that takes the records ------------------------------------------------------

void Roll::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  {
    std::unique_lock lock(mutex_);
    // Of this step, where a file may begin with it: then it is for the keyframe to say which are of
    // that file.
    note_changes(next_ ? h.frame - 1 : h.frame, 0);
    if (!wishes_.record && present_.log) leave(everything);
    if (wishes_.record) look_for_next(h, lock);
    if (!present_.log) return;
  }
  present_.log->frame(record);
}

void Roll::keyframe(const exec::KeyframeView& keyframe) {
  {
    std::unique_lock lock(mutex_);
    // A run that is not in real time may be far ahead: what it is asked for now comes late.
    io::FrameHeader at;
    at.due = keyframe.head.tick;
    if (options_.wait && wishes_.record && present_.log && !next_ && !wishes_.file &&
        needs_keyframe() && is_over(at) && ask_for_file()) {
      moved_.wait(lock, [this] { return !wishes_.file; });
    }
    if (next_ && needs_keyframe()) {
      next_->keyframe.emplace(keyframe);
      return;
    }
  }
  if (present_.log) present_.log->keyframe(keyframe);
}

bool Roll::needs_keyframe() const noexcept {
  return settings_.keyframes && options_.ask_keyframe != nullptr;
}

bool Roll::is_over(const io::FrameHeader& h) const {
  const config::Rotation& rotation = settings_.rotation;
  if (rotation.bytes > 0 && present_.log->bytes() >= rotation.bytes) return true;
  return rotation.time > Duration{} && h.due - present_.since >= rotation.time;
}

void Roll::look_for_next(const io::FrameHeader& h, std::unique_lock<std::mutex>& lock) {
  if (present_.log && present_.since == MonoTime{}) present_.since = h.due;
  if (std::exchange(wishes_.failed, false)) present_.retry = h.due + options_.again;
  if (!next_ && !wishes_.file && present_.log && is_over(h) &&
      (!present_.retry || h.due >= *present_.retry)) {
    if (const auto asked = ask_for_file(); !asked) present_.retry = h.due + options_.again;
  }
  if (options_.wait) moved_.wait(lock, [this] { return !wishes_.file; });
  if (!next_) return;
  if (!next_->since) next_->since = h.due;
  const bool whole = next_->keyframe && next_->keyframe->head.step == h.step;
  if (whole || !needs_keyframe() || h.due - *next_->since > options_.patience) {
    return go_on_in_next(h);
  }
  // That of a step that was dropped, or of the time before the file was there.
  if (std::exchange(next_->keyframe, std::nullopt)) options_.ask_keyframe();
}

void Roll::go_on_in_next(const io::FrameHeader& h) {
  Next next = std::move(*std::exchange(next_, std::nullopt));
  const bool whole = next.keyframe && next.keyframe->head.step == h.step;
  const std::int64_t changes = whole ? next.keyframe->head.transactions : changes_.count;
  note_changes(-1, changes);
  leave(changes);
  present_ = {std::move(next.log), next.file, h.due, changes};
  newest_ = next.file;
  ++files_;
  FrameLog& log = *present_.log;
  log.begins_with(h);
  present_.all = changes_.room > 0;
  const auto known = static_cast<std::int64_t>(changes_.first.size());
  for (std::int64_t i = 0; present_.all && i < std::min(changes, known); ++i) {
    log.changed({i + 1, changes_.first[static_cast<std::size_t>(i)]});
  }
  if (whole) {
    // What a playback plays is in no keyframe.
    for (const auto& [input, change] : changes_.tables) {
      if (!present_.all) log.changed(change);
    }
    log.keyframe(next.keyframe->view());
  } else if (needs_keyframe()) {
    options_.tell(fmt::format(
        "recording: {} begins without a keyframe, so that it can be read and not replayed: none "
        "fitted into the slack for {:.3g} s",
        next.file, seconds(options_.patience)));
  }
  note_changes(h.frame, 0);
}

// Changes from outside up to the number `changes` may still be told of: they are of that file.
void Roll::leave(std::int64_t changes) {
  if (!present_.log) return;
  ended_.push_back({std::move(present_.log), present_.file, changes, false});
  present_ = {};
  moved_.notify_all();
}

// Those that took effect up to this frame, or up to this number.
void Roll::note_changes(std::int64_t frame, std::int64_t number) {
  std::deque<Told>& waiting = changes_.waiting;
  while (!waiting.empty() &&
         (waiting.front().frame <= frame || waiting.front().change.number <= number)) {
    note(waiting.front());
    waiting.pop_front();
  }
}

void Roll::keep(const NotedChange& change) {
  const auto kept = static_cast<std::int64_t>(changes_.first.size());
  if (change.number != kept + 1 || change.text.size() > changes_.room) {
    changes_.room = 0;
    return;
  }
  changes_.room -= change.text.size();
  changes_.first.push_back(change.text);
}

void Roll::note(const Told& told) {
  const NotedChange& change = told.change;
  changes_.noted = change.number;
  keep(change);
  moved_.notify_all();
  bool plays = false;
  for (const auto& [input, playback] : told.stimuli) {
    plays = plays || playback;
    if (playback) {
      changes_.tables[input] = change;
    } else {
      changes_.tables.erase(input);
    }
  }
  const bool earlier = !present_.log || change.number <= present_.changes;
  if (present_.log && (!earlier || plays || present_.all)) present_.log->changed(change);
  if (!earlier) return;
  const auto of =
      std::ranges::find_if(ended_, [&](const Ended& one) { return change.number <= one.changes; });
  if (of != ended_.end()) of->log->changed(change);
}

void Roll::flush() {
  {
    std::unique_lock lock(mutex_);
    if (wishes_.over) return;
    note_changes(everything, everything);
    leave(everything);
    if (next_) give_up(std::move(*std::exchange(next_, std::nullopt)));
    wishes_ = {.over = true};
    moved_.notify_all();
    while (!keeper_ && !ended_.empty()) close_file(lock);
  }
  keeper_.reset();  // joins
}

std::optional<LogStatus> Roll::total() const {
  auto total = closed_;
  if (total) {
    total->file = newest_;
    total->files = files_;
  }
  if (total && total->error.empty()) total->error = error_;
  return total;
}

// ---- files -------------------------------------------------------------------------------------

// The thread is begun when there is something for it to do.
Result<void> Roll::ask_for_file() {
  if (!keeper_) {
    rt::Warnings none;  // nothing is asked for that could be refused
    const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name("hild-files")};
    auto begun = rt::Thread::start(ordinary, none, [this] { keep_files(); });
    if (!begun) return tl::make_unexpected(begun.error());
    keeper_.emplace(std::move(*begun));
  }
  wishes_.file = true;
  moved_.notify_all();
  return {};
}

void Roll::keep_files() {
  std::unique_lock lock(mutex_);
  while (true) {
    moved_.wait(lock, [this] { return wishes_.file || wishes_.over || !ended_.empty(); });
    if (wishes_.file) {
      open_file(lock);
    } else if (!ended_.empty()) {
      // A file that is to be begun is more urgent.
      const auto move_on = [this] {
        return wishes_.file || wishes_.over || changes_.noted >= ended_.front().changes;
      };
      moved_.wait_for(lock, late_changes, move_on);
      if (wishes_.file && !wishes_.over) continue;
      close_file(lock);
    } else {
      return;
    }
  }
}

void Roll::open_file(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const std::vector<std::int64_t> there = numbers_of(settings_.file);
  std::string file = numbered(settings_.file, there.empty() ? 1 : there.back() + 1);
  auto log = options_.open(file, true);
  lock.lock();
  const bool wanted = wishes_.record && !wishes_.over;
  wishes_.file = false;
  if (!log) {
    const std::string& why = log.error().message;
    if (why != error_ && wanted) {
      options_.tell(
          fmt::format("recording: {}; {}", why,
                      present_.log ? "it goes on in the file before" : "the run goes on"));
    }
    error_ = why;
    wishes_.failed = present_.log != nullptr;
    if (!present_.log) wishes_.record = false;
  } else if (Next next{std::move(*log), file}; wanted) {
    next_.emplace(std::move(next));
    if (needs_keyframe()) options_.ask_keyframe();
  } else {
    give_up(std::move(next));
  }
  moved_.notify_all();
  if (next_) remove_old(lock);
}

// Only this thread takes one out, and the deque keeps the others where they are.
void Roll::close_file(std::unique_lock<std::mutex>& lock) {
  Ended& one = ended_.front();
  lock.unlock();
  one.log->flush();
  std::error_code gone;
  if (one.unused && std::filesystem::is_regular_file(one.file, gone)) {
    std::filesystem::remove(one.file, gone);
  }
  lock.lock();
  if (!one.unused) add_up(one.log->status());
  if (one.file == newest_) newest_bytes_ = one.log->status().bytes;
  ended_.pop_front();
  remove_old(lock);
}

void Roll::add_up(const LogStatus& status) {
  if (!closed_) {
    closed_ = status;
    return;
  }
  closed_->frames += status.frames;
  closed_->dropped += status.dropped;
  closed_->lost += status.lost;
  closed_->bytes += status.bytes;
  closed_->uncompressed += status.uncompressed;
  closed_->blocks = std::max(closed_->blocks, status.blocks);
  if (closed_->error.empty()) closed_->error = status.error;
}

// It was made for nothing.
void Roll::give_up(Next next) {
  ended_.push_back({std::move(next.log), std::move(next.file), 0, true});
  moved_.notify_all();
}

void Roll::remove_old(std::unique_lock<std::mutex>& lock) {
  if (settings_.rotation.keep == 0) return;
  std::vector<std::string> open{present_.file};
  for (const Ended& one : ended_) open.push_back(one.file);
  if (next_) open.push_back(next_->file);
  lock.unlock();
  const std::vector<std::string> left =
      remove_oldest(settings_.file, settings_.rotation.keep, open);
  lock.lock();
  if (left.empty() || left.front() == error_) return;
  error_ = left.front();
  options_.tell("recording: " + error_);
}

}  // namespace hild::framelog
