// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tells the end of a thread to whoever shares its memory, in another process too: the kernel
/// itself marks a word there when the thread ends, be it by its own end, a fault or a kill
/// (set_robust_list(2)). Nobody needs to watch, and to look is to read that word. The mark comes
/// before the memory of a process is given back and its files are closed, which can take long.
#pragma once

#include <pthread.h>

#include "hild/core/time.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::rt {

/// A word in memory that those concerned share, zeroed before the first use: it stays where it is
/// as long as the thread that holds it lives.
class Lifeline {
 public:
  /// By the thread whose end is to be seen, once, before it serves anybody. False: the system
  /// offers no such thing, and its end will not be seen here. Start of a process, not real-time.
  [[nodiscard]] bool hold() noexcept;
  /// The thread that held it has ended. Real-time safe, and whatever else is written there
  /// harmless.
  [[nodiscard]] bool cut() const noexcept {
    return (__atomic_load_n(&held_.__data.__lock, __ATOMIC_ACQUIRE) & marked) != 0;
  }
  /// Sleeps until it is cut, somebody calls wake(), or for `longest`; one process at a time. False,
  /// at once: nobody holds it, or it is cut.
  bool await(Duration longest) noexcept;
  /// Ends one await() that is under way; without one it does nothing. Real-time safe.
  void wake() noexcept;

 private:
  static constexpr int marked = 0x4000'0000;  // FUTEX_OWNER_DIED

  pthread_mutex_t held_{};
};

/// What a loop and its watcher, in another process, know of each other, in memory that both see:
/// lies in shared memory, zeroed before both begin. Real-time safe to write and to look at.
struct Heartbeat {
  Counter beat;  ///< by the loop, in every frame: when it began, by its clock; 0 before the first
  Lifeline watcher;  ///< held by who watches: the loop sees its end in its next frame
};

}  // namespace hild::rt
