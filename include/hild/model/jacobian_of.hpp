// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Jacobian of a model by the best means it offers: its own function, dual numbers through its
/// derivatives, or differences. Fixed work; real-time safe.
#pragma once

#include "hild/model/model.hpp"
#include "hild/numerics/differences.hpp"
#include "hild/numerics/dual.hpp"

namespace hild::model {

/// The Jacobian of model M, with the memory that its means needs: one for each kernel that asks.
template <class M>
class JacobianOf {
  static constexpr std::size_t nx = M::states.size();
  static constexpr std::size_t nu = M::inputs.size();
  static constexpr std::size_t np = M::parameters.size();
  using D = Data<M>;

 public:
  /// Where it may differ from zero: M::structure, or everywhere where the model does not say.
  static constexpr numerics::Structure structure = [] {
    if constexpr (HasStructure<M>) {
      return M::structure;
    } else {
      return numerics::dense;
    }
  }();

 private:
  // Colours that dual numbers carry at once: all of them, of a pattern as many as registers hold.
  static constexpr std::size_t width = structure.pattern != nullptr ? 8 : structure.colours(nx);
  using Dual = numerics::Dual<width>;

 public:
  /// Whether the model has jacobian(t, x, u, p, j) of its own, which then is taken.
  static constexpr bool analytic = HasJacobian<M>;
  /// Whether its derivatives() also takes dual numbers, which is the second choice.
  static constexpr bool automatic = requires(M m, std::span<const Dual, nx> x, typename D::U u,
                                             typename D::P p, std::span<Dual, nx> dx) {
    m.derivatives(0.0, x, u, p, dx);
  };
  /// dx = f(t, x, u) and j, which is zero beforehand.
  void operator()(M& model, double t, typename D::X x, typename D::U u, typename D::P p,
                  typename D::DX dx, typename D::J j) noexcept {
    if constexpr (analytic) {
      model.derivatives(t, x, u, p, dx);
      model.jacobian(t, x, u, p, j);
    } else if constexpr (automatic) {
      by_dual_numbers(model, t, x, u, p, dx, j);
    } else {
      model.derivatives(t, x, u, p, dx);
      const auto derivatives = [&](auto from, auto to) {
        model.derivatives(t, typename D::X(from.data(), nx), u, p, typename D::DX(to.data(), nx));
      };
      numerics::differences(derivatives, x, dx, nominal, scratch_.moved, scratch_.there, j);
    }
  }

 private:
  void by_dual_numbers(M& model, double t, typename D::X x, typename D::U u, typename D::P p,
                       typename D::DX dx, typename D::J j) noexcept {
    const std::size_t colours = structure.colours(nx);
    for (std::size_t first = 0; first < colours; first += width) {
      for (std::size_t i = 0; i < nx; ++i) {
        scratch_.x[i] = x[i];
        const std::size_t colour = structure.colour_of(i, nx) - first;  // huge of those before
        if (colour < width) scratch_.x[i].d[colour] = 1;
      }
      model.derivatives(t, std::span<const Dual, nx>(scratch_.x), u, p,
                        std::span<Dual, nx>(scratch_.dx));
      for (std::size_t colour = 0; colour < std::min(width, colours - first); ++colour) {
        structure.each_of_colour(first + colour, nx, [&](std::size_t k) {
          double* to = j.column(k).data();
          structure.each_row(k, nx, [&](std::size_t i) { *to++ = scratch_.dx[i].d[colour]; });
        });
      }
    }
    for (std::size_t i = 0; i < nx; ++i) dx[i] = scratch_.dx[i].value;
  }

  static constexpr std::array<double, nx> nominal = [] {
    std::array<double, nx> sizes{};
    for (std::size_t i = 0; i < nx; ++i) sizes[i] = M::states[i].nominal;
    return sizes;
  }();

  struct Nothing {};
  struct Duals {
    std::array<Dual, nx> x{};
    std::array<Dual, nx> dx{};
  };
  struct Moved {
    std::array<double, nx> moved{};
    std::array<double, nx> there{};
  };
  std::conditional_t<analytic, Nothing, std::conditional_t<automatic, Duals, Moved>> scratch_;
};

}  // namespace hild::model
