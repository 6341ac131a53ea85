// SPDX-License-Identifier: Apache-2.0
/// \file
/// Heat along a rod of N elements, from u at one end to zero at the other: the equations of the FMU
/// `rod` in the same order of operations. Without u its modes are known.
#pragma once

#include <cmath>
#include <numbers>

#include "hild/model/integrated.hpp"
#include "support/many_states.hpp"

namespace hild::test {

inline std::vector<numerics::Place> places_of_rod(std::size_t n) {
  std::vector<numerics::Place> all;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) all.push_back({i, i - 1});
    all.push_back({i, i});
    if (i + 1 < n) all.push_back({i, i + 1});
  }
  return all;
}

template <std::size_t N>
struct Rod {
  static constexpr double k = 1e3;  // 1/s
  static constexpr std::string_view name = "rod";
  static constexpr std::string_view summary = "heat in a rod";
  static constexpr const auto& states = many_states<N>;
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array<model::Output, 0> outputs{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static inline const numerics::Pattern pattern{N, places_of_rod(N)};
  static constexpr numerics::Structure structure = numerics::sparse(pattern);
  using D = model::Data<Rod>;

  static void derivatives(double, typename D::X x, typename D::U u, typename D::P,
                          typename D::DX dx) noexcept {
    for (std::size_t i = 0; i < N; ++i) {
      double sum = -2.0 * x[i];
      sum += i > 0 ? x[i - 1] : u[0];
      if (i + 1 < N) sum += x[i + 1];
      dx[i] = k * sum;
    }
  }
  static void jacobian(double, typename D::X, typename D::U, typename D::P,
                       typename D::J j) noexcept {
    for (std::size_t c = 0; c < N; ++c) {
      structure.each_row(c, N, [&, to = j.column(c).data()](std::size_t r) mutable {
        *to++ = r == c ? -2 * k : k;
      });
    }
  }
  static void outputs_of(double, typename D::X, typename D::U, typename D::P,
                         typename D::Y) noexcept {}

  /// Mode m, 1 ... N, and its eigenvalue in 1/s.
  static std::vector<double> mode(int m) {
    std::vector<double> x(N);
    for (std::size_t i = 0; i < N; ++i) {
      x[i] = std::sin(std::numbers::pi * m * (static_cast<double>(i) + 1) / (N + 1));
    }
    return x;
  }
  static double lambda(int m) { return k * (2 * std::cos(std::numbers::pi * m / (N + 1)) - 2); }
};

}  // namespace hild::test
