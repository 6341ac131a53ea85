// SPDX-License-Identifier: Apache-2.0
/// \file
/// How to write a model: a struct in one .cpp file that includes hild/model/integrated.hpp, then
/// HILD_MODEL(struct). The simplest one:
///
///     struct Lag {
///       static constexpr std::string_view name = "lag", summary = "first-order lag";
///       static constexpr std::array states{model::State{"x", "V"}};
///       static constexpr std::array inputs{model::Input{"u", "V"}};
///       static constexpr std::array outputs{model::Output{"y", "V"}};
///       static constexpr std::array parameters{model::Parameter{"tau", "s", 0.1, 1e-6}};
///       using Data = model::Data<Lag>;
///       static void derivatives(double, Data::X x, Data::U u, Data::P p, Data::DX dx) noexcept {
///         dx[0] = (u[0] - x[0]) / p[0];
///       }
///       static void outputs_of(double, Data::X x, Data::U, Data::P, Data::Y y) noexcept {
///         y[0] = x[0];
///       }
///     };
///     HILD_MODEL(Lag);
///
/// Optional: `events` with event_functions(t, x, u, p, g) and on_event(index, t, x, u, p) that may
/// change x and p; next_time_event(t, p) and on_time_event(t, x, u, p); and
/// `using Methods = model::CompiledWith<numerics::rtam2, ...>` to be compiled together with those
/// methods (of hild/numerics/methods.hpp). For implicit methods, all optional (see
/// docs/CONTRIBUTING.md):
///
///     jacobian(t, x, u, p, j)              j(i, k) = d dx_i / d x_k, where it is not zero;
///                                          or derivatives() as a template over the scalar S of
///                                          std::span<const S, n> x and std::span<S, n> dx, which
///                                          then differentiates itself (numerics/dual.hpp);
///                                          without either of them by differences
///     structure = numerics::tridiagonal    or numerics::banded(lower, upper), or for any places
///                                          numerics::sparse(pattern): where it may not be zero
///     using Inlined = CompiledWith<numerics::backward_euler, ...>
///     inlined_step(method, t, h, x, u, p, next)
///                                          the model's own step under those methods, of one pass:
///                                          from x at t to the new state at t + h, with the inputs
///                                          of the method's node (Cellier, Inline Integration);
///                                          without it such a step is made from the equations
///                                          (hild/model/inlined.hpp)
///
/// Variables that are no states, but follow at every instant from equations: `algebraic`, an array
/// of model::Algebraic, and residuals(t, x, u, z, p, r), zero at the solution, one for each. Then
/// derivatives(t, x, u, z, p, dx), and where they depend on them outputs_of(t, x, u, z, p, y) and
/// event_functions(t, x, u, z, p, g) (hild/model/algebraic.hpp).
///
/// To be connected with other models without algebraic loops: `feedthrough`, an array of
/// model::Feedthrough with every output that depends on an input at once; of size 0 where all
/// outputs follow from the states.
///
/// For multirate integration: `partitions`, an array of model::Partition, and optionally
/// derivatives_of(first, last, t, x, u, p, dx), which evaluates those of states first ... last - 1
/// alone, and `using Rates = model::CompiledWithRates<model::by_rates({...}), ...>` to be compiled
/// together with those rates. Functions are noexcept and real-time safe; they may be non-static and
/// keep state in members of fixed size.
#pragma once

#include <array>
#include <concepts>
#include <span>

#include "hild/core/time.hpp"
#include "hild/model/description.hpp"
#include "hild/numerics/jacobian.hpp"
#include "hild/numerics/method.hpp"

namespace hild::model {

namespace detail {
// Of a model whose definition may not have ended yet.
template <class M>
constexpr std::size_t declared_algebraic() noexcept {
  if constexpr (requires { M::algebraic; }) {
    return M::algebraic.size();
  } else {
    return 0;
  }
}
}  // namespace detail

/// How many algebraic variables model M has. It declares them, like its other tables, before its
/// functions.
template <class M, std::size_t = sizeof(M)>
constexpr std::size_t algebraic_of() noexcept {
  return detail::declared_algebraic<M>();
}

/// The shapes of a model's vectors, from the sizes of its tables. All are views that hold for the
/// call, in the order and the units of those tables.
template <class M>
struct Data {
  /// N numbers to read.
  template <std::size_t N>
  using In = std::span<const double, N>;
  /// N numbers to write.
  template <std::size_t N>
  using Out = std::span<double, N>;

  /// How many state events the model has: the size of g of event_functions().
  static constexpr std::size_t events() noexcept {
    if constexpr (requires { M::events; }) {
      return M::events.size();
    } else {
      return 0;
    }
  }
  /// Whether the model has time events: a function next_time_event(t, p).
  static constexpr bool timed = requires(const M& m, In<M::parameters.size()> p) {
    m.next_time_event(SimTime{}, p);
  };
  using X = In<M::states.size()>;          ///< states
  using DX = Out<M::states.size()>;        ///< their derivatives, to be written; units per second
  using U = In<M::inputs.size()>;          ///< inputs
  using P = In<M::parameters.size()>;      ///< parameters
  using Y = Out<M::outputs.size()>;        ///< outputs, to be written
  using J = numerics::Jacobian;            ///< j(i, k) = d dx_i / d x_k, zero beforehand
  using NewX = Out<M::states.size()>;      ///< states that an event may change, or a step's result
  using NewP = Out<M::parameters.size()>;  ///< parameters that an event may change
  using Z = In<detail::declared_algebraic<M>()>;   ///< algebraic variables
  using R = Out<detail::declared_algebraic<M>()>;  ///< residuals, to be written
};

/// The methods a model is compiled together with, or has a step of its own for.
template <const numerics::Method&... Methods>
struct CompiledWith {};

/// Whether the model has jacobian(t, x, u, p, j).
template <class M>
concept HasJacobian = requires(M m, typename Data<M>::X x, typename Data<M>::U u,
                               typename Data<M>::P p, typename Data<M>::J j) {
  m.jacobian(0.0, x, u, p, j);
};
/// Whether the model declares where its Jacobian may differ from zero.
template <class M>
concept HasStructure = requires {
  M::structure;
};

/// The tables of a model as one description: views of static data of the model. Real-time safe.
template <class M>
constexpr Description describe() noexcept {
  Description d{M::name, M::summary, M::states, M::inputs, M::outputs, M::parameters};
  if constexpr (requires { M::events; }) d.events = M::events;
  d.time_events = Data<M>::timed;
  if constexpr (requires { M::partitions; }) d.partitions = M::partitions;
  if constexpr (requires { M::feedthrough; }) {
    d.feedthrough = std::span<const Feedthrough>(M::feedthrough);
  }
  d.own_jacobian = HasJacobian<M> || HasStructure<M>;
  if constexpr (HasStructure<M>) d.structure = M::structure;
  if constexpr (requires { M::algebraic; }) d.algebraic = M::algebraic;
  return d;
}

}  // namespace hild::model
