// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/lifeline.hpp"

#include <linux/futex.h>

namespace hild::rt {

// The C library keeps the list of what a thread holds, which the kernel walks when it ends.
bool Lifeline::hold() noexcept {
  pthread_mutexattr_t shared;
  if (::pthread_mutexattr_init(&shared) != 0) return false;
  const bool held = ::pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) == 0 &&
                    ::pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST) == 0 &&
                    ::pthread_mutex_init(&held_, &shared) == 0 && ::pthread_mutex_lock(&held_) == 0;
  ::pthread_mutexattr_destroy(&shared);
  return held;
}

// Never taken from here: the other side may have written anything into it, and to take it is to
// follow its pointers.
bool Lifeline::cut() const noexcept {
  const auto word = static_cast<unsigned>(__atomic_load_n(&held_.__data.__lock, __ATOMIC_ACQUIRE));
  return (word & FUTEX_OWNER_DIED) != 0;
}

}  // namespace hild::rt
