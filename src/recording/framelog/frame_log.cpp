// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/frame_log.hpp"

#include <algorithm>
#include <utility>

#include "recording/framelog/changes.hpp"

namespace hild::framelog {
namespace {

constexpr std::size_t frames_before = 16;  // a notable one are recorded whole
constexpr std::size_t most_drops = 1000;   // remembered while a trigger lets nothing through

Compression compression_of(const config::Record& settings, const LogOptions& options) {
  if (!settings.compress) return Compression::never;
  return options.wait ? Compression::always : Compression::as_there_is_time;
}

}  // namespace

Result<std::unique_ptr<FrameLog>> FrameLog::create(std::unique_ptr<mcap::Output> output,
                                                   const Description& description,
                                                   const io::FrameLayout& layout,
                                                   const config::Record& settings,
                                                   LogOptions options) {
  std::optional<Trigger> trigger;
  if (settings.trigger) {
    auto made = Trigger::make(*settings.trigger, layout);
    if (!made) return tl::make_unexpected(made.error());
    trigger = std::move(*made);
  }
  std::unique_ptr<FrameLog> log(
      new FrameLog(std::move(output), description, layout, settings, std::move(options)));
  log->trigger_ = std::move(trigger);
  if (auto begun = log->begin(description); !begun) return tl::make_unexpected(begun.error());
  return log;
}

FrameLog::FrameLog(std::unique_ptr<mcap::Output> output, const Description& description,
                   const io::FrameLayout& layout, const config::Record& settings,
                   LogOptions options)
    : settings_(settings),
      options_(std::move(options)),
      output_(std::move(output)),
      writer_(*output_),
      encoder_(description, layout, settings),
      around_(settings.all_frames ? 0 : frames_before, layout),
      disk_(writer_, *output_, options_.blocks, compression_of(settings, options_), options_.look,
            options_.tell) {
  status_.file = settings.file;
  next_seen_ = next_kept_ = options_.first_step;
}

FrameLog::~FrameLog() { disk_.stop(); }

// What the run is, before its first frame: a log that is cut off still says it.
Result<void> FrameLog::begin(const Description& description) {
  if (auto done = writer_.begin({.profile = "", .library = description.program}); !done)
    return done;
  for (const mcap::Metadata& m : metadata_of(description)) {
    if (auto done = writer_.write(m); !done) return done;
  }
  for (const mcap::Attachment& a : attachments_of(description)) {
    if (auto done = writer_.write(a); !done) return done;
  }
  if (auto done = output_->sync(); !done) return done;
  encoder_.declare(writer_);
  return disk_.start();
}

std::string FrameLog::file() {
  std::string moved = disk_.health().moved_to();
  return moved.empty() ? settings_.file : moved;
}

void FrameLog::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  note_dropped(h);
  newest_ = h;
  write_changes();
  if (trigger_) {
    bool any = false;
    trigger_->frame(record, [&](const io::FrameView& kept) {
      any = true;
      keep(kept);
    });
    // What was let through is not to wait for the next time.
    if (!any) around_.release([this](const io::FrameView& last) { write(last, false); });
  } else {
    keep(record);
  }
  if (block_ == nullptr || block_->empty()) return;
  if (block_->bytes() >= options_.block_bytes || h.end - block_start_ >= options_.block_time) {
    hand_over();
  }
}

void FrameLog::keyframe(const exec::KeyframeView& keyframe) {
  if (!settings_.all_frames || trigger_ || !take_block(newest_)) return;
  encoder_.keyframe(keyframe, *block_);
}

void FrameLog::changed(const exec::Transaction& transaction, const exec::Reply& reply) {
  std::string effect = write_effect(transaction, reply);
  const std::lock_guard lock(changes_mutex_);
  changes_.push_back(std::move(effect));
}

// Whatever the trigger: they are few, and a replay needs them all.
void FrameLog::write_changes() {
  const std::lock_guard lock(changes_mutex_);
  if (changes_.empty()) return;
  if (!take_block(newest_)) return;  // with a later frame
  for (const std::string& effect : changes_) encoder_.change(effect, newest_.due, *block_);
  changes_.clear();
}

// Steps are counted without gaps; held frames belong to the step that waits.
void FrameLog::note_dropped(const io::FrameHeader& h) {
  if (h.step > next_seen_) {
    if (drops_.size() == most_drops) drops_.erase(drops_.begin());  // far behind what is kept
    drops_.push_back({next_seen_, h.step - 1, Gap::Reason::ring});
    status_.dropped += h.step - next_seen_;
  }
  next_seen_ = h.frozen ? h.step : h.step + 1;
}

// Around what is notable the frames before are wanted whole as well: what led up to it.
void FrameLog::keep(const io::FrameView& record) {
  if (settings_.all_frames) {
    write(record, true);
  } else if (notable(record.header())) {
    around_.release([this](const io::FrameView& before) { write(before, true); });
    write(record, true);
  } else {
    around_.remember(record, [this](const io::FrameView& oldest) { write(oldest, false); });
  }
}

bool FrameLog::notable(const io::FrameHeader& h) {
  const bool held_anew = h.frozen && !was_frozen_;
  was_frozen_ = h.frozen;
  return record::is_overrun(h) || h.late_wake || h.early || h.state_events > 0 ||
         h.external_events > 0 || h.mark != 0 || h.span > 1 || h.slipped > 0 || held_anew;
}

void FrameLog::write(const io::FrameView& record, bool whole) {
  const io::FrameHeader& h = record.header();
  if (!take_block(h)) {
    if (!unstored_) unstored_ = Gap{h.step, h.step, Gap::Reason::disk};
    unstored_->last = h.step;
    ++status_.lost;
    unstored_frames_.add();
  } else {
    tell_gaps(h);
    if (block_->count++ == 0) block_->first = std::min(block_->first, h.step);
    block_->last = h.step;
    encoder_.step(record, wanted(h, whole), *block_);
  }
  next_kept_ = h.frozen ? h.step : h.step + 1;
}

// What belongs to one tick is of two steps: the results of the one, the inputs of the other.
Wanted FrameLog::wanted(const io::FrameHeader& h, bool whole) {
  held_ = h.frozen ? held_ + 1 : 0;
  const std::int64_t n = h.frozen ? held_ - 1 : h.step;
  return {.whole = whole,
          .inputs = n % settings_.decimate == 0,
          .results = (h.frozen ? n : n + 1) % settings_.decimate == 0};
}

bool FrameLog::take_block(const io::FrameHeader& h) {
  if (block_ != nullptr) return true;
  block_ = disk_.queue().take(options_.wait);
  if (block_ == nullptr) return false;
  block_start_ = newest_.end;
  block_->first = block_->last = h.step;
  for (const Loss& loss : disk_.health().losses()) {
    add_gap({loss.first, loss.last, Gap::Reason::disk}, h);
  }
  if (unstored_) add_gap(*std::exchange(unstored_, std::nullopt), h);
  return true;
}

// What is missing between the last frame kept and this one.
void FrameLog::tell_gaps(const io::FrameHeader& h) {
  std::int64_t next = next_kept_;
  std::size_t told = 0;
  for (; told < drops_.size() && drops_[told].last < h.step; ++told) {
    const Gap& drop = drops_[told];
    if (drop.first > next) add_gap({next, drop.first - 1, Gap::Reason::trigger}, h);
    if (drop.first >= next) add_gap(drop, h);
    next = std::max(next, drop.last + 1);
  }
  drops_.erase(drops_.begin(), drops_.begin() + static_cast<std::ptrdiff_t>(told));
  if (next < h.step) add_gap({next, h.step - 1, Gap::Reason::trigger}, h);
}

void FrameLog::add_gap(const Gap& gap, const io::FrameHeader& h) {
  block_->first = std::min(block_->first, gap.first);
  encoder_.gap(gap, h.due, *block_);
}

void FrameLog::hand_over() {
  status_.frames += block_->count;
  disk_.queue().submit(std::exchange(block_, nullptr));
}

void FrameLog::flush() {
  if (std::exchange(flushed_, true)) return;
  options_.wait = true;  // nothing is in a hurry any more
  write_changes();
  around_.release([this](const io::FrameView& last) { write(last, false); });
  if (block_ != nullptr && !block_->empty()) hand_over();
  disk_.stop();
  status_.file = file();
  status_.blocks = disk_.queue().blocks();
  status_.blocks_max = options_.blocks;
  status_.uncompressed = disk_.hurried();
  const std::int64_t failed = disk_.health().lost();
  status_.frames -= failed;
  status_.lost += failed;
  status_.error = disk_.health().error();
  if (status_.error.empty() && status_.lost > 0) {
    status_.error = fmt::format("{}: the disk was too slow", status_.file);
  }
  if (status_.lost > 0) {
    status_.error += fmt::format("; {} of {} frames are not in the file", status_.lost,
                                 status_.lost + status_.frames);
  }
  if (const std::int64_t unsure = disk_.health().unsure(); unsure > 0) {
    status_.error += fmt::format("; {} frames were written, but may not be on the disk", unsure);
  }
  status_.bytes = writer_.bytes();
  if (disk_.health().is_ruined()) return;
  if (const auto done = finish(); !done) {
    if (status_.error.empty()) status_.error = done.error().message;
    status_.error += fmt::format("; it was not closed: `hild log {} --recover NEW` makes it whole",
                                 status_.file);
  }
  status_.bytes = writer_.bytes();
}

Result<void> FrameLog::finish() {
  const mcap::Metadata totals{std::string(meta_totals),
                              {{"frames", std::to_string(status_.frames)},
                               {"dropped", std::to_string(status_.dropped)},
                               {"lost", std::to_string(status_.lost)}}};
  if (auto done = writer_.write(totals); !done) return done;
  if (auto done = writer_.finish(); !done) return done;
  return output_->sync();
}

}  // namespace hild::framelog
