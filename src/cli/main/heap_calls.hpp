// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counts the heap calls of the calling thread since it started, those of libraries included; `hild
/// check` uses it to watch a model.
#pragma once

namespace hild::commands {

using HeapCalls = long (*)();
/// The counting function; null in builds where a sanitizer owns the allocator.
[[nodiscard]] HeapCalls heap_calls() noexcept;

/// To be called on the thread before every allocation, reallocation and release. Real-time safe.
void heap_called() noexcept;

}  // namespace hild::commands
