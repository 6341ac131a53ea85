// SPDX-License-Identifier: Apache-2.0
/// \file
/// Solves algebraic loops of models: finds values of the connections that close them, such that the
/// models give these values back. Newton's method with a fixed number of iterations, its
/// derivatives by differences: for m such connections the models in the loops are evaluated
/// m + 1 times an iteration. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "hild/numerics/differences.hpp"
#include "hild/numerics/linear_system.hpp"

namespace hild::coupled {

class LoopSolver {
 public:
  /// Iterations of a solution; of one that begins anywhere, so many times as many at most.
  static constexpr int iterations = 3;
  static constexpr int most_rounds = 20;
  /// What the last iteration may still move a value by, as a part of its size; as much again is
  /// left of the square of it.
  static constexpr double nearly_solved = 1e-6;
  static constexpr double solved = 1e-10;

  explicit LoopSolver(std::size_t connections)
      : given_(connections),
        moved_(connections),
        there_(connections),
        right_(connections),
        system_(connections, numerics::dense) {}

  /// From `values`, which become the solution. evaluate(values, results) puts what the models give
  /// for these values into `results`. `far`: goes on until they move no more. Whether they are
  /// found.
  template <class Evaluate>
  [[nodiscard]] bool solve(std::span<double> values, bool far, Evaluate&& evaluate) noexcept {
    const int most = far ? iterations * most_rounds : iterations;
    const double enough = far ? solved : nearly_solved;
    double moved = 0;
    for (int k = 0; k < most; ++k) {
      moved = iterate(values, evaluate);
      if (far && moved <= enough) break;
    }
    return moved <= enough;
  }

 private:
  template <class Evaluate>
  double iterate(std::span<double> values, Evaluate& evaluate) noexcept {
    const std::size_t n = values.size();
    evaluate(std::span<const double>(values), std::span<double>(given_));
    std::copy(values.begin(), values.end(), moved_.begin());
    for (std::size_t j = 0; j < n; ++j) {
      moved_[j] = values[j] + numerics::moved_by(values[j], 1);
      evaluate(std::span<const double>(moved_), std::span<double>(there_));
      const double by = moved_[j] - values[j];
      moved_[j] = values[j];
      for (std::size_t i = 0; i < n; ++i) {
        system_.at(i, j, n, numerics::dense) = (i == j ? 1 : 0) - (there_[i] - given_[i]) / by;
      }
    }
    for (std::size_t i = 0; i < n; ++i) right_[i] = given_[i] - values[i];
    system_.solve(n, numerics::dense, right_);
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      values[i] += right_[i];
      const double share = std::abs(right_[i]) / (std::abs(values[i]) + 1);
      most = std::isfinite(share) ? std::max(most, share) : std::numeric_limits<double>::infinity();
    }
    return most;
  }

  std::vector<double> given_, moved_, there_, right_;
  numerics::LinearSystem<std::vector<double>> system_;
};

}  // namespace hild::coupled
