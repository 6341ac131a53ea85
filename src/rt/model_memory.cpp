// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/model_memory.hpp"

#include <sys/mman.h>

namespace hild::rt {
namespace {

ModelMemory* newest = nullptr;

}  // namespace

ModelMemory::ModelMemory(std::size_t bytes) noexcept : bytes_(bytes) {
  void* const place =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return;  // NOLINT: the macro's cast
  data_ = place;
  next_ = newest;
  newest = this;
}

ModelMemory::~ModelMemory() {
  if (data_ == nullptr) return;
  ModelMemory** at = &newest;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
  ::munmap(data_, bytes_);
}

bool ModelMemory::has(std::uintptr_t address) noexcept {
  for (const ModelMemory* m = newest; m != nullptr; m = m->next_) {
    if (address - reinterpret_cast<std::uintptr_t>(m->data_) < m->bytes_) return true;
  }
  return false;
}

}  // namespace hild::rt
