// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a kernel knows its method: its weights are constants of the compiler, or read at run time.
#pragma once

#include "hild/numerics/coefficients.hpp"

namespace hild::numerics {

template <const Method& M>
struct Fixed {
  static constexpr bool constant = true;
  static constexpr Coefficients uniform = uniform_coefficients(M);
  [[nodiscard]] static constexpr const Method& method() noexcept { return M; }
};

class Chosen {
 public:
  static constexpr bool constant = false;
  explicit Chosen(const Method& m) noexcept : method_(&m) {}
  [[nodiscard]] const Method& method() const noexcept { return *method_; }

 private:
  const Method* method_;
};

}  // namespace hild::numerics
