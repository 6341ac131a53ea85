// SPDX-License-Identifier: Apache-2.0
/// \file
/// Holds the frame thread of an offline run where it would sleep, until another thread lets it go
/// on: so that what is asked of the run depends on no thread being faster than another.
#pragma once

#include <condition_variable>
#include <limits>
#include <mutex>

#include "hild/core/time.hpp"

namespace hild::commands {

class Lockstep {
 public:
  // ---- the frame thread ----

  /// Whether it may go on to this instant at once.
  [[nodiscard]] bool allows(MonoTime due) noexcept {
    const std::lock_guard lock(mutex_);
    return due <= allowed_;
  }
  /// Stands until it may.
  void stand(MonoTime due) noexcept {
    std::unique_lock lock(mutex_);
    stands_ = due;
    stands_still_ = true;
    moved_.notify_all();
    moved_.wait(lock, [&] { return due <= allowed_; });
    stands_still_ = false;
  }
  /// It stands no more.
  void end() noexcept {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    allowed_ = for_good;
    moved_.notify_all();
  }

  // ---- the other thread ----

  /// Waits until the frame thread stands. False: it has ended.
  bool await() {
    std::unique_lock lock(mutex_);
    return await(lock);
  }
  /// Lets it pass what it sleeps for from where it stands on, up to this long after that; then as
  /// await().
  bool let_go(Duration ahead) {
    std::unique_lock lock(mutex_);
    if (!await(lock)) return false;
    allowed_ = stands_ + ahead;
    stands_still_ = false;
    moved_.notify_all();
    return await(lock);
  }
  /// Lets it go for good.
  void leave() {
    const std::lock_guard lock(mutex_);
    allowed_ = for_good;
    moved_.notify_all();
  }

 private:
  static constexpr MonoTime for_good{std::numeric_limits<std::int64_t>::max()};

  bool await(std::unique_lock<std::mutex>& lock) {
    moved_.wait(lock, [this] { return stands_still_ || ended_; });
    return !ended_;
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable moved_;
  MonoTime allowed_{std::numeric_limits<std::int64_t>::min()};
  MonoTime stands_{};
  bool stands_still_ = false;
  bool ended_ = false;
};

}  // namespace hild::commands
