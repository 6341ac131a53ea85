// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/lifeline.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace hild::rt {

// The C library keeps the list of what a thread holds, which the kernel walks when it ends.
bool Lifeline::hold() noexcept {
  static_assert(marked == FUTEX_OWNER_DIED);
  pthread_mutexattr_t shared;
  if (::pthread_mutexattr_init(&shared) != 0) return false;
  const bool held = ::pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) == 0 &&
                    ::pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST) == 0 &&
                    ::pthread_mutex_init(&held_, &shared) == 0 && ::pthread_mutex_lock(&held_) == 0;
  ::pthread_mutexattr_destroy(&shared);
  return held;
}

// The mutex is never taken from here: the other side may have written anything into it, and to take
// it is to follow its pointers. The kernel wakes one of those who wait, where the word says so.
bool Lifeline::await(Duration longest) noexcept {
  int* const word = &held_.__data.__lock;
  int is = __atomic_load_n(word, __ATOMIC_ACQUIRE);
  if ((is & marked) != 0 || (is & static_cast<int>(FUTEX_TID_MASK)) == 0) return false;
  const int waits = static_cast<int>(static_cast<unsigned>(is) | FUTEX_WAITERS);
  if (is != waits &&
      !__atomic_compare_exchange_n(word, &is, waits, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return false;
  }
  if (longest.ns <= 0) return true;
  const timespec timeout{.tv_sec = longest.ns / 1'000'000'000,
                         .tv_nsec = longest.ns % 1'000'000'000};
  ::syscall(SYS_futex, word, FUTEX_WAIT, waits, &timeout, nullptr, 0);
  return true;
}

void Lifeline::wake() noexcept {
  ::syscall(SYS_futex, &held_.__data.__lock, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace hild::rt
