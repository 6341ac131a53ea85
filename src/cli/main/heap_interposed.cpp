// SPDX-License-Identifier: Apache-2.0
/// The allocator's functions, in the place of the C library's and calling those; operators new and
/// delete call these. A program that links this defines heap_called().
#include <cerrno>
#include <cstddef>

#include "cli/main/heap_calls.hpp"

#if HILD_COUNT_HEAP

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
  hild::commands::heap_called();
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) noexcept {
  hild::commands::heap_called();
  return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size) noexcept {
  hild::commands::heap_called();
  return __libc_realloc(block, size);
}

void* memalign(size_t alignment, size_t size) noexcept {
  hild::commands::heap_called();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }

int posix_memalign(void** block, size_t alignment, size_t size) noexcept {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* const made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

void free(void* block) noexcept {
  if (block != nullptr) hild::commands::heap_called();
  __libc_free(block);
}

}  // extern "C"

#endif
