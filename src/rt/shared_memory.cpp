// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/shared_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace hild::rt {

Result<SharedMemory> SharedMemory::make(std::size_t bytes) {
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (data == MAP_FAILED) {
    return fail(ExitCode::fault, "cannot map {} bytes of shared memory: {}", bytes,
                std::strerror(errno));
  }
  SharedMemory made;
  made.data_ = {data, Unmap{bytes}};
  return made;
}

void SharedMemory::Unmap::operator()(void* data) const noexcept { ::munmap(data, bytes); }

}  // namespace hild::rt
