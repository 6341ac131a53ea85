// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory that a process and those it forks see alike, whoever of them lives; and, where it has a
/// file, another program that is handed this. Zeroed. Load time.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::rt {

/// A mapping that belongs to one object of this process, and moves with it, while what lies in it
/// stays where it is; forked processes keep theirs when it goes. It begins at a page.
class SharedMemory {
 public:
  /// Its pages are there from the start. Error: the system gives no memory.
  [[nodiscard]] static Result<SharedMemory> make(std::size_t bytes);

  /// The same, in a file without a name that is to be handed over. Its size cannot be changed: who
  /// could shorten it could end this process by it. Error: the system gives no memory.
  [[nodiscard]] static Result<SharedMemory> make_with_file(std::size_t bytes, Descriptor& file);
  /// The memory of a file that was handed over. Error: it is not of that size.
  [[nodiscard]] static Result<SharedMemory> map(int file, std::size_t bytes);

  /// An object at its beginning, made here once. Needs no destructor: the other process may use it.
  /// Precondition: it fits.
  template <class T>
  [[nodiscard]] T& emplace() noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (data_.get()) T{};
  }
  /// Its beginning, where another process has made an object.
  [[nodiscard]] void* data() const noexcept { return data_.get(); }
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
