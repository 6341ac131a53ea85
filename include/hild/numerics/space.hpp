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

template <std::size_t N>
struct Static {
  using Vector = std::array<double, N>;
  using View = std::span<const double, N>;
  using Target = std::span<double, N>;
  static constexpr std::size_t size() noexcept { return N; }
  static Vector vector() noexcept { return {}; }
  static View view(const Vector& v) noexcept { return v; }
  static Target target(Vector& v) noexcept { return v; }
};

class Dynamic {
 public:
  using Vector = std::vector<double>;
  using View = std::span<const double>;
  using Target = std::span<double>;
  explicit Dynamic(std::size_t n) noexcept : n_(n) {}
  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  [[nodiscard]] Vector vector() const { return Vector(n_); }
  [[nodiscard]] View view(const Vector& v) const noexcept { return {v.data(), n_}; }
  [[nodiscard]] Target target(Vector& v) const noexcept { return {v.data(), n_}; }

 private:
  std::size_t n_;
};

}  // namespace hild::numerics
