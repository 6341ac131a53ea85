// SPDX-License-Identifier: Apache-2.0
#include "config/plan/model_checks.hpp"

#include <algorithm>
#include <cmath>

#include "config/plan/assembly.hpp"
#include "hild/model/check_structure.hpp"
#include "hild/numerics/differences.hpp"

namespace hild::plan {
namespace {

using Values = std::vector<double>;

// Of what is compared: a wrong sign or factor is far beyond, a kink nearby is not found wrong.
constexpr double tolerance = 1e-3;
// Around the start: what depends on the state, or is multiplied by it, is not seen at zero.
constexpr std::array places{0.0, 0.1, -0.35};

// The Jacobian from central differences, a column at a time.
class Columns {
 public:
  Columns(model::System& system, double t, std::span<const double> x, std::span<const double> u)
      : system_(system),
        t_(t),
        x_(x),
        u_(u),
        moved_(x.begin(), x.end()),
        above_(x.size()),
        below_(x.size()) {}

  void find(std::size_t k) {
    const double least = numerics::least_moved * system_.description().states[k].nominal;
    by_ = 0x1p-17 * std::max(std::abs(x_[k]), least);
    moved_[k] = x_[k] + by_;
    system_.derivatives(t_, moved_, u_, above_);
    moved_[k] = x_[k] - by_;
    system_.derivatives(t_, moved_, u_, below_);
    moved_[k] = x_[k];
  }
  [[nodiscard]] double value(std::size_t i) const { return (above_[i] - below_[i]) / (2 * by_); }
  // What rounding may make of it.
  [[nodiscard]] double rounding(std::size_t i) const {
    return 1e-13 * (std::abs(above_[i]) + std::abs(below_[i])) / by_;
  }

 private:
  model::System& system_;
  double t_;
  std::span<const double> x_;
  std::span<const double> u_;
  Values moved_, above_, below_;
  double by_ = 0;
};

Result<void> check_jacobian_at(model::System& system, const Values& x) {
  const model::Description& model = system.description();
  if (!model.own_jacobian) return {};
  const Values u = starts_of(model.inputs);
  const std::size_t n = x.size();
  Values values(model.structure.room(n));
  const numerics::Jacobian j(values.data(), n, model.structure);
  if (!system.jacobian(0, x, u, j)) return {};
  Columns columns(system, 0, x, u);
  Values declared(n);  // column k, what lies outside of the structure being zero
  for (std::size_t k = 0; k < n; ++k) {
    columns.find(k);
    const double* from = j.column(k).data();
    model.structure.each_row(k, n, [&](std::size_t i) { declared[i] = *from++; });
    for (std::size_t i = 0; i < n; ++i) {
      const double d = columns.value(i);
      if (!std::isfinite(d)) continue;  // not a state the model knows of
      const double size = std::max(std::abs(declared[i]), std::abs(d));
      if (std::abs(declared[i] - d) <= tolerance * size + columns.rounding(i)) continue;
      return fail(
          "model {}: its Jacobian has d({}')/d({}) = {:.6g}, but its derivatives change by {:.6g} "
          "at {} = {:.6g}; correct `jacobian`{}, or leave it out for differences; where the state "
          "is usually far from 1 in size, say so by its `nominal`",
          model.name, model.states[i].name, model.states[k].name, declared[i], d,
          model.states[k].name, x[k],
          declared[i] == 0 ? " or the declared `structure`, which has no room for it" : "");
    }
    model.structure.each_row(k, n, [&](std::size_t i) { declared[i] = 0; });
  }
  return {};
}

bool said(const model::Description& d, std::size_t output, std::size_t input) {
  return std::ranges::any_of(*d.feedthrough, [&](const model::Feedthrough& f) {
    return f.output == d.outputs[output].name && f.input == d.inputs[input].name;
  });
}

Values outputs(model::System& system, const Values& x, const Values& u) {
  Values y(system.description().outputs.size());
  system.outputs(0, x, u, y);
  return y;
}

Result<void> check_input(model::System& system, const Values& x, const Values& u, std::size_t i) {
  const model::Description& d = system.description();
  const Values before = outputs(system, x, u);
  for (const double by : {1.0, -3.0}) {
    Values moved = u;
    moved[i] += by * std::max(1.0, std::abs(u[i]));
    const Values after = outputs(system, x, moved);
    for (std::size_t o = 0; o < after.size(); ++o) {
      if (said(d, o, i) || after[o] == before[o] || !std::isfinite(after[o])) continue;
      return fail(
          "model {}: its output {} goes from {:.6g} to {:.6g} at once as its input {} goes "
          "from {:.6g} to {:.6g}; say so in `feedthrough`",
          d.name, d.outputs[o].name, before[o], after[o], d.inputs[i].name, u[i], moved[i]);
    }
  }
  return {};
}

}  // namespace

std::vector<double> differences_of(model::System& system, double t, std::span<const double> x,
                                   std::span<const double> u) {
  const std::size_t n = x.size();
  Values all(n * n);
  Columns columns(system, t, x, u);
  for (std::size_t k = 0; k < n; ++k) {
    columns.find(k);
    for (std::size_t i = 0; i < n; ++i) all[i * n + k] = columns.value(i);
  }
  return all;
}

Result<void> check_jacobian(model::System& system, const Values& initial) {
  const model::Description& model = system.description();
  if (auto fits = model::check_structure(model); !fits) {
    return fail("model {}: {}", model.name, fits.error().message);
  }
  for (const double around : places) {
    Values x = initial;
    double turn = 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += around * turn * std::max(system.description().states[i].nominal, std::abs(x[i]));
      turn = turn > 0.5 ? -0.7 * turn : 0.9 - turn;
    }
    if (auto checked = check_jacobian_at(system, x); !checked) return checked;
  }
  return {};
}

Result<void> check_feedthrough(model::System& system) {
  const model::Description& d = system.description();
  if (!d.feedthrough) return {};
  const Values u = starts_of(d.inputs);
  Values start(d.states.size());
  system.start(start);
  for (const double around : places) {
    Values x = start;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] += around * std::max(d.states[k].nominal, std::abs(x[k]));
    }
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (auto checked = check_input(system, x, u, i); !checked) return checked;
    }
  }
  return {};
}

}  // namespace hild::plan
