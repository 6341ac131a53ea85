// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hild::rt {
namespace {

void* map_shared(std::size_t bytes, int more, int file) noexcept {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE | more, file, 0);
}

tl::unexpected<Error> no_memory(std::size_t bytes) {
  return fail(ExitCode::fault, "cannot map {} bytes of shared memory: {}", bytes,
              std::strerror(errno));
}

}  // namespace

Result<SharedMemory> SharedMemory::make(std::size_t bytes) {
  void* const data = map_shared(bytes, MAP_ANONYMOUS, -1);
  if (data == MAP_FAILED) return no_memory(bytes);
  SharedMemory made;
  made.data_ = {data, Unmap{bytes}};
  return made;
}

Result<SharedMemory> SharedMemory::make_with_file(std::size_t bytes, Descriptor& file) {
  Descriptor made(::memfd_create("hild-exchange", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const bool sized =
      made && ::ftruncate(made.get(), static_cast<off_t>(bytes)) == 0 &&
      ::fcntl(made.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  if (!sized) return no_memory(bytes);
  file = std::move(made);
  return map(file.get(), bytes);
}

Result<SharedMemory> SharedMemory::map(int file, std::size_t bytes) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return no_memory(bytes);
  if (found.st_size != static_cast<off_t>(bytes)) {
    return fail(ExitCode::fault, "found shared memory of {} bytes, expected {}", found.st_size,
                bytes);
  }
  void* const data = map_shared(bytes, 0, file);
  if (data == MAP_FAILED) return no_memory(bytes);
  SharedMemory made;
  made.data_ = {data, Unmap{bytes}};
  return made;
}

void SharedMemory::Unmap::operator()(void* data) const noexcept { ::munmap(data, bytes); }

}  // namespace hild::rt
