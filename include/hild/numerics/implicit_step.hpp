// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one kernel of all implicit methods, beside ExplicitStep and with its protocol: begin(), as
/// many times pass() as the method has stages, finish(); rewind() takes a finished step back. Per
/// stage p it solves for the increment Z_p of the state
///
///   Z_p = h sum_q a_pq f(t_n + c_q h, X_n + Z_q, u_q)
///
/// by Newton's method with a fixed number of iterations from Z = 0; the linearly implicit family is
/// its first iteration alone (Cellier, Linearly Implicit Methods III). Pass p evaluates f and J of
/// its stage at X_n; the last one also solves, and evaluates again for further iterations.
///
/// The unknowns of the stages are interleaved (those of a state side by side), so that the band of
/// a Jacobian stays a band. The caller evaluates the model:
///
///   evaluate(stage, t, x, dx, J)    J is zero beforehand and is written where it is not
///
/// Static and dynamic sizes, fixed and chosen tableaux: one code, equal to the bit. A singular
/// matrix makes the new state NaN (linear_system.hpp), which ends a run as a model fault.
/// Real-time safe after construction: `iterations` linear systems of stages * states unknowns.
#pragma once

#include "hild/core/archive.hpp"
#include "hild/numerics/linear_system.hpp"
#include "hild/numerics/space.hpp"
#include "hild/numerics/sparse_system.hpp"
#include "hild/numerics/tableau.hpp"

namespace hild::numerics {

namespace detail {

/// The memory of a step: arrays where the compiler knows the number of states and all elements of
/// the matrix.
template <class Space, class Tableau, Structure S>
struct Memory;

template <class Tableau>
constexpr std::size_t stages_of() noexcept {
  if constexpr (Tableau::constant) {
    return static_cast<std::size_t>(Tableau::method().passes);
  } else {
    return max_stages;
  }
}

/// The structure of the system of `stages` interleaved stages.
constexpr Structure interleaved(const Structure& s, std::size_t stages) noexcept {
  if (s.dense) return s;
  return banded(stages * s.lower + stages - 1, stages * s.upper + stages - 1);
}

constexpr std::size_t system_room(std::size_t n, std::size_t stages, const Structure& s) noexcept {
  return LinearSystem<int>::room(n * stages, interleaved(s, stages));
}

template <std::size_t N, class Tableau, Structure S>
requires(S.pattern == nullptr) struct Memory<Static<N>, Tableau, S> {
  static constexpr std::size_t stages = stages_of<Tableau>();
  using Jacobian = typename ElementsOf<N, S>::Type;
  using System = LinearSystem<std::array<double, system_room(N, stages, S)>>;
  using Unknowns = std::array<double, N * stages>;
};

struct OnHeap {
  using Jacobian = std::vector<double>;
  using Unknowns = std::vector<double>;
};

template <class Tableau, Structure S>
requires(S.pattern == nullptr) struct Memory<Dynamic, Tableau, S> : OnHeap {
  static constexpr std::size_t stages = stages_of<Tableau>();
  using System = LinearSystem<std::vector<double>>;
};

template <class Space, class Tableau, Structure S>
requires(S.pattern != nullptr) struct Memory<Space, Tableau, S> : OnHeap {
  static constexpr std::size_t stages = stages_of<Tableau>();
  using System = SparseSystem;
};

}  // namespace detail

/// A step is begin(); pass(i, evaluate) for each i of active().passes, in this order; finish(). S
/// is where the Jacobian of the model may differ from zero, dense, a band or a pattern, of which
/// the solution is by sparse_system.hpp. What it hands out are views of its own memory.
template <class Space, class Tableau, Structure S = dense>
class ImplicitStep {
  using Memory = detail::Memory<Space, Tableau, S>;
  static constexpr bool is_sparse = S.pattern != nullptr;

 public:
  using View = typename Space::View;      ///< states or derivatives, to be read
  using Target = typename Space::Target;  ///< states or derivatives, to be written

  /// A state of zeros. Allocates where the space is Dynamic or S a pattern. `structure` is S, or,
  /// where that is a pattern, another one.
  ImplicitStep(Space space, Tableau tableau, const Structure& structure = S)
      : space_(space),
        tableau_(tableau),
        stage_(space_.vector()),
        a_(uniform_coefficients(method())) {
    for (auto& x : x_) x = space_.vector();
    for (auto& f : f_) f = space_.vector();
    if constexpr (is_sparse) {
      sparse_ = structure;
      system_ = SparseSystem(*structure.pattern, stages());
    } else {
      system_.reserve(n() * Memory::stages, detail::interleaved(S, Memory::stages));
    }
    if constexpr (requires { z_.resize(1); }) {
      for (std::size_t p = 0; p < stages(); ++p) j_[p].resize(structure.room(n()));
      z_.resize(n() * stages());
      b_.resize(n() * stages());
    }
  }

  /// The method asked for, of one of the implicit families.
  [[nodiscard]] const Method& method() const noexcept { return tableau_.method(); }
  /// Each step is taken by the method itself: it needs no starter.
  [[nodiscard]] const Method& active() const noexcept { return method(); }
  /// Never: there is no starter.
  [[nodiscard]] static constexpr bool starting() noexcept { return false; }

  /// The state now: x(t_n) before a step, x(t_n + h) after finish().
  [[nodiscard]] View state() const noexcept { return View(x_[now_]); }
  /// The same, to be set between steps.
  [[nodiscard]] Target state() noexcept { return Target(x_[now_]); }
  /// The state the last step began with; valid from begin() to the next begin().
  [[nodiscard]] View start_state() const noexcept { return View(x_[finished_ ? 1 - now_ : now_]); }
  /// f(x_n, t_n) of the last step; empty where the method does not evaluate it.
  [[nodiscard]] std::span<const double> start_derivative() const noexcept {
    if (a_.node[0] != 0) return {};
    return View(f_[0]);
  }

  /// Begins a step of length h > 0 from t. The step before can no longer be taken back.
  void begin(SimTime t, Duration h) noexcept {
    t_ = t;
    h_ = seconds(h);
    finished_ = false;
  }

  /// The time of pass i of the step begun, in seconds of the run.
  [[nodiscard]] double time(int pass) const noexcept {
    return seconds(t_) + a_.node[static_cast<std::size_t>(pass)] * h_;
  }

  /// Pass i: evaluates stage i at X_n once; the last pass also solves and, in the newton family,
  /// evaluates every stage once more for each further iteration. So inputs of earlier passes must
  /// be kept by the caller. `evaluate` as the file says; it must not throw.
  template <class Evaluate>
  void pass(int i, Evaluate&& evaluate) noexcept {
    const auto stage = static_cast<std::size_t>(i);
    linearise(stage, std::as_const(*this).state(), evaluate);
    if (stage + 1 < stages()) return;
    improve(true);
    for (int k = 1; k < method().iterations; ++k) {
      for (std::size_t p = 0; p < stages(); ++p) {
        for (std::size_t s = 0; s < n(); ++s) stage_[s] = x_[now_][s] + z_[s * stages() + p];
        linearise(p, View(stage_), evaluate);
      }
      improve(false);
    }
  }

  /// The new state. The old one remains until the next begin(), for rewind().
  void finish() noexcept {
    for (std::size_t s = 0; s < n(); ++s) {
      x_[1 - now_][s] = x_[now_][s] + z_[s * stages() + stages() - 1];
    }
    now_ = 1 - now_;
    finished_ = true;
  }

  /// Back to the start of the step just finished.
  void rewind() noexcept {
    if (!finished_) return;
    now_ = 1 - now_;
    finished_ = false;
  }

  /// There is no history to forget.
  void restart() noexcept { finished_ = false; }

  /// What is to go on, as ExplicitStep has it.
  void transfer(Archive& archive, int made) noexcept {
    archive(x_[now_]);
    if (archive.loads()) finished_ = false;
    if (made < 0) return;
    const auto begun = static_cast<std::size_t>(made);
    archive(t_, h_);
    for (std::size_t p = 0; p < begun; ++p) archive(f_[p]);
    if (begun < stages() || archive.measures()) {
      for (std::size_t p = 0; p < begun; ++p) archive(j_[p]);
    }
    if (begun == stages() || archive.measures()) archive(z_);
  }

 private:
  [[nodiscard]] std::size_t n() const noexcept { return space_.size(); }
  [[nodiscard]] std::size_t stages() const noexcept {
    if constexpr (Tableau::constant) return Memory::stages;
    return static_cast<std::size_t>(method().passes);
  }
  [[nodiscard]] constexpr Structure structure() const noexcept {
    if constexpr (is_sparse) {
      return sparse_;
    } else {
      return S;
    }
  }
  [[nodiscard]] double weight(std::size_t p, std::size_t q) const noexcept {
    if constexpr (Tableau::constant) return Tableau::uniform.pass[p][q];
    return a_.pass[p][q];
  }

  template <class Evaluate>
  void linearise(std::size_t stage, View x, Evaluate& evaluate) noexcept {
    std::fill(j_[stage].begin(), j_[stage].end(), 0.0);
    evaluate(static_cast<int>(stage), time(static_cast<int>(stage)), x, Target(f_[stage]),
             Jacobian(j_[stage].data(), n(), structure()));
  }

  // One iteration: (I - h A J) d = h A F - Z, and Z + d.
  void improve(bool first) noexcept {
    const std::size_t count = stages();
    for (std::size_t s = 0; s < n(); ++s) {
      for (std::size_t p = 0; p < count; ++p) {
        double sum = weight(p, 0) * f_[0][s];
        for (std::size_t q = 1; q < count; ++q) sum += weight(p, q) * f_[q][s];
        const std::size_t at = s * count + p;
        b_[at] = first ? h_ * sum : h_ * sum - z_[at];
      }
    }
    solve(std::span(b_.data(), n() * count));
    for (std::size_t k = 0; k < n() * count; ++k) z_[k] = first ? b_[k] : z_[k] + b_[k];
  }

  void solve(std::span<double> b) noexcept {
    const std::size_t count = stages();
    if constexpr (is_sparse) {
      for (std::size_t q = 0; q < count; ++q) {
        for (std::size_t p = 0; p < count; ++p) {
          system_.set_block(p, q, -(h_ * weight(p, q)), j_[q]);
        }
      }
      system_.solve(b);
    } else {
      fill();
      system_.solve(b.size(), detail::interleaved(S, count), b);
    }
  }

  // I - h A J, by columns: of a band, the elements of a column lie side by side in both.
  void fill() noexcept {
    const std::size_t count = stages();
    const Structure s = detail::interleaved(S, count);
    const std::size_t size = n() * count;
    if constexpr (S == tridiagonal) {
      if (count == 1) return fill_tridiagonal();
    }
    if (!S.dense && s != tridiagonal) system_.clear(size, s);
    for (std::size_t q = 0; q < count; ++q) {
      for (std::size_t p = 0; p < count; ++p) {
        const double factor = -(h_ * weight(p, q));
        for (std::size_t j = 0; j < n(); ++j) {
          const std::size_t top = S.dense || j < S.upper ? 0 : j - S.upper;
          const std::size_t end = S.dense ? n() : std::min(n(), j + S.lower + 1);
          const double* const from = j_[q].data() + Jacobian::place(top, j, n(), S);
          double* const to = &system_.at(top * count + p, j * count + q, size, s);
          for (std::size_t i = 0; i < end - top; ++i) to[i * count] = factor * from[i];
          if (p == q) to[(j - top) * count] += 1;
        }
      }
    }
  }

  // The same of one stage: three elements a column, those outside of the matrix zero.
  void fill_tridiagonal() noexcept {
    const double factor = -(h_ * weight(0, 0));
    const double* from = j_[0].data();
    double* to = &system_.at(0, 0, n(), tridiagonal) - 1;
    for (std::size_t j = 0; j < n(); ++j, from += 3, to += 4) {
      to[0] = factor * from[0];
      to[1] = factor * from[1] + 1;
      to[2] = factor * from[2];
    }
  }

  [[no_unique_address]] Space space_;
  [[no_unique_address]] Tableau tableau_;
  std::array<typename Space::Vector, 2> x_;
  std::array<typename Space::Vector, Memory::stages> f_;
  std::array<typename Memory::Jacobian, Memory::stages> j_{};
  typename Space::Vector stage_;
  typename Memory::Unknowns z_{};
  typename Memory::Unknowns b_{};
  typename Memory::System system_{};
  struct Nothing {};
  [[no_unique_address]] std::conditional_t<is_sparse, Structure, Nothing> sparse_{};
  Coefficients a_;
  SimTime t_{};
  double h_ = 0;
  std::size_t now_ = 0;
  bool finished_ = false;
};

}  // namespace hild::numerics
