// SPDX-License-Identifier: Apache-2.0
/// \file
/// The step of one partition, explicit or implicit, whoever decides when it is taken. Real-time
/// safe.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "hild/model/jacobian_of.hpp"
#include "hild/model/model.hpp"
#include "hild/model/partitioning.hpp"
#include "hild/numerics/linear_system.hpp"

namespace hild::model {

/// The steps of all partitions of model M, each by its number. Rates is Multirate (read at run
/// time) or FixedRates (the compiler knows who steps when). Vectors are of all states, in the
/// model's order, whichever of them a function reads or writes; times and lengths are in seconds.
template <class M, class Rates>
class PartitionSteps {
  static constexpr std::size_t nx = M::states.size();
  using D = Data<M>;

 public:
  using Vector = std::array<double, nx>;        ///< a number for each state
  using Partitioning = model::Partitioning<M>;  ///< which states, and when
  using Part = typename Partitioning::Part;     ///< one partition

  /// All that a finished step leaves to the next.
  struct Point {
    Vector x{};                                    ///< the state
    Vector before{};                               ///< f of the last step of each partition
    Vector line{};                                 ///< slope of that step
    std::array<double, max_partitions> spacing{};  ///< length of it; 0: none to remember
  };
  /// A point, with what it remembers.
  void transfer(Archive& archive, Point& point) const noexcept {
    archive(point.x);
    for (std::size_t i = 0; i < table().count; ++i) {
      const Part& part = table().part[i];
      if (!table().remembers(part)) continue;
      archive(point.spacing[i]);
      if (point.spacing[i] == 0 && !archive.measures()) continue;
      for (const std::size_t s : states_of(part)) archive(point.before[s], point.line[s]);
    }
  }

  /// Whether the model evaluates some states alone.
  static constexpr bool partial =
      requires(M m, typename D::X x, typename D::U u, typename D::P p, typename D::DX dx) {
    m.derivatives_of(std::size_t{}, std::size_t{}, 0.0, x, u, p, dx);
  };

  /// Rates must have passed check_rates().
  explicit PartitionSteps(const Rates& rates) : table_(rates) {
    if constexpr (requires { values_.resize(nx); }) {
      values_.resize(JacobianOf<M>::structure.room(nx));
    }
  }

  /// Which states the partitions have, and when they step.
  [[nodiscard]] const Partitioning& table() const noexcept { return table_(); }
  /// The same as a constant, where the compiler knows the rates.
  [[nodiscard]] static constexpr const Partitioning& parts() noexcept {
    return ConstantTable::value;
  }
  /// The rates as settings, however they are known.
  [[nodiscard]] static constexpr Multirate settings(const Rates& rates) noexcept {
    if constexpr (Rates::constant) {
      return Rates::value;
    } else {
      return rates;
    }
  }

  /// The state as it is seen at(i) minor steps into each partition's step: slow explicit partitions
  /// on their line. `out` is where it is put when it has to be made.
  template <class At>
  const Vector& seen(const Point& to, double h, At at, Vector& out) const noexcept {
    if (!table().extrapolates) return to.x;
    out = to.x;
    for (std::size_t i = 0; i < table().count; ++i) {
      const Part& part = table().part[i];
      if (part.implicit || at(i) == 0 || to.spacing[i] == 0) continue;
      for (const std::size_t s : states_of(part)) out[s] += at(i) * h * to.line[s];
    }
    return out;
  }

  /// The derivatives of these runs of a partition's states, into their places of `f`. Of a model
  /// that cannot evaluate some alone all of the partition's are, unless there are no runs.
  template <class Runs>
  static void evaluate(const Part& part, const Runs& runs, M& model, double t, const Vector& x,
                       typename D::U u, typename D::P p, Vector& f) noexcept {
    if constexpr (partial) {
      for (const auto& run : runs) {
        model.derivatives_of(run.first, run.last, t, typename D::X(x), u, p, typename D::DX(f));
      }
    } else {
      if (runs.begin() == runs.end()) return;
      Vector all{};
      model.derivatives(t, typename D::X(x), u, p, typename D::DX(all));
      for (const std::size_t s : states_of(part)) f[s] = all[s];
    }
  }

  /// Puts the derivatives `f` of partition i into its places of `slope`.
  void take_slope(std::size_t i, const Vector& f, Vector& slope) const noexcept {
    for (const auto& run : table().part[i].all) {
      for (std::size_t s = run.first; s < run.last; ++s) slope[s] = f[s];
    }
  }
  /// A step of explicit partition i with the derivatives `f` at its start, by minor steps of length
  /// `minor`: `to` goes from its start to its end.
  void move(std::size_t i, double minor, const Vector& f, Point& to) const noexcept {
    const Part& part = table().part[i];
    const double h = minor * part.span;
    if (!table().remembers(part)) {
      for (const auto& run : part.all) {
        for (std::size_t s = run.first; s < run.last; ++s) to.x[s] = to.x[s] + h * f[s];
      }
      return;
    }
    double& spacing = to.spacing[i];
    const double back = part.two && spacing != 0 ? h / (2 * spacing) : 0;
    for (const auto& run : part.all) {
      for (std::size_t s = run.first; s < run.last; ++s) {
        const double slope = back == 0 ? f[s] : (1 + back) * f[s] - back * to.before[s];
        to.x[s] = to.x[s] + h * slope;
        to.before[s] = f[s];
        to.line[s] = slope;
      }
    }
    spacing = h;
  }

  /// Newton's method for the new states of implicit partition i at t, the end of its step, the
  /// others as they are seen; by minor steps of length `minor`.
  template <class At>
  void solve(std::size_t i, M& model, double t, typename D::U u, typename D::P p, double minor,
             At at, Point& to) noexcept {
    const Part& part = table().part[i];
    const double h = minor * part.span;
    const auto states = states_of(part);
    const std::size_t n = states.size();
    Vector extrapolated;
    const Vector old = seen(to, minor, at, extrapolated);
    Vector moved = old;
    Vector all{};
    for (int k = 0; k < part.iterations; ++k) {
      std::fill(values_.begin(), values_.end(), 0.0);
      numerics::Jacobian j(values_.data(), nx, JacobianOf<M>::structure);
      jacobian_(model, t, typename D::X(moved), u, p, typename D::DX(all), j);
      for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t r = 0; r < n; ++r) {
          system_.at(r, c, n, numerics::dense) =
              (r == c ? 1.0 : 0.0) - h * std::as_const(j)(states[r], states[c]);
        }
        b_[c] = h * all[states[c]] - (moved[states[c]] - old[states[c]]);
      }
      system_.solve(n, numerics::dense, std::span(b_.data(), n));
      for (std::size_t r = 0; r < n; ++r) moved[states[r]] += b_[r];
    }
    for (const std::size_t s : states) to.x[s] = moved[s];
  }

 private:
  struct ReadTable {
    explicit ReadTable(const Rates& rates) : value(settings(rates), partial) {}
    [[nodiscard]] const Partitioning& operator()() const noexcept { return value; }
    Partitioning value;
  };
  struct ConstantTable {
    explicit ConstantTable(const Rates& /*rates*/) noexcept {}
    [[nodiscard]] constexpr const Partitioning& operator()() const noexcept { return value; }
    static constexpr Partitioning value{Rates::value, partial};
  };
  using Table = std::conditional_t<Rates::constant, ConstantTable, ReadTable>;

  [[nodiscard]] static std::span<const std::size_t> states_of(const Part& part) noexcept {
    return std::span(part.state).first(part.count);
  }

  [[no_unique_address]] Table table_;
  Vector b_{};
  typename numerics::ElementsOf<nx, JacobianOf<M>::structure>::Type values_{};
  numerics::LinearSystem<std::array<double, numerics::LinearSystem<int>::room(nx, numerics::dense)>>
      system_{nx, numerics::dense};
  [[no_unique_address]] JacobianOf<M> jacobian_{};
};

}  // namespace hild::model
