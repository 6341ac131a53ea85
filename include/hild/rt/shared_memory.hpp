// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory that a process and those it forks see alike, whoever of them lives. Zeroed. Load time.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "hild/core/result.hpp"

namespace hild::rt {

/// A mapping that belongs to one object of this process; forked ones keep theirs when it goes. It
/// begins at a page.
class SharedMemory {
 public:
  SharedMemory() = default;
  /// Its pages are there from the start. Error: the system gives no memory.
  [[nodiscard]] static Result<SharedMemory> make(std::size_t bytes);
  /// Leaves `other` without any; what lies in it stays where it is.
  SharedMemory(SharedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  /// Exchanges the two; what lies in them stays where it is.
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SharedMemory();

  /// An object at its beginning, made here once. Needs no destructor: the other process may use it.
  /// Precondition: it fits.
  template <class T>
  [[nodiscard]] T& emplace() noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (data_) T{};
  }
  /// All of it as doubles, what emplace() made included.
  [[nodiscard]] std::span<double> doubles() const noexcept {
    return {static_cast<double*>(data_), bytes_ / sizeof(double)};
  }

 private:
  SharedMemory(void* data, std::size_t bytes) noexcept : data_(data), bytes_(bytes) {}
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hild::rt
