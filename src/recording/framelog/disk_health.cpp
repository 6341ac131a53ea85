// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/disk_health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hild::framelog {

// A disk that takes what is written and loses it with every sync is failing all the while.
void DiskHealth::done(Work work, const Result<void>& how) {
  std::unique_lock lock(mutex_);
  const auto any = [this] { return std::ranges::find(fails_, true) != fails_.end(); };
  const bool failed_before = any();
  fails_[static_cast<std::size_t>(work)] = !how;
  if (!how && error_.empty()) error_ = how.error().message;
  const bool fails_now = any();
  lock.unlock();
  if (fails_now && !failed_before) {
    tell_(fmt::format("recording: {}; the run goes on", how.error().message));
  }
  if (failed_before && !fails_now) tell_("recording goes on");
}

void DiskHealth::moved(const std::string& to) {
  {
    const std::lock_guard lock(mutex_);
    if (to == moved_to_) return;
    moved_to_ = to;
  }
  tell_(to.empty() ? "recording: its file has its name again"
                   : fmt::format("recording: its file was renamed, and goes on as {}", to));
}

void DiskHealth::ruined(const std::string& harm, std::int64_t frames) {
  {
    const std::lock_guard lock(mutex_);
    ruined_ = true;
    lost_ += frames;
    if (!error_.empty()) error_ += "; ";
    error_ += harm;
  }
  tell_(
      fmt::format("recording: {}: {} frames in it are lost, and nothing more is recorded; the "
                  "run goes on",
                  harm, frames));
}

void DiskHealth::lose(std::int64_t frames) {
  const std::lock_guard lock(mutex_);
  lost_ += frames;
}

void DiskHealth::lose(std::int64_t frames, Loss which) {
  const std::lock_guard lock(mutex_);
  lost_ += frames;
  losses_.push_back(which);
}

void DiskHealth::doubt(std::int64_t frames) {
  const std::lock_guard lock(mutex_);
  unsure_ += frames;
}

std::vector<Loss> DiskHealth::losses() {
  const std::lock_guard lock(mutex_);
  return std::exchange(losses_, {});
}

std::int64_t DiskHealth::lost() {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::int64_t DiskHealth::unsure() {
  const std::lock_guard lock(mutex_);
  return unsure_;
}

std::string DiskHealth::error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::string DiskHealth::moved_to() {
  const std::lock_guard lock(mutex_);
  return moved_to_;
}

bool DiskHealth::is_ruined() {
  const std::lock_guard lock(mutex_);
  return ruined_;
}

}  // namespace hild::framelog
