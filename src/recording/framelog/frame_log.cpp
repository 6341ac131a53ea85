// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/frame_log.hpp"

#include <algorithm>
#include <utility>

namespace hild::framelog {
namespace {

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
      selection_(settings, layout),
      gaps_(options_.first_step),
      disk_(writer_, *output_, options_.blocks, compression_of(settings, options_), options_.look,
            options_.tell) {
  status_.file = settings.file;
  newest_.step = options_.first_step;
  newest_.due = newest_.end = options_.start;
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
  const auto write = [this](const io::FrameView& one, bool whole) { this->write(one, whole); };
  status_.dropped += gaps_.came(h);
  newest_ = h;
  write_changes();
  if (trigger_) {
    bool any = false;
    trigger_->frame(record, [&](const io::FrameView& kept) {
      any = true;
      selection_.frame(kept, write);
    });
    // What was let through is not to wait for the next time.
    if (!any) selection_.nothing_follows(write);
  } else {
    selection_.frame(record, write);
  }
  if (block_ == nullptr || block_->empty()) return;
  if (block_->bytes() >= options_.block_bytes || h.end - block_->start >= options_.block_time) {
    hand_over();
  }
}

void FrameLog::keyframe(const exec::KeyframeView& keyframe) {
  if (!settings_.all_frames || trigger_ || !take_block(newest_)) return;
  encoder_.keyframe(keyframe, *block_);
}

void FrameLog::begins_with(const io::FrameHeader& h) {
  newest_ = h;
  gaps_ = StepGaps(h.step);
}

// Whatever the trigger: they are few, and a replay needs them all. Without a block, with a later
// frame.
void FrameLog::write_changes() {
  changes_.take(
      [this] { return take_block(newest_); },
      [this](const NotedChange& e) { encoder_.change(e.text, e.number, newest_.due, *block_); });
}

void FrameLog::write(const io::FrameView& record, bool whole) {
  const io::FrameHeader& h = record.header();
  if (!take_block(h)) {
    gaps_.no_place_for(h);
    ++status_.lost;
    unstored_frames_.add();
  } else {
    for (const Gap& gap : gaps_.before(h)) add_gap(gap, h);
    if (block_->count++ == 0) block_->first = std::min(block_->first, h.step);
    block_->last = h.step;
    encoder_.step(record, selection_.wanted(h, whole), *block_);
  }
  gaps_.done_with(h);
}

bool FrameLog::take_block(const io::FrameHeader& h) {
  if (block_ != nullptr) return true;
  block_ = disk_.queue().take(options_.wait);
  if (block_ == nullptr) return false;
  block_->start = newest_.end;
  block_->first = block_->last = h.step;
  for (const Loss& loss : disk_.health().losses()) {
    add_gap({loss.first, loss.last, Gap::Reason::disk}, h);
  }
  if (const auto gap = gaps_.take_unplaced()) add_gap(*gap, h);
  return true;
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
  selection_.nothing_follows([this](const io::FrameView& one, bool whole) { write(one, whole); });
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
