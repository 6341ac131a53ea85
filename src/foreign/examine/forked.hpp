// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work in a process of its own, made by fork(), that foreign code can break without harm. Not for
/// the real-time side; call while the process has one thread.
#pragma once

#include <sys/mman.h>

#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::examine {

/// Memory that this process and those it forks afterwards see alike.
template <class T>
struct Unmapped {
  void operator()(T* value) const noexcept { ::munmap(value, sizeof *value); }
};
template <class T>
using SharedWithChildren = std::unique_ptr<T, Unmapped<T>>;

/// A value in such memory; null: there is none.
template <class T>
[[nodiscard]] SharedWithChildren<T> make_shared_with_children() {
  static_assert(std::is_trivially_destructible_v<T>);
  void* const place =
      ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return SharedWithChildren<T>(place == MAP_FAILED ? nullptr : new (place) T);
}

/// Does `work` in a process of its own and waits for its end, so long as `patience` (WorkPatience)
/// lets it. What it prints is not shown, what kills it leaves no core, and it does not outlive this
/// process. Its status (waitpid); of one that had to be killed none. Error: no process could be
/// made.
[[nodiscard]] Result<std::optional<int>> in_own_process(Duration patience,
                                                        const std::function<void()>& work);

}  // namespace hild::examine
