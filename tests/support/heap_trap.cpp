// SPDX-License-Identifier: Apache-2.0
#include "support/heap_trap.hpp"

#include <execinfo.h>

#include <array>
#include <cerrno>
#include <cstdlib>

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

[[maybe_unused]] void note() noexcept {
  if (seen.depth == 0 || seen.busy) return;
  if (seen.calls++ != 0) return;
  seen.busy = true;
  seen.frames = backtrace(seen.stack.data(), static_cast<int>(seen.stack.size()));
  seen.busy = false;
}

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
  // Without the trap itself and the allocator's function.
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

#if HILD_HEAP_TRAP

// The allocator's functions, in the place of the C library's and calling those. Operators new and
// delete call these.
extern "C" {

// glibc keeps these names for programs that replace malloc().
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void* malloc(size_t size) noexcept {
  hild::test::note();
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) noexcept {
  hild::test::note();
  return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size) noexcept {
  hild::test::note();
  return __libc_realloc(block, size);
}

void* memalign(size_t alignment, size_t size) noexcept {
  hild::test::note();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }

int posix_memalign(void** block, size_t alignment, size_t size) noexcept {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

void free(void* block) noexcept {
  if (block != nullptr) hild::test::note();
  __libc_free(block);
}

}  // extern "C"

#endif
