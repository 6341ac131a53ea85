// SPDX-License-Identifier: Apache-2.0
/// \file
/// Heap calls of the calling thread since it started, those of libraries included: what `hild
/// check` watches a model by. Null in builds where a sanitizer owns the allocator.
#pragma once

namespace hild::commands {

using HeapCalls = long (*)();
[[nodiscard]] HeapCalls heap_calls() noexcept;

/// At every allocation, reallocation and release, on its thread; before it. Real-time safe.
void heap_called() noexcept;

}  // namespace hild::commands
