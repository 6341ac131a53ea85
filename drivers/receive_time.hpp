// SPDX-License-Identifier: Apache-2.0
/// \file
/// When packets arrived, on the time line of a run. The kernel stamps them by the wall clock, which
/// may step at any time and is set by others; a run counts by CLOCK_MONOTONIC. Both clocks are read
/// once after each read of a socket, and what is known of the packets bounds the result: one that
/// was read has arrived before that, and not before an earlier read began that left nothing behind.
/// So a step of the wall clock falsifies ages by no more than the time between two reads. Slewing
/// moves both clocks alike. One thread at a time. Real-time safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hild/core/time.hpp"

namespace hild {

class ReceiveTimes {
 public:
  /// Nothing arrives before `opened`: the socket was not there.
  explicit ReceiveTimes(MonoTime opened = {}) noexcept : earliest_(opened), now_(opened) {}

  /// After a read: the wall clock, and after it the monotonic one. An interruption between the two
  /// makes packets look younger by as much.
  void look(std::int64_t wall_ns, MonoTime now) noexcept {
    known_ = !__builtin_sub_overflow(wall_ns, now.ns, &ahead_ns_);
    now_ = now;
  }

  /// When a packet arrived that the kernel stamped by `wall_ns`: within what is possible. After
  /// look().
  [[nodiscard]] MonoTime arrived(std::int64_t wall_ns) const noexcept {
    return std::max(std::min(on_run(wall_ns), now_), std::min(earliest_, now_));
  }

  /// The instant of the wall clock on the time line of the run, whatever comes out, but never
  /// later than the last look.
  [[nodiscard]] MonoTime before_now(std::int64_t wall_ns) const noexcept {
    return std::min(on_run(wall_ns), now_);
  }

  /// A read that began at `began` left nothing behind: what is read later arrived later. After
  /// the packets of that read were asked for.
  void emptied(MonoTime began) noexcept { earliest_ = std::max(earliest_, began); }

  /// The last look.
  [[nodiscard]] MonoTime now() const noexcept { return now_; }

 private:
  [[nodiscard]] MonoTime on_run(std::int64_t wall_ns) const noexcept {
    MonoTime t = now_;
    // What does not fit into 64 bits is no time of this machine.
    if (!known_ || __builtin_sub_overflow(wall_ns, ahead_ns_, &t.ns)) return now_;
    return t;
  }

  MonoTime earliest_;
  MonoTime now_;
  std::int64_t ahead_ns_ = 0;  // of the wall clock
  bool known_ = false;
};

}  // namespace hild
