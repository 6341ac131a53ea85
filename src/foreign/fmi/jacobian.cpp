// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/jacobian.hpp"

#include <algorithm>

#include "hild/numerics/differences.hpp"

namespace hild::fmi {

void FmuJacobian::at(ModelExchange& fmu, double t, In x, In u, In dx,
                     numerics::Jacobian j) noexcept {
  if (fmu.layout().directional_derivatives) return by_directions(fmu, t, x, u, j);
  by_differences(fmu, t, x, u, dx, j);
}

void FmuJacobian::by_directions(ModelExchange& fmu, double t, In x, In u,
                                numerics::Jacobian j) noexcept {
  const std::size_t n = x.size();
  for (std::size_t k = 0; k < n; ++k) {
    fmu.directional_derivative(k, t, x, u, column_);
    for (std::size_t i = 0; i < n; ++i) j(i, k) = column_[i];
  }
}

void FmuJacobian::by_differences(ModelExchange& fmu, double t, In x, In u, In dx,
                                 numerics::Jacobian j) noexcept {
  const std::size_t n = x.size();
  const numerics::Structure structure = fmu.layout().structure();
  const std::size_t colours = structure.colours(n);
  std::ranges::copy(x, moved_.begin());
  for (std::size_t colour = 0; colour < colours; ++colour) {
    structure.each_of_colour(colour, n, [&](std::size_t k) {
      moved_[k] = x[k] + numerics::moved_by(x[k], fmu.nominals()[k]);
    });
    fmu.derivatives(t, moved_, u, column_);
    structure.each_of_colour(colour, n, [&](std::size_t k) {
      const double by = moved_[k] - x[k];
      moved_[k] = x[k];
      structure.each_row(k, n, [&](std::size_t i) { j(i, k) = (column_[i] - dx[i]) / by; });
    });
  }
}

}  // namespace hild::fmi
