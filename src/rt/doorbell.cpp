// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "hild/rt/clock.hpp"

namespace hild::rt {
namespace {

long futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* until) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

void Doorbell::ring() noexcept {
  count_.fetch_add(1, std::memory_order_release);
  futex(count_, FUTEX_WAKE, 1, nullptr);
}

// An absolute time: waking for nothing, or a signal, costs no more than was given.
bool Doorbell::wait(std::uint32_t seen, Duration& left) noexcept {
  const MonoTime until = monotonic_now() + left;
  const timespec at{.tv_sec = until.ns / 1'000'000'000, .tv_nsec = until.ns % 1'000'000'000};
  while (rung() == seen) {
    if (futex(count_, FUTEX_WAIT_BITSET, seen, &at) != 0 && errno == ETIMEDOUT) break;
  }
  left = until - monotonic_now();
  return rung() != seen;
}

void Doorbell::wait(std::uint32_t seen) noexcept {
  while (rung() == seen) futex(count_, FUTEX_WAIT_BITSET, seen, nullptr);
}

}  // namespace hild::rt
