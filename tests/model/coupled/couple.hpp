// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models with closed-form solutions, to be connected, and a coupled plant of some of them.
#pragma once

#include <random>

#include "exec/fakes.hpp"
#include "exec/plants.hpp"
#include "model/coupled/stepper.hpp"

namespace hild::testing {

/// x' = gain u, y = x: two of them make x'' = gain gain x.
struct Integral {
  static constexpr std::string_view name = "integral";
  static constexpr std::string_view summary = "integral of its input";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{model::Parameter{"gain", "1", 1.0}};
  using D = model::Data<Integral>;
  static void derivatives(double, D::X, D::U u, D::P p, D::DX dx) noexcept { dx[0] = p[0] * u[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// y = u + offset at once; its state counts the time.
struct Through {
  static constexpr std::string_view name = "through";
  static constexpr std::string_view summary = "its input, moved";
  static constexpr std::array states{model::State{"time", "s"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}, model::Output{"time", "s"}};
  static constexpr std::array feedthrough{model::Feedthrough{"y", "u"}};
  static constexpr std::array parameters{model::Parameter{"offset", "1", 0.0}};
  using D = model::Data<Through>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 1; }
  static void outputs_of(double, D::X x, D::U u, D::P p, D::Y y) noexcept {
    y[0] = u[0] + p[0];
    y[1] = x[0];
  }
};

/// x' = gain sin(u + x), y = x: nothing of it is exact in a double.
struct Curved {
  static constexpr std::string_view name = "curved";
  static constexpr std::string_view summary = "a rate that depends on input and state";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{model::Parameter{"gain", "1", 1.0},
                                         model::Parameter{"every", "ms", 2.5}};
  using D = model::Data<Curved>;
  static void derivatives(double, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = p[0] * std::sin(u[0] + x[0]);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// Choices that a seed decides.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::minstd_rand random_;
};

/// Of some output of one of n models to the input of one.
inline coupled::Connection connection_by(Chance& chance, std::size_t n, std::size_t to) {
  return {.from = chance.below(n),
          .to = to,
          .degree = static_cast<int>(chance.below(3)),
          .delayed = chance.one_in(2)};
}

struct One {
  std::string_view name;
  std::unique_ptr<model::Stepper> plant;
  coupled::Rate rate{};
};

template <class... Ones>
std::unique_ptr<coupled::CoupledStepper> couple(const Grid& grid,
                                                std::vector<coupled::Connection> connections,
                                                Ones... ones) {
  std::vector<coupled::Part> parts;
  std::vector<std::unique_ptr<model::Stepper>> plants;
  const auto add = [&](One one) {
    parts.push_back({Name(one.name), one.plant->description(), &one.plant->method(), one.rate});
    plants.push_back(std::move(one.plant));
  };
  (add(std::move(ones)), ...);
  return std::make_unique<coupled::CoupledStepper>(
      std::make_shared<coupled::Composition>(std::move(parts), std::move(connections)),
      std::move(plants), grid);
}

inline constexpr Grid kilohertz = Grid::of_rate_hz(1000);

}  // namespace hild::testing
