// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model as large as one likes, whose every part is cheap: what a run of it costs is what hild
/// does for each of them.
#pragma once

#include "hild/model/integrated.hpp"

namespace hild::test {

/// Names in static storage: a letter and five digits.
template <std::size_t N>
struct NumberedNames {
  std::array<std::array<char, 6>, N> texts{};
  constexpr explicit NumberedNames(char letter) {
    for (std::size_t i = 0; i < N; ++i) {
      std::size_t rest = i;
      for (std::size_t d = 6; d-- > 1; rest /= 10) {
        texts[i][d] = static_cast<char>('0' + rest % 10);
      }
      texts[i][0] = letter;
    }
  }
  [[nodiscard]] constexpr std::string_view operator[](std::size_t i) const {
    return {texts[i].data(), texts[i].size()};
  }
};

/// A name as a template parameter.
template <std::size_t n>
struct Title {
  std::array<char, n> text{};
  constexpr Title(const char (&of)[n]) {  // NOLINT: to be made of a literal
    for (std::size_t i = 0; i < n; ++i) text[i] = of[i];
  }
};

/// How many there are of each. Inputs and outputs are as many as each other.
struct Sizes {
  std::size_t channels = 1, states = 1, parameters = 1, events = 0;
};

/// A chain of lags behind the first input, x_i' = rate (x_(i-1) - x_i); outputs repeat the inputs;
/// event i is that the first state reaches level i, which it does not.
template <Sizes sizes, Title title = "grown">
struct Grown {
  static constexpr std::size_t nc = sizes.channels, nx = sizes.states, np = sizes.parameters,
                               ng = sizes.events;
  static constexpr NumberedNames<nc> input_names{'u'}, output_names{'y'};
  static constexpr NumberedNames<nx> state_names{'x'};
  static constexpr NumberedNames<np> parameter_names{'p'};
  static constexpr NumberedNames<ng> event_names{'g'};

  template <class Entry, std::size_t n>
  static constexpr std::array<Entry, n> entries(const NumberedNames<n>& names, Entry all_alike) {
    std::array<Entry, n> all{};
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = all_alike;
      all[i].name = names[i];
    }
    return all;
  }
  static constexpr std::string_view name = title.text.data(), summary = "as large as one likes";
  static constexpr auto states = entries(state_names, model::State{"", "V"});
  static constexpr auto inputs = entries(input_names, model::Input{"", "V"});
  static constexpr auto outputs = entries(output_names, model::Output{"", "V"});
  static constexpr auto parameters = entries(parameter_names, model::Parameter{"", "1/s", 10.0});
  static constexpr auto events = entries(event_names, model::Event{""});
  static constexpr auto structure = numerics::banded(1, 0);
  using D = model::Data<Grown>;

  static void derivatives(double, typename D::X x, typename D::U u, typename D::P p,
                          typename D::DX dx) noexcept {
    dx[0] = p[0] * (u[0] - x[0]);
    for (std::size_t i = 1; i < nx; ++i) dx[i] = p[0] * (x[i - 1] - x[i]);
  }
  static void outputs_of(double, typename D::X, typename D::U u, typename D::P,
                         typename D::Y y) noexcept {
    for (std::size_t i = 0; i < nc; ++i) y[i] = u[i];
  }
  static void event_functions(double, typename D::X x, typename D::U, typename D::P,
                              std::span<double, ng> g) noexcept {
    for (std::size_t i = 0; i < ng; ++i) g[i] = x[0] - 1000.0 - static_cast<double>(i);
  }
  static void on_event(std::size_t, double, typename D::NewX, typename D::U,
                       typename D::NewP) noexcept {}
};

}  // namespace hild::test
