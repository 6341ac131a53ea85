// SPDX-License-Identifier: Apache-2.0
/// \file
/// Copies out of memory that another process may change at any time, also while it is read: taken
/// once, so that what was checked is what is used. Half of an old value and half of a new one may
/// come; every word is to be checked. Real-time safe.
#pragma once

#include <atomic>
#include <cstring>
#include <span>
#include <type_traits>

namespace hild::rt {

/// `T` is made of integers, doubles and arrays of them: of those every pattern of bits is a value.
template <class T>
void fetch(const T& from, T& to) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(&to, &from, sizeof(T));
  // What was read is not read again later on, whatever the compiler would save by it.
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Precondition: `to` is as long as `from`.
template <class T>
void fetch_all(std::span<T> from, std::span<std::remove_const_t<T>> to) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!to.empty()) std::memcpy(to.data(), from.data(), to.size_bytes());
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace hild::rt
