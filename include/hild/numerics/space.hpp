// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a kernel keeps its vectors in: arrays of a size that the compiler knows, or memory of a
/// size that is known when a plant is made.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace hild::numerics {

/// Vectors of N values inside of the kernel: no memory is allocated. Real-time safe.
template <std::size_t N>
struct Static {
  using Vector = std::array<double, N>;     ///< memory of a vector
  using View = std::span<const double, N>;  ///< a vector to be read
  using Target = std::span<double, N>;      ///< a vector to be written
  /// N.
  static constexpr std::size_t size() noexcept { return N; }
  /// A new vector of zeros.
  static Vector vector() noexcept { return {}; }
  /// `v` for reading; valid as long as v is.
  static View view(const Vector& v) noexcept { return v; }
  /// `v` for writing; valid as long as v is.
  static Target target(Vector& v) noexcept { return v; }
};

/// Vectors of n values on the heap. vector() allocates; all else is real-time safe.
class Dynamic {
 public:
  using Vector = std::vector<double>;    ///< memory of a vector
  using View = std::span<const double>;  ///< a vector to be read
  using Target = std::span<double>;      ///< a vector to be written
  /// For vectors of n values.
  explicit Dynamic(std::size_t n) noexcept : n_(n) {}
  /// n.
  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  /// A new vector of zeros. Throws std::bad_alloc.
  [[nodiscard]] Vector vector() const { return Vector(n_); }
  /// `v`, one of vector(), for reading; valid as long as v is.
  [[nodiscard]] View view(const Vector& v) const noexcept { return {v.data(), n_}; }
  /// `v`, one of vector(), for writing; valid as long as v is.
  [[nodiscard]] Target target(Vector& v) const noexcept { return {v.data(), n_}; }

 private:
  std::size_t n_;
};

}  // namespace hild::numerics
