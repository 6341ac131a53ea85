// SPDX-License-Identifier: Apache-2.0
/// \file
/// A square plate of W by W pieces that conduct heat to their neighbours, its edge kept at zero:
/// the smallest large model of a sparse Jacobian that is no band. Its modes are known.
#pragma once

#include <cmath>
#include <numbers>

#include "hild/model/integrated.hpp"
#include "support/many_states.hpp"

namespace hild::test {

/// How a plate gives its Jacobian: itself, or not at all, by differences or dual numbers.
enum class Given { itself, differences, dual };

/// The five places of each piece.
inline std::vector<numerics::Place> places_of_plate(std::size_t width) {
  std::vector<numerics::Place> all;
  for (std::size_t i = 0; i < width * width; ++i) {
    all.push_back({i, i});
    if (i % width > 0) all.push_back({i, i - 1});
    if (i % width + 1 < width) all.push_back({i, i + 1});
    if (i >= width) all.push_back({i, i - width});
    if (i + width < width * width) all.push_back({i, i + width});
  }
  return all;
}

template <std::size_t W, Given G = Given::itself>
struct Plate {
  static constexpr double k = 1e3;  // 1/s
  static constexpr std::size_t n = W * W;
  static constexpr std::string_view name = "plate";
  static constexpr std::string_view summary = "heat in a plate";
  static constexpr const auto& states = many_states<n>;
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"middle"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static inline const numerics::Pattern pattern{n, places_of_plate(W)};
  static constexpr numerics::Structure structure = numerics::sparse(pattern);
  using D = model::Data<Plate>;

  template <class S>
  requires(G == Given::dual || std::is_same_v<S, double>) static void derivatives(
      double, std::span<const S, n> x, typename D::U, typename D::P, std::span<S, n> dx) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      S sum = -4.0 * x[i];
      if (i % W > 0) sum += x[i - 1];
      if (i % W + 1 < W) sum += x[i + 1];
      if (i >= W) sum += x[i - W];
      if (i + W < n) sum += x[i + W];
      dx[i] = k * sum;
    }
  }
  static void jacobian(double, typename D::X, typename D::U, typename D::P,
                       typename D::J j) noexcept requires(G == Given::itself) {
    for (std::size_t c = 0; c < n; ++c) {
      structure.each_row(c, n, [&, to = j.column(c).data()](std::size_t r) mutable {
        *to++ = r == c ? -4 * k : k;
      });
    }
  }
  static void outputs_of(double, typename D::X x, typename D::U, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[n / 2];
  }

  /// Mode (a, b), 1 ... W each: piece by piece, and its eigenvalue in 1/s.
  static std::vector<double> mode(int a, int b) {
    const auto wave = [](int m, std::size_t at) {
      return std::sin(std::numbers::pi * m * (static_cast<double>(at) + 1) / (W + 1));
    };
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = wave(a, i % W) * wave(b, i / W);
    return x;
  }
  static double lambda(int a, int b) {
    const auto part = [](int m) { return 2 * std::cos(std::numbers::pi * m / (W + 1)) - 2; };
    return k * (part(a) + part(b));
  }
};

}  // namespace hild::test
