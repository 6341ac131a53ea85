// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds out why a step ended late where the loop's own clock cannot tell: by what the kernel did
/// to the frame thread meanwhile. The kernel always keeps accounts of that (account.hpp), and
/// records it to the instant where it was asked to (evidence). A cause is never guessed: without
/// evidence that explains it, it stays what the loop found.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "hild/io/frame_record.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/thread_events.hpp"
#include "recording/record/reckoning.hpp"

namespace hild::record {

/// Corrections, found by evidence, to the loop's counts of overruns by cause.
class CauseCorrections {
 public:
  /// One overrun was counted under `from` and belongs to `to`.
  void move(io::Cause from, io::Cause to) noexcept {
    moved_[static_cast<std::size_t>(from)].add(-1);
    moved_[static_cast<std::size_t>(to)].add(1);
  }
  /// What to add to the loop's count of a cause. From any thread.
  [[nodiscard]] std::int64_t of(std::size_t cause) const noexcept { return moved_[cause].get(); }

 private:
  std::array<rt::Counter, io::cause_count> moved_{};
};

class OverrunAttribution {
 public:
  /// Starts to use evidence, or accounts. From any thread, once each.
  void begin(rt::ThreadEvents evidence);
  void begin(std::unique_ptr<Accounts> accounts);

  /// Notes a step whose record has come, before any of those that came with it is judged. On the
  /// recorder's thread, in the order of the run; so are the other functions.
  void note(const io::FrameHeader& h);
  /// Takes what the kernel has recorded, so that its buffer does not fill up, and reads accounts
  /// when they are due: after a late step at once. Where a host takes CPUs away and `may_wait`, it
  /// sleeps a few ticks first, since that shows late in the account.
  void collect(bool may_wait = false);
  /// The cause of a late step: the loop's, or what the kernel did meanwhile if that took at least
  /// half of its lateness.
  [[nodiscard]] io::Cause cause_of(const io::FrameHeader& late);

  [[nodiscard]] const CauseCorrections& corrections() const noexcept { return corrections_; }

 private:
  void collect_events();
  void read_accounts(bool may_wait);
  [[nodiscard]] io::Cause by_evidence(const io::FrameHeader& late);
  [[nodiscard]] io::Cause by_accounts(const io::FrameHeader& late, bool beside_evidence);

  mutable std::mutex mutex_;
  rt::ThreadEvents evidence_;           // guarded by the mutex
  std::unique_ptr<Accounts> accounts_;  // likewise
  std::vector<rt::ThreadEvent> events_;
  Reckoning reckoning_;
  bool late_noted_ = false;  // a late step was noted since the last reading
  CauseCorrections corrections_;
};

}  // namespace hild::record
