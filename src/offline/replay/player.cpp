// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "offline/replay/everything_fits.hpp"

namespace hild::replay {

Player::Player(StepSource& source, std::int64_t first_step)
    : source_(source),
      events_(everything_fits),
      records_(source.layout().bytes(), 4),
      record_((source.layout().bytes() + 7) / 8),
      counts_(source.layout().counted()),
      first_step_(source.begins_at() != nullptr ? source.begins_at()->head.step : first_step),
      next_step_(first_step_) {}

Result<MonoTime> Player::start(const Grid& grid) {
  if (!take())
    return fail("{}", problem_.empty() ? "it holds no frames to be played: a replay needs every "
                                         "one (record.frames: all, no trigger)"
                                       : problem_);
  if (source_.begins_at() != nullptr) return source_.begins_at()->head.tick;
  const io::FrameHeader& h = header();
  // A run that began late gave frames up before its first step.
  return h.due - (grid.tick(h.frame + h.slipped) - grid.tick(first_step_));
}

// The next record into its place; false at the end, or where it cannot be played.
bool Player::take() noexcept {
  const std::byte* const record = source_.next();
  if (record == nullptr) return false;
  std::memcpy(record_.data(), record, source_.layout().bytes());
  const auto& h = io::FrameView(source_.layout(), record).header();
  if (h.step != next_step_) {
    problem_ = steps_ == 0 ? fmt::format(
                                 "the record begins with step {}: a replay needs every step from "
                                 "the first on (no decimation, no trigger)",
                                 h.step)
                           : fmt::format("{} steps before step {} are missing", h.step - next_step_,
                                         h.step);
    return false;
  }
  if (h.images < 0 || static_cast<std::size_t>(h.images) > source_.layout().images()) {
    problem_ = fmt::format("step {} read {} input images, of which {} were recorded", h.step,
                           h.images, source_.layout().images());
    return false;
  }
  return taken_ = true;
}

const io::FrameHeader* Player::next() noexcept {
  compare_last();
  on_step(steps_);
  if (!std::exchange(taken_, false) && !(problem_.empty() && take())) return nullptr;
  taken_ = false;
  const io::FrameHeader& h = header();
  if (const exec::Keyframe* const keyframe = source_.keyframe_before(h.due)) on_keyframe(*keyframe);
  if (!post(h)) return nullptr;
  played_ = true;
  if (steps_ > 0) image_ = 0;  // those before the run are of the first step
  ++steps_;
  next_step_ = h.step + (h.frozen ? 0 : 1);
  return &h;
}

// What took effect at the start of the step, to do so again.
bool Player::post(const io::FrameHeader& h) noexcept {
  const auto changes = branch != nullptr ? branch->before(h) : std::vector<exec::Transaction>{};
  for (std::int64_t left = h.external_events; left > 0;) {
    const exec::Transaction* const accepted = source_.next_accepted();
    if (accepted == nullptr) {
      problem_ = fmt::format("step {}: what took effect at its start was not recorded", h.step);
      return false;
    }
    exec::Transaction t = *accepted;
    t.when = exec::When::at_frame(h.frame);
    if (!submit(t, h)) return false;
    left -= t.count;
  }
  return std::ranges::all_of(changes, [&](const exec::Transaction& t) { return submit(t, h); });
}

bool Player::submit(const exec::Transaction& t, const io::FrameHeader& h) noexcept {
  if (events_.submit(t) != exec::Refusal::none) {
    problem_ = fmt::format("step {}: what took effect at its start cannot do so again", h.step);
    return false;
  }
  if (branch != nullptr) branch->posted(t);
  return true;
}

void Player::take_replies() noexcept {
  while (const auto reply = events_.next_reply()) {
    if (branch == nullptr) continue;
    std::string refused = branch->take(*reply);
    if (problem_.empty()) problem_ = std::move(refused);
  }
}

bool Player::waits() noexcept {
  const io::FrameView was = recorded();
  return image_ < was.images() && was.image_waited(image_);
}

// A branch may read more images than were recorded, as where it has an event of its own: then the
// newest one has not changed.
bool Player::exchange(std::span<const double> /*y*/, std::span<double> u, MonoTime now,
                      std::span<MonoTime> sampled) noexcept {
  std::ranges::fill(sampled, now);
  if (sampled.empty()) return true;  // nothing is read; of a plant without inputs the instants are
  const io::FrameView was = recorded();
  std::size_t image = image_;
  if (image >= was.images()) {
    if (branch == nullptr || was.images() == 0) {
      problem_ = fmt::format("step {} read more input images than were recorded", header().step);
      return false;
    }
    branch->image_repeated();
    image = was.images() - 1;
  } else {
    ++image_;
  }
  std::ranges::copy(was.instants(image), sampled.begin());
  std::ranges::copy(was.image_counts(image), counts_.begin());
  std::ranges::copy(was.image(image), u.begin());
  return true;
}

void Player::compare_last() noexcept {
  take_replies();
  if (!std::exchange(played_, false)) return;
  const std::byte* const made = records_.front();
  if (made == nullptr) return;  // the loop ended within the step, and so did the run
  if (branch != nullptr) branch->made(recorded(), {source_.layout(), made});
  if (header().t >= compare_from) {
    ++compared_;
    compare(recorded(), {source_.layout(), made}, tolerance, on_difference);
  }
  records_.release();
}

}  // namespace hild::replay
