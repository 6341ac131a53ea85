// SPDX-License-Identifier: Apache-2.0
#include "io/output_lines.hpp"

#include <algorithm>
#include <cmath>

namespace hild::io {

void OutputLines::add(std::size_t device, const OutputLine& line) {
  stages_[device].add(line);
  slewed_ = slewed_ || std::isfinite(line.slew);
}

void OutputLines::arm(Duration over) noexcept {
  arm_over_ns_.set(over.ns);
  arm_.set(1);
}

void OutputLines::start_disarmed() noexcept {
  disarm();
  armed_.set(0);
  at_once_ = false;
}

bool OutputLines::settled() const noexcept {
  return std::ranges::none_of(stages_, [](const OutputStage& s) { return s.moving(); });
}

bool OutputLines::drives() const noexcept {
  return std::ranges::any_of(stages_, [](const OutputStage& s) { return !s.empty(); });
}

bool OutputLines::move(std::span<const double> y, MonoTime now) noexcept {
  if (y.empty()) {
    // Told also while the safe actions hold for another reason, as in a plant that is held safe.
    if (!following_ && arm_.get() == 0) {
      armed_.set(0);
      at_once_ = false;
    }
    if (following_ || settled()) return false;
    relax(now);
  } else if (arm_.get() != 0) {
    follow(y, now);
  } else {
    armed_.set(0);
    at_once_ = false;
    relax(now);
  }
  return true;
}

void OutputLines::begin_way(bool following, MonoTime now) noexcept {
  following_ = following;
  at_once_ = false;
  way_began_ = now;
  for (OutputStage& stage : stages_) stage.begin();
}

void OutputLines::follow(std::span<const double> y, MonoTime now) noexcept {
  if (!at_once_) return follow_softly(y, now);
  moved_ = now;
  for (OutputStage& stage : stages_) {
    if (!stage.follows(y)) [[unlikely]]
      return follow_cut(y);
  }
}

// The same where a line cannot carry what is wanted.
void OutputLines::follow_cut(std::span<const double> y) noexcept {
  for (OutputStage& stage : stages_) {
    if (const auto cut = stage.follow(y); cut != 0) cut_values_.add(cut);
  }
}

// From the safe actions, on the way there, or with slew limits.
void OutputLines::follow_softly(std::span<const double> y, MonoTime now) noexcept {
  if (!following_ || !armed()) {
    begin_way(true, now);
    way_over_ = armed() ? Duration{} : Duration{arm_over_ns_.get()};
    armed_.set(1);
  }
  const Duration gone = now - way_began_;
  double share = 1;
  if (gone < way_over_) {
    share = seconds(gone) / seconds(way_over_);
  } else {
    way_over_ = {};
  }
  const Duration since = moved_once_ ? now - moved_ : Duration{};
  for (OutputStage& stage : stages_) {
    if (stage.empty()) continue;
    if (const auto cut = stage.follow(y, share, since); cut != 0) cut_values_.add(cut);
  }
  moved_ = now;
  moved_once_ = true;
  at_once_ = way_over_.ns == 0 && !slewed_;
}

void OutputLines::relax(MonoTime now) noexcept {
  if (following_) begin_way(false, now);
  for (OutputStage& stage : stages_) stage.relax(now - way_began_);
  moved_ = now;
  moved_once_ = true;
}

}  // namespace hild::io
