// SPDX-License-Identifier: Apache-2.0
/// \file
/// Why a step ended late, where the loop's own clock cannot tell: by what the kernel did to the
/// frame thread meanwhile. Never a guess: without evidence that explains it, a cause stays what
/// the loop found.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "hild/io/frame_record.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/thread_events.hpp"

namespace hild::record {

/// Overruns by cause, as the loop counted them, put right by evidence.
class CauseCorrections {
 public:
  void move(io::Cause from, io::Cause to) noexcept {
    moved_[static_cast<std::size_t>(from)].add(-1);
    moved_[static_cast<std::size_t>(to)].add(1);
  }
  /// What to add to the loop's count. Any thread.
  [[nodiscard]] std::int64_t of(std::size_t cause) const noexcept { return moved_[cause].get(); }

 private:
  std::array<rt::Counter, io::cause_count> moved_{};
};

/// Where the evidence comes from; a fake in tests.
class Evidence {
 public:
  Evidence() = default;
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;
  virtual ~Evidence() = default;
  /// Appends what has ended since the last call.
  virtual void collect(std::vector<rt::ThreadEvent>& into) = 0;
};

class Inquest {
 public:
  /// From now on there is evidence. Any thread, once.
  void begin(std::unique_ptr<Evidence> evidence);
  /// Whether there is any.
  [[nodiscard]] bool holds() const;

  /// Takes what the kernel has written, so that it does not fill up. The recorder's thread.
  void collect();
  /// The cause of a late step: the loop's, or what at least half of its lateness was spent on by
  /// the kernel while the step worked. The recorder's thread, in the order of the run.
  [[nodiscard]] io::Cause cause_of(const io::FrameHeader& late);

  [[nodiscard]] const CauseCorrections& corrections() const noexcept { return corrections_; }

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<Evidence> evidence_;  // guarded by the mutex
  std::vector<rt::ThreadEvent> events_;
  CauseCorrections corrections_;
};

}  // namespace hild::record
