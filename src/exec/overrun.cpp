// SPDX-License-Identifier: Apache-2.0
#include "exec/overrun.hpp"

#include <algorithm>

namespace hild::exec {

StepPlan catch_up(const OverrunSettings& settings, Timeline& timeline, std::int64_t n,
                  MonoTime now) noexcept {
  StepPlan plan;
  switch (settings.policy) {
    case OverrunPolicy::double_step:
      plan.slipped = timeline.move_past(n + settings.max_debt, now);
      plan.span = now < timeline.tick(n + 1) ? 1 : 2;
      break;
    case OverrunPolicy::slip:
      plan.slipped = timeline.move_past(n, now);
      break;
    case OverrunPolicy::stop:
      break;
  }
  return plan;
}

OverrunLimits::OverrunLimits(const OverrunSettings& settings)
    : settings_(settings),
      window_(static_cast<std::size_t>(settings.window), 0),
      grace_(settings.startup_grace) {}

void OverrunLimits::count(bool missed) noexcept {
  in_a_row_ = missed ? in_a_row_ + 1 : 0;
  missed_in_window_ += (missed ? 1 : 0) - window_[next_];
  window_[next_] = missed ? 1 : 0;
  next_ = next_ + 1 == window_.size() ? 0 : next_ + 1;
}

bool OverrunLimits::judge(bool missed) noexcept {
  if (missed && settings_.policy == OverrunPolicy::stop) return true;
  count(missed);
  return too_many();
}

// As many as fill the window tell all there is to tell of it.
bool OverrunLimits::slipped(std::int64_t frames) noexcept {
  if (grace_ > 0 || frames <= 0) return false;
  const auto most = static_cast<std::int64_t>(window_.size());
  for (std::int64_t n = std::min(frames, most); n > 0; --n) count(true);
  in_a_row_ += std::max<std::int64_t>(frames - most, 0);
  return too_many();
}

void OverrunLimits::forget() noexcept {
  forget_window();
  in_a_row_ = 0;
}

void OverrunLimits::forget_window() noexcept {
  std::ranges::fill(window_, 0);
  missed_in_window_ = 0;
}

// Which of the window were missed, eight to a byte; mostly none was.
void OverrunLimits::transfer(Archive& archive) noexcept {
  archive.number(next_, 0, window_.size() - 1, "the place in the window of late steps");
  archive.number(grace_, 0, settings_.startup_grace, "steps of the start-up left");
  archive.number(in_a_row_, 0, INT64_MAX, "late steps in a row");
  bool any = missed_in_window_ > 0;
  archive(any);
  if (archive.loads()) forget_window();
  if (!any && !archive.measures()) return;
  for (std::size_t i = 0; i < window_.size(); i += 8) {
    const std::size_t n = std::min<std::size_t>(8, window_.size() - i);
    std::uint8_t bits = 0;
    for (std::size_t k = 0; k < n; ++k) {
      bits = static_cast<std::uint8_t>(bits | (window_[i + k] << k));
    }
    archive(bits);
    for (std::size_t k = 0; k < n && archive.loads(); ++k) {
      window_[i + k] = (bits >> k) & 1U;
      missed_in_window_ += window_[i + k];
    }
  }
}

bool OverrunLimits::too_many() const noexcept {
  if (settings_.consecutive && in_a_row_ >= *settings_.consecutive) return true;
  // The share is of the full window, also while it is not full yet: one late step at the start
  // is not 100 %.
  return settings_.limit_percent &&
         missed_in_window_ * 100.0 > *settings_.limit_percent * static_cast<double>(window_.size());
}

}  // namespace hild::exec
