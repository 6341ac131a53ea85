// SPDX-License-Identifier: Apache-2.0
/// \file
/// A method as data. A step of s passes is a row of formulas, each of which carries the state from
/// t_n to a node within the step, from derivatives of this step and of steps before:
///
///   X(t_n + at h) = X_n + h (sum_j pass[j] F_j + sum_m history[m] F_{n-1-m})
///
/// Formula i (1 ... s-1) gives the state at which pass i is evaluated, formula s the new state.
/// Runge-Kutta methods have no history; Adams methods and Howe's predictor-correctors do. The
/// weights are those of a uniform grid; formulas with history are interpolatory, so that their
/// weights on any other grid follow from the nodes (quadrature.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "hild/numerics/rational.hpp"

namespace hild::numerics {

inline constexpr std::size_t max_passes = 8;   ///< of a step
inline constexpr std::size_t max_history = 3;  ///< derivatives of steps before that a formula uses
inline constexpr std::size_t dense_terms = 3;  ///< powers of theta in a weight of a dense result

/// A row of a tableau: the state at one node from the derivatives of the passes and of steps
/// before.
struct Formula {
  Rational at;                                  ///< node, in steps after t_n
  std::array<Rational, max_passes> pass{};      ///< weights of F_0 ... F_{s-1}
  std::array<Rational, max_history> history{};  ///< weights of F_{n-1}, F_{n-2}, F_{n-3}
};

/// A second result from the same passes, of a lower order: what the error is estimated by.
struct Embedded {
  int order = 0;                            ///< 0: there is none
  std::array<Rational, max_passes> pass{};  ///< weights of F_0 ... F_{s-1}
};

/// Results within the step, whose weights are polynomials in theta (0 ... 1) by rising powers:
///
///   X(t_n + theta h) = X_n + theta h sum_j (pass[j][0] + pass[j][1] theta + ...) F_j
struct Dense {
  int order = 0;  ///< 0: there is none
  /// Of each pass the coefficients of its polynomial, by rising powers.
  std::array<std::array<Rational, dense_terms>, max_passes> pass{};
};

/// What a pass does beside evaluating derivatives. In both implicit families row i (0 ... s-1) of
/// the formulas gives stage i from all derivatives of the step, and row s repeats row s-1: the last
/// stage is the new state (stiffly accurate). The last pass solves for the stages.
enum class Family : std::uint8_t {
  explicit_passes,    ///< nothing: the formulas say all
  linearly_implicit,  ///< one linear system, with derivatives and Jacobian at X_n and the inputs
                      ///< of `at`, which may therefore lie before the stage
  newton,             ///< `iterations` of Newton's method, the Jacobian renewed in each
  multirate,  ///< a minor step of partitions with methods of their own (model/multirate.hpp), or a
              ///< pass of one of several models; pass i of s lies at i/s or at nodes[i], and there
              ///< are no formulas
};

inline constexpr std::size_t max_stages = 2;  ///< of implicit methods

/// An integration method. It refers to its names, source, nodes, starter and companion and owns
/// none: they must outlive it, as those of the catalogue do. Its functions are real-time safe.
struct Method {
  std::string_view name;                      ///< as users write it, "rtam-4"
  std::array<std::string_view, 3> aliases{};  ///< empty where unused
  std::string_view source;                    ///< paper and equation
  Family family = Family::explicit_passes;    ///< what a pass does
  int order = 1;                              ///< p: the error of a run is O(h^p)
  int passes = 1;                             ///< s, at most max_passes where there are formulas
  int history = 0;                            ///< derivatives of steps before that are needed
  int iterations = 1;                         ///< of the newton family
  /// The first s + 1 count. Of an explicit method formula 0 is all zero: pass 0 is at X_n.
  std::array<Formula, max_passes + 1> formulas{};
  const Method* starter = nullptr;  ///< one-step method for the first `history` steps
  /// Single-pass method of the same order and history: completes a step after pass 0 when the
  /// other passes cannot end in time.
  const Method* anytime = nullptr;
  Embedded embedded{};  ///< for estimates of the error; order 0 where there is none
  Dense dense{};        ///< for states within the step; order 0 where there is none
  /// The weights are the nearest decimals: the conditions hold to 1e-14 and not exactly.
  bool rounded = false;
  std::span<const Rational> nodes{};  ///< of the multirate family, where they differ from i/s

  /// Whether it is of an implicit family: its last pass solves a system, with a Jacobian
  /// (ImplicitStep).
  [[nodiscard]] constexpr bool implicit() const noexcept {
    return family == Family::linearly_implicit || family == Family::newton;
  }
  /// Node c_i of pass i, in steps.
  [[nodiscard]] constexpr Rational node(int pass) const noexcept {
    if (!nodes.empty()) return nodes[static_cast<std::size_t>(pass)];
    if (family == Family::multirate) return {pass, passes};
    return formulas[static_cast<std::size_t>(pass)].at;
  }
  /// Whether no pass needs an input from the future: c_i <= i/s (Bernstein).
  [[nodiscard]] constexpr bool real_time() const noexcept {
    for (int i = 0; i < passes; ++i) {
      const Rational c = node(i);
      if (c.num * passes > i * c.den) return false;
    }
    return true;
  }
  /// By how many steps a run must stay behind real time so that it does: max(c_i - i/s).
  [[nodiscard]] constexpr double lag() const noexcept {
    double most = 0;
    for (int i = 0; i < passes; ++i) {
      const double early = node(i).value() - static_cast<double>(i) / passes;
      most = early > most ? early : most;
    }
    return most;
  }
  /// Whether `word` is its name or one of its aliases, letter by letter.
  [[nodiscard]] constexpr bool called(std::string_view word) const noexcept {
    if (word == name) return true;
    for (const auto alias : aliases) {
      if (!alias.empty() && alias == word) return true;
    }
    return false;
  }
};

}  // namespace hild::numerics
