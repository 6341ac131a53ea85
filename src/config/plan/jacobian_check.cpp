// SPDX-License-Identifier: Apache-2.0
#include "config/plan/jacobian_check.hpp"

#include <algorithm>
#include <cmath>

namespace hild::plan {
namespace {

using Values = std::vector<double>;

// Of what is compared: a wrong sign or factor is far beyond, a kink nearby is not found wrong.
constexpr double tolerance = 1e-3;

class Comparison {
 public:
  Comparison(model::System& system, const Values& x)
      : system_(system), x_(x), n_(x.size()), j_(n_ * n_), d_(n_ * n_), floor_(n_ * n_) {
    for (const auto& input : system.description().inputs) u_.push_back(input.start);
  }

  Result<void> run() {
    if (!system_.jacobian(0, x_, u_, j_)) return {};
    for (std::size_t k = 0; k < n_; ++k) difference(k);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < n_; ++k) {
        if (!agrees(i * n_ + k)) return disagreement(i, k);
      }
    }
    return {};
  }

 private:
  Values derivatives(const Values& x) {
    Values dx(n_);
    system_.derivatives(0, x, u_, dx);
    return dx;
  }

  // Column k by central differences, and what rounding may be of it.
  void difference(std::size_t k) {
    const double by = 0x1p-17 * std::max(std::abs(x_[k]), 1e-3);
    Values moved = x_;
    moved[k] = x_[k] + by;
    const Values above = derivatives(moved);
    moved[k] = x_[k] - by;
    const Values below = derivatives(moved);
    for (std::size_t i = 0; i < n_; ++i) {
      d_[i * n_ + k] = (above[i] - below[i]) / (2 * by);
      floor_[i * n_ + k] = 1e-13 * (std::abs(above[i]) + std::abs(below[i])) / by;
    }
  }

  [[nodiscard]] bool agrees(std::size_t at) const {
    if (!std::isfinite(d_[at])) return true;  // not a state the model knows of
    const double size = std::max(std::abs(j_[at]), std::abs(d_[at]));
    return std::abs(j_[at] - d_[at]) <= tolerance * size + floor_[at];
  }

  tl::unexpected<Error> disagreement(std::size_t i, std::size_t k) const {
    const auto& states = system_.description().states;
    const double given = j_[i * n_ + k];
    return fail(
        "model {}: its Jacobian has d({}')/d({}) = {:.6g}, but its derivatives change by {:.6g} at "
        "{} = {:.6g}; correct `jacobian`{}, or leave it out for differences",
        system_.description().name, states[i].name, states[k].name, given, d_[i * n_ + k],
        states[k].name, x_[k],
        given == 0 ? " or the declared `structure`, which has no room for it" : "");
  }

  model::System& system_;
  const Values& x_;
  std::size_t n_;
  Values u_;
  Values j_;
  Values d_;
  Values floor_;
};

}  // namespace

Result<void> check_jacobian(model::System& system, const std::vector<double>& initial) {
  // Around the start: what depends on the state is not seen at zero.
  for (const double around : {0.0, 0.1, -0.35}) {
    Values x = initial;
    double turn = 1;
    for (double& v : x) {
      v += around * turn * std::max(1.0, std::abs(v));
      turn = turn > 0.5 ? -0.7 * turn : 0.9 - turn;
    }
    if (auto checked = Comparison(system, x).run(); !checked) return checked;
  }
  return {};
}

}  // namespace hild::plan
