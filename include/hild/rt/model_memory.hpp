// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory that a process shares with those of its models, made by fork(): theirs loses all other
/// that is shared. Zeroed. Made and ended on one thread, while loading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace hild::rt {

class ModelMemory {
 public:
  /// None where the system gives no memory.
  explicit ModelMemory(std::size_t bytes) noexcept;
  ModelMemory(const ModelMemory&) = delete;
  ModelMemory& operator=(const ModelMemory&) = delete;
  ~ModelMemory();

  [[nodiscard]] bool good() const noexcept { return data_ != nullptr; }
  /// An object at its beginning, made here once. Needs no destructor: others may use it.
  template <class T>
  [[nodiscard]] T& emplace() noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (data_) T{};
  }

  /// Whether an address is in any of them that there are.
  [[nodiscard]] static bool has(std::uintptr_t address) noexcept;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  ModelMemory* next_ = nullptr;
};

}  // namespace hild::rt
