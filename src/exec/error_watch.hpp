// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches the accuracy of a run: estimates the error of every step, relative to the size of its
/// state. Of a method with an embedded pair the estimate is its own. Of any other it is the step
/// less what the Adams-Moulton formula of two orders more makes of it, from the derivatives at its
/// end, at its start and at the starts of steps before: Milne's device with a corrector that has no
/// part in the run. So it holds for every method, and sees all that keeps a step from the solution:
/// truncation, Newton's method that has not converged, inputs that are held over a step.
///
/// An explicit method evaluates these derivatives anyway: its estimate comes with the next step. Of
/// one that does not, one evaluation a step is added, and the estimate comes at once. After a jump
/// there is none until there are as many derivatives as it takes. Of many states some are looked at
/// in a frame, each in its turn. Real-time safe after construction; bounded work.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "exec/statistics.hpp"
#include "hild/io/pair.hpp"
#include "hild/model/stepper.hpp"
#include "hild/numerics/quadrature.hpp"

namespace hild::exec {

class ErrorWatch {
 public:
  /// States that are looked at in one frame, at most.
  static constexpr std::size_t most_states = 128;

  /// An estimate, of the state in which it is the largest part of its size.
  struct Estimate {
    double error = -1;  ///< less than 0: it is not known
    std::size_t state = 0;

    [[nodiscard]] bool known() const noexcept { return error >= 0; }
  };

  /// Of `plant`, whose inputs are at `u`. It and they outlive the watch.
  ErrorWatch(model::Stepper& plant, model::Stepper::In u);

  /// The next step does not go on smoothly from the one before.
  void forget() noexcept { known_ = 0; }
  /// Whether estimates have exceeded the limit for longer than an input that jumped once can make
  /// them: that is in as many of them as there are slopes in one. To be asked of each.
  [[nodiscard]] bool lasts_above(double limit, double error) noexcept {
    above_ = error > limit ? above_ + 1 : 0;
    return above_ > slopes_;
  }
  /// The step at hand is cut by a jump.
  void cut() noexcept { cut_ = true; }

  /// Looks at the step from t to `end`, which was finished; the inputs are those at its end.
  [[nodiscard]] Estimate look(SimTime t, SimTime end) noexcept {
    return cut_ ? forget_cut() : look_(*this, t, end);
  }

 private:
  // A derivative of the states looked at.
  struct Slope {
    SimTime t{};
    double* f = nullptr;
  };
  struct Worst;
  // The states looked at, until it is the turn of others.
  struct Part {
    std::size_t first = 0;
    std::size_t size = 0;
    int looks = 0;
    bool all = true;  // there are no others
  };
  // How steps have gone on up to the newest slope.
  struct Pace {
    std::size_t even_steps = 0;  // of one length
    Duration length{};           // of the newest
  };
  static constexpr std::size_t most_slopes = 6;
  using Weights = std::array<double, numerics::max_nodes>;
  // What each slope counts for in the newest step.
  struct Shares {
    Weights even;            // their weights where steps are of one length
    Duration even_length{};  // for which `now` was made of these; 0: steps were uneven
    std::array<io::Pair, numerics::max_nodes> now{};
  };

  using Look = Estimate (*)(ErrorWatch&, SimTime t, SimTime end) noexcept;

  [[nodiscard]] Look look_of_method() const noexcept;
  [[nodiscard]] static Estimate look_at_pair(ErrorWatch& watch, SimTime t, SimTime end) noexcept;
  // By N slopes.
  template <std::size_t N>
  [[nodiscard]] static Estimate look_by(ErrorWatch& watch, SimTime t, SimTime end) noexcept;
  [[gnu::noinline, gnu::cold]] Estimate forget_cut() noexcept;
  template <std::size_t N>
  [[gnu::noinline]] Estimate look_at_end(SimTime end, const double* x0) noexcept;
  [[nodiscard]] Estimate looked(const Estimate& found) noexcept;
  template <std::size_t N>
  void begin_slope(SimTime t) noexcept;
  template <std::size_t N>
  [[nodiscard]] Estimate take(const double* f, const double* x0, const double* x1) noexcept;
  [[gnu::noinline]] void weigh_even() noexcept;
  [[gnu::noinline]] void weigh_uneven() noexcept;
  void weigh(const Weights& weights) noexcept;
  [[gnu::noinline]] void turn() noexcept;

  model::Stepper* plant_;
  model::Stepper::In u_;  // its inputs
  std::size_t slopes_;    // that an estimate takes
  Look look_;             // as the method makes it
  bool cut_ = false;      // the step at hand
  std::size_t known_ = 0;
  std::size_t above_ = 0;  // estimates in a row
  Pace pace_;
  Part part_;
  std::array<Slope, most_slopes> slope_{};  // the newest first
  Shares shares_;
  std::vector<double> values_;   // of the slopes
  std::vector<double> start_;    // of the newest step, of the states looked at
  std::vector<double> scratch_;  // of all states
  std::vector<double> size_;     // of each state, the largest so far
};

}  // namespace hild::exec
