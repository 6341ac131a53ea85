// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/jacobian.hpp"

#include <algorithm>

#include "hild/numerics/differences.hpp"

namespace hild::fmi {

FmuJacobian::FmuJacobian(const Layout& layout)
    : dependencies_(layout.dependencies()),
      moved_(layout.states.size()),
      column_(layout.states.size()),
      coloured_(layout.states.size()),
      ones_(layout.states.size(), 1.0) {}

void FmuJacobian::at(ModelExchange& fmu, double t, In x, In u, In dx,
                     numerics::Jacobian j) noexcept {
  if (fmu.layout().directional_derivatives) return by_directions(fmu, t, x, u, j);
  by_differences(fmu, t, x, u, dx, j);
}

// What was found of the columns of a colour: value(i, k) each.
template <class Value>
void FmuJacobian::put(std::size_t colour, numerics::Jacobian j, Value&& value) const noexcept {
  const std::size_t n = column_.size();
  const bool all_kept = j.structure().dense;
  dependencies_.each_of_colour(colour, n, [&](std::size_t k) {
    double* to = j.column(k).data();
    dependencies_.each_row(k, n, [&](std::size_t i) { (all_kept ? to[i] : *to++) = value(i, k); });
  });
}

void FmuJacobian::by_directions(ModelExchange& fmu, double t, In x, In u,
                                numerics::Jacobian j) noexcept {
  const std::size_t n = x.size();
  const std::size_t colours = dependencies_.colours(n);
  for (std::size_t colour = 0; colour < colours; ++colour) {
    std::size_t count = 0;
    dependencies_.each_of_colour(
        colour, n, [&](std::size_t k) { coloured_[count++] = fmu.layout().state_refs[k]; });
    fmu.directional_derivative(std::span(coloured_).first(count), std::span(ones_).first(count), t,
                               x, u, column_);
    put(colour, j, [&](std::size_t i, std::size_t /*k*/) { return column_[i]; });
  }
}

void FmuJacobian::by_differences(ModelExchange& fmu, double t, In x, In u, In dx,
                                 numerics::Jacobian j) noexcept {
  const std::size_t n = x.size();
  const std::size_t colours = dependencies_.colours(n);
  std::ranges::copy(x, moved_.begin());
  for (std::size_t colour = 0; colour < colours; ++colour) {
    dependencies_.each_of_colour(colour, n, [&](std::size_t k) {
      moved_[k] = x[k] + numerics::moved_by(x[k], fmu.nominals()[k]);
    });
    fmu.derivatives(t, moved_, u, column_);
    put(colour, j,
        [&](std::size_t i, std::size_t k) { return (column_[i] - dx[i]) / (moved_[k] - x[k]); });
    dependencies_.each_of_colour(colour, n, [&](std::size_t k) { moved_[k] = x[k]; });
  }
}

}  // namespace hild::fmi
