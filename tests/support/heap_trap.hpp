// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counts the heap calls of a scope: "no allocation" as a test.
///
///   HeapTrap trap;
///   loop.run(...);
///   EXPECT_EQ(trap.calls(), 0) << trap.first_call();
///
/// Calls of the calling thread only. The allocator's own functions are replaced, so that calls from
/// libraries and from the C library itself count as well. Tests that use it are in files named
/// *_heap_test.cpp: sanitizers replace the allocator too, and their builds leave those files out.
#pragma once

#include <string>

#ifndef HILD_HEAP_TRAP
#error "HILD_HEAP_TRAP: 1 to count heap calls, 0 where a sanitizer owns the heap"
#endif

namespace hild::test {

class HeapTrap {
 public:
  static constexpr bool counting = HILD_HEAP_TRAP;
  static constexpr long not_counted = -1;

  HeapTrap() noexcept;
  ~HeapTrap();
  HeapTrap(const HeapTrap&) = delete;
  HeapTrap& operator=(const HeapTrap&) = delete;

  /// Allocations, reallocations and releases since the trap was set, or `not_counted`: never
  /// mistaken for none.
  [[nodiscard]] long calls() const noexcept;

  /// Where the first call of this thread's outermost trap came from; empty when there was none.
  [[nodiscard]] std::string first_call() const;

 private:
  long before_ = 0;
};

}  // namespace hild::test
