// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model with algebraic variables as a model without: wherever it is evaluated they are found
/// first, from where they were last, by Newton's method. A pass takes the number of iterations that
/// the model fixes, `algebraic_iterations`, or three. After a start, an event, a parameter that was
/// set or states that were, where they may be anywhere, the first search goes on until they move no
/// more, at most most_rounds times as long; so does a search outside of steps.
///
/// Each search that ends while they still move is counted (CapCounts::algebraic_iterations).
/// Real-time safe as far as the model is; bounded work.
#pragma once

#include "hild/model/equations.hpp"
#include "hild/model/kept_members.hpp"
#include "hild/model/system.hpp"

namespace hild::model {

/// What the last of the iterations of a pass may still move a variable by, as a part of its size:
/// as Newton's method squares errors, what is left is about the square of this.
inline constexpr double nearly_solved = 1e-6;
/// The same of a search that goes on until the variables are found.
inline constexpr double solved = 1e-10;
/// How many times the iterations of a pass such a search takes, at most.
inline constexpr int most_rounds = 20;

/// Model M with its algebraic variables found wherever they are needed.
template <class M>
struct Solved : M {
  static_assert(!HasJacobian<M> && !HasStructure<M>,
                "of a model with algebraic variables hild finds the Jacobian itself");
  using Unsolved = M;                                   ///< the model itself
  using D = Data<M>;                                    ///< shapes of its vectors
  static constexpr std::size_t nz = algebraic_of<M>();  ///< algebraic variables

  /// Where the variables are looked for first.
  struct Guess {
    std::array<double, nz> z = starts();  ///< they themselves, as they were last
    bool far = true;                      ///< they may be anywhere by now
  };
  /// Iterations of a pass.
  static constexpr int iterations = [] {
    if constexpr (requires { M::algebraic_iterations; }) {
      return M::algebraic_iterations;
    } else {
      return 3;
    }
  }();
  static_assert(iterations > 0);

  /// The guess at hand, which each evaluation replaces by what it found.
  Guess guess{};
  /// How often the variables were not found, which is all it counts.
  CapCounts counts{};

  /// As functions of a model without algebraic variables.
  ///@{
  void derivatives(double t, typename D::X x, typename D::U u, typename D::P p,
                   typename D::DX dx) noexcept {
    solve(t, x, u, p);
    M::derivatives(t, x, u, typename D::Z(guess.z), p, dx);
  }
  void outputs_of(double t, typename D::X x, typename D::U u, typename D::P p,
                  typename D::Y y) noexcept {
    if constexpr (requires { M::outputs_of(t, x, u, p, y); }) {
      M::outputs_of(t, x, u, p, y);
    } else {
      solve(t, x, u, p);
      M::outputs_of(t, x, u, typename D::Z(guess.z), p, y);
    }
  }
  void event_functions(double t, typename D::X x, typename D::U u, typename D::P p,
                       std::span<double, D::events()> g) noexcept requires(D::events() > 0) {
    if constexpr (requires { M::event_functions(t, x, u, p, g); }) {
      M::event_functions(t, x, u, p, g);
    } else {
      solve(t, x, u, p);
      M::event_functions(t, x, u, typename D::Z(guess.z), p, g);
    }
  }
  ///@}

  /// Its guess, and what the model keeps.
  void transfer(Archive& archive) noexcept {
    transfer_kept(archive, static_cast<M&>(*this));
    archive(guess.z, guess.far);
  }

  /// Calls iterate(), which returns what it moved the variables by last, once or, where the guess
  /// is far, as often as it takes.
  template <class Iterate>
  void find(Iterate&& iterate) noexcept {
    double moved = iterate();
    for (int round = 1; guess.far && round < most_rounds && !(moved <= solved); ++round) {
      moved = iterate();
    }
    if (!(moved <= (guess.far ? solved : nearly_solved))) ++counts.algebraic_iterations;
    guess.far = false;
  }

 private:
  static constexpr std::array<double, nz> starts() noexcept {
    std::array<double, nz> z{};
    for (std::size_t i = 0; i < nz; ++i) z[i] = M::algebraic[i].start;
    return z;
  }
  void solve(double t, typename D::X x, typename D::U u, typename D::P p) noexcept {
    using Equations = AlgebraicEquations<M>;
    const Equations equations{this, t, x, u, p};
    find([&] {
      return numerics::NewtonFor<Equations>::Type::solve(equations, std::span(guess.z), iterations);
    });
  }
};

/// Whether M is a model as its author wrote it, with algebraic variables.
template <class M>
concept HasAlgebraic = (algebraic_of<M>() > 0) && !requires {
  typename M::Unsolved;
};
/// Whether M is what finds them.
template <class M>
concept FindsAlgebraic = requires {
  typename M::Unsolved;
};

namespace detail {
template <class M>
struct WithoutAlgebraic {
  using Type = M;
};
template <HasAlgebraic M>
struct WithoutAlgebraic<M> {
  using Type = Solved<M>;
};
}  // namespace detail

/// Model M, or what finds its algebraic variables where it has some.
template <class M>
using WithoutAlgebraic = typename detail::WithoutAlgebraic<M>::Type;

/// The guess that a step began with, for rewind(). Of other models nothing.
template <class M>
struct StepGuess {
  void keep(const M& /*model*/) noexcept {}        ///< a step begins
  void restore(M& /*model*/) const noexcept {}     ///< it is taken back
  void transfer(Archive& /*archive*/) noexcept {}  ///< within it
};
/// The same where there are such variables.
template <FindsAlgebraic M>
struct StepGuess<M> {
  typename M::Guess guess{};                                                 ///< it
  void keep(const M& model) noexcept { guess = model.guess; }                ///< a step begins
  void restore(M& model) const noexcept { model.guess = guess; }             ///< it is taken back
  void transfer(Archive& archive) noexcept { archive(guess.z, guess.far); }  ///< within it
};

/// While it lives, what is asked of the model leaves no trace in its guess, and looks for the
/// variables until they are found. Of other models nothing.
template <class M>
class Aside {
 public:
  /// `keeps`: what is found is kept as the guess all the same, by a system that no steps go on
  /// from.
  explicit Aside(M& /*model*/, bool /*keeps*/ = false) noexcept {}
};
/// The same where there are such variables.
template <FindsAlgebraic M>
class Aside<M> {
 public:
  /// As above. The model outlives it.
  explicit Aside(M& model, bool keeps = false) noexcept
      : model_(model), guess_(model.guess), keeps_(keeps) {
    model.guess.far = true;
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    if (!keeps_) model_.guess = guess_;
  }

 private:
  M& model_;
  typename M::Guess guess_;
  bool keeps_;
};

}  // namespace hild::model
