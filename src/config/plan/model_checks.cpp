// SPDX-License-Identifier: Apache-2.0
#include "config/plan/model_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

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

// The Jacobian from central differences, of columns that are moved together.
class Columns {
 public:
  Columns(model::System& system, double t, std::span<const double> x, std::span<const double> u)
      : system_(system),
        t_(t),
        x_(x),
        u_(u),
        moved_(x.begin(), x.end()),
        above_(x.size()),
        below_(x.size()),
        by_(x.size()) {}

  void find(std::span<const std::size_t> columns) {
    for (const std::size_t k : columns) {
      const double least = numerics::least_moved * system_.description().states[k].nominal;
      by_[k] = 0x1p-17 * std::max(std::abs(x_[k]), least);
      moved_[k] = x_[k] + by_[k];
    }
    system_.derivatives(t_, moved_, u_, above_);
    for (const std::size_t k : columns) moved_[k] = x_[k] - by_[k];
    system_.derivatives(t_, moved_, u_, below_);
    for (const std::size_t k : columns) moved_[k] = x_[k];
  }
  // Of row i, which column k alone has.
  [[nodiscard]] double value(std::size_t i, std::size_t k) const {
    return (above_[i] - below_[i]) / (2 * by_[k]);
  }
  // What rounding may make of it.
  [[nodiscard]] double rounding(std::size_t i, std::size_t k) const {
    return 1e-13 * (std::abs(above_[i]) + std::abs(below_[i])) / by_[k];
  }

 private:
  model::System& system_;
  double t_;
  std::span<const double> x_;
  std::span<const double> u_;
  Values moved_, above_, below_, by_;
};

using Group = std::vector<std::size_t>;

// Columns to be moved together: those of a colour share no row of the structure. What shares one
// against it differences find in the wrong column, and a check by the same groups would find the
// same. So they are divided, at each place in another way.
std::vector<Group> groups_of(const numerics::Structure& structure, std::size_t n,
                             std::size_t place) {
  constexpr std::size_t parts = 8;
  std::vector<Group> groups;
  for (std::size_t colour = 0; colour < structure.colours(n); ++colour) {
    std::array<Group, parts> divided;
    structure.each_of_colour(colour, n, [&](std::size_t k) {
      const std::uint64_t mixed = (k + 1 + n * place) * 0x9e3779b97f4a7c15U;  // Fibonacci hashing
      divided[mixed >> 61U].push_back(k);
    });
    for (Group& group : divided) {
      if (!group.empty()) groups.push_back(std::move(group));
    }
  }
  return groups;
}

// The Jacobian of a system beside differences, at one state.
class Comparison {
 public:
  Comparison(model::System& system, std::span<const double> x, std::span<const double> u,
             const numerics::Jacobian& j)
      : model_(system.description()),
        x_(x),
        j_(j),
        columns_(system, 0, x, u),
        declared_(x.size()),
        column_(x.size()) {}

  // Of a group of which something differs each column is looked at by itself.
  Result<void> check(std::span<const std::size_t> group) {
    const std::optional<std::size_t> row = differing(group);
    if (!row) return {};
    if (group.size() == 1) return refusal(*row, group.front());
    for (std::size_t at = 0; at < group.size(); ++at) {
      if (auto checked = check(group.subspan(at, 1)); !checked) return checked;
    }
    return {};
  }

 private:
  std::optional<std::size_t> differing(std::span<const std::size_t> group) {
    std::ranges::fill(declared_, 0.0);  // what lies outside of the structure
    std::ranges::fill(column_, group.front());
    for (const std::size_t k : group) {
      const double* from = j_.column(k).data();
      model_.structure.each_row(k, x_.size(), [&](std::size_t i) {
        declared_[i] = *from++;
        column_[i] = k;
      });
    }
    columns_.find(group);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double d = columns_.value(i, column_[i]);
      if (!std::isfinite(d)) continue;  // not a state the model knows of
      const double size = std::max(std::abs(declared_[i]), std::abs(d));
      const double apart = std::abs(declared_[i] - d);
      if (apart > tolerance * size + columns_.rounding(i, column_[i])) return i;
    }
    return std::nullopt;
  }
  [[nodiscard]] Result<void> refusal(std::size_t i, std::size_t k) const {
    return fail(
        "model {}: its Jacobian has d({}')/d({}) = {:.6g}, but its derivatives change by {:.6g} "
        "at {} = {:.6g}; correct `jacobian`{}, or leave it out for differences; where the state "
        "is usually far from 1 in size, say so by its `nominal`",
        model_.name, model_.states[i].name, model_.states[k].name, declared_[i],
        columns_.value(i, k), model_.states[k].name, x_[k],
        model_.structure.dense ? ""
        : declared_[i] == 0    ? " or the declared `structure` (of an FMU, `dependencies`), which "
                                 "has no room for it"
                               : " or the declared `structure` (of an FMU, `dependencies`)");
  }

  const model::Description& model_;
  std::span<const double> x_;
  const numerics::Jacobian& j_;
  Columns columns_;
  Values declared_;                  // by row, of the group
  std::vector<std::size_t> column_;  // that each row is of
};

Result<void> check_jacobian_at(model::System& system, const Values& x, std::size_t place) {
  const model::Description& model = system.description();
  if (!model.own_jacobian) return {};
  const Values u = starts_of(model.inputs);
  const std::size_t n = x.size();
  Values values(model.structure.room(n));
  const numerics::Jacobian j(values.data(), n, model.structure);
  if (!system.jacobian(0, x, u, j)) return {};
  Comparison comparison(system, x, u, j);
  for (const Group& group : groups_of(model.structure, n, place)) {
    if (auto checked = comparison.check(group); !checked) return checked;
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
    columns.find(std::span(&k, 1));
    for (std::size_t i = 0; i < n; ++i) all[i * n + k] = columns.value(i, k);
  }
  return all;
}

Result<void> check_jacobian(model::System& system, const Values& initial) {
  const model::Description& model = system.description();
  if (auto fits = model::check_structure(model); !fits) {
    return fail("model {}: {}", model.name, fits.error().message);
  }
  for (std::size_t place = 0; place < places.size(); ++place) {
    const double around = places[place];
    Values x = initial;
    double turn = 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += around * turn * std::max(system.description().states[i].nominal, std::abs(x[i]));
      turn = turn > 0.5 ? -0.7 * turn : 0.9 - turn;
    }
    if (auto checked = check_jacobian_at(system, x, place); !checked) return checked;
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
