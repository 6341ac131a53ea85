// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tells the end of a thread to whoever shares its memory, in another process too: the kernel
/// itself marks a word there when the thread ends, be it by its own end, a fault or a kill
/// (set_robust_list(2)). Nobody needs to watch, and to look is to read that word.
#pragma once

#include <pthread.h>

namespace hild::rt {

class Lifeline {
 public:
  /// By the thread whose end is to be seen, once, before it serves anybody. False: the system
  /// offers no such thing, and its end will not be seen here. Start of a process, not real-time.
  [[nodiscard]] bool hold() noexcept;
  /// The thread that held it has ended. Real-time safe, and whatever else is written there
  /// harmless.
  [[nodiscard]] bool cut() const noexcept;

 private:
  pthread_mutex_t held_{};
};

}  // namespace hild::rt
