// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model of as many states as one likes.
#pragma once

#include "hild/model/integrated.hpp"
#include "support/many_states.hpp"

namespace hild::test {

/// N states that decay by themselves.
template <std::size_t N, bool Band>
struct Decays {
  static constexpr double rate = 3;  // 1/s
  static constexpr std::string_view name = "decays";
  static constexpr std::string_view summary = "many that decay";
  static constexpr const auto& states = many_states<N>;
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr numerics::Structure structure = Band ? numerics::tridiagonal : numerics::dense;
  using D = model::Data<Decays>;
  static void derivatives(double, typename D::X x, typename D::U, typename D::P,
                          typename D::DX dx) noexcept {
    for (std::size_t i = 0; i < N; ++i) dx[i] = -rate * x[i];
  }
  static void jacobian(double, typename D::X, typename D::U, typename D::P,
                       typename D::J j) noexcept {
    for (std::size_t i = 0; i < N; ++i) j(i, i) = -rate;
  }
  static void outputs_of(double, typename D::X x, typename D::U, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[0];
  }
};

}  // namespace hild::test
