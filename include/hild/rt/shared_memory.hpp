// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory that a process and those it forks see alike, whoever of them lives. Zeroed. Load time.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "hild/core/result.hpp"

namespace hild::rt {

/// A mapping that belongs to one object of this process, and moves with it, while what lies in it
/// stays where it is; forked processes keep theirs when it goes. It begins at a page.
class SharedMemory {
 public:
  /// Its pages are there from the start. Error: the system gives no memory.
  [[nodiscard]] static Result<SharedMemory> make(std::size_t bytes);

  /// An object at its beginning, made here once. Needs no destructor: the other process may use it.
  /// Precondition: it fits.
  template <class T>
  [[nodiscard]] T& emplace() noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (data_.get()) T{};
  }
  /// All of it as doubles, what emplace() made included.
  [[nodiscard]] std::span<double> doubles() const noexcept {
    return {static_cast<double*>(data_.get()), data_.get_deleter().bytes / sizeof(double)};
  }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(void* data) const noexcept;
  };
  std::unique_ptr<void, Unmap> data_;
};

}  // namespace hild::rt
