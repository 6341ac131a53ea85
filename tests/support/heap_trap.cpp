// SPDX-License-Identifier: Apache-2.0
#include "support/heap_trap.hpp"

#include <execinfo.h>

#include <array>
#include <cstdlib>

#include "cli/main/heap_calls.hpp"

namespace hild::test {
namespace {

/// What a thread's traps see. No constructor and no destructor: used before and after those run.
struct Seen {
  int depth;  // of nested traps
  bool busy;  // within the trap itself
  long calls;
  int frames;
  std::array<void*, 24> stack;
};
constinit thread_local Seen seen{};

}  // namespace

HeapTrap::HeapTrap() noexcept {
  if (seen.depth == 0) {
    // The first backtrace loads a library, which allocates.
    seen.busy = true;
    backtrace(seen.stack.data(), 1);
    seen = {};
  }
  ++seen.depth;
  before_ = seen.calls;
}

HeapTrap::~HeapTrap() { --seen.depth; }

long HeapTrap::calls() const noexcept { return counting ? seen.calls - before_ : not_counted; }

std::string HeapTrap::first_call() const {
  if (seen.frames == 0) return {};
  seen.busy = true;
  std::string text = "the first heap call came from\n";
  // Without heap_called() and the allocator's function.
  constexpr int own = 2;
  char** names = backtrace_symbols(seen.stack.data(), seen.frames);
  for (int i = own; names != nullptr && i < seen.frames; ++i) {
    text.append("  ").append(names[i]).append("\n");
  }
  std::free(names);  // NOLINT: backtrace_symbols() gives one block of malloc()
  seen.busy = false;
  return text;
}

}  // namespace hild::test

void hild::commands::heap_called() noexcept {
  auto& seen = hild::test::seen;
  if (seen.depth == 0 || seen.busy) return;
  if (seen.calls++ != 0) return;
  seen.busy = true;
  seen.frames = backtrace(seen.stack.data(), static_cast<int>(seen.stack.size()));
  seen.busy = false;
}
