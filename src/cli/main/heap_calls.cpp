// SPDX-License-Identifier: Apache-2.0
#include "cli/main/heap_calls.hpp"

namespace hild::commands {
namespace {
constinit thread_local long calls = 0;
}

void heap_called() noexcept { ++calls; }

HeapCalls heap_calls() noexcept {
  if constexpr (!HILD_COUNT_HEAP) return nullptr;
  return [] { return calls; };
}

}  // namespace hild::commands
