// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a kernel knows its method: its weights are constants of the compiler, or read at run time.
#pragma once

#include "hild/numerics/coefficients.hpp"

namespace hild::numerics {

/// A method that the compiler knows. M is an object of static storage.
template <const Method& M>
struct Fixed {
  static constexpr bool constant = true;  ///< weights are constants of the compiler
  /// Its weights on a uniform grid.
  static constexpr Coefficients uniform = uniform_coefficients(M);
  /// M itself.
  [[nodiscard]] static constexpr const Method& method() noexcept { return M; }
};

/// A method that is known when a plant is made. It keeps a pointer: the method must outlive it and
/// every kernel made from it. Real-time safe.
class Chosen {
 public:
  static constexpr bool constant = false;  ///< weights are read at run time
  /// Refers to m from here on.
  explicit Chosen(const Method& m) noexcept : method_(&m) {}
  /// The method referred to.
  [[nodiscard]] const Method& method() const noexcept { return *method_; }

 private:
  const Method* method_;
};

}  // namespace hild::numerics
