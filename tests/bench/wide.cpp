// SPDX-License-Identifier: Apache-2.0
/// The model of `recording`: 32 inputs, 32 outputs, 20 states, so that there is much to record and
/// little to compute.
#include <array>

#include "hild/model/integrated.hpp"

namespace hild::model {
namespace {

// Names in static storage: "x0" ... "x31".
constexpr std::size_t most = 32;
struct Names {
  std::array<std::array<char, 4>, most> texts{};
  constexpr explicit Names(char kind) {
    for (std::size_t i = 0; i < most; ++i) {
      texts[i] = {kind, static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10), '\0'};
    }
  }
};
constexpr Names x_names('x');
constexpr Names u_names('u');
constexpr Names y_names('y');

template <class Signal, std::size_t n>
constexpr std::array<Signal, n> signals(const Names& names) {
  std::array<Signal, n> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = Signal{names.texts[i].data(), "V"};
  return all;
}

/// States follow sums of inputs, outputs show both.
struct Wide {
  static constexpr std::string_view name = "wide", summary = "much to record";
  static constexpr auto states = signals<State, 20>(x_names);
  static constexpr auto inputs = signals<Input, 32>(u_names);
  static constexpr auto outputs = signals<Output, 32>(y_names);
  static constexpr std::array parameters{Parameter{"rate", "1/s", 10.0}};
  using D = Data<Wide>;
  static void derivatives(double, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    for (std::size_t i = 0; i < 20; ++i) dx[i] = p[0] * (u[i] + 0.1 * u[i + 12] - x[i]);
  }
  static void outputs_of(double, D::X x, D::U u, D::P, D::Y y) noexcept {
    for (std::size_t i = 0; i < 32; ++i) y[i] = i < 20 ? x[i] : u[i];
  }
};
HILD_MODEL(Wide);

}  // namespace
}  // namespace hild::model
