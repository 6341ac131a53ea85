// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tries windows out: runs the model offline, by the frame loop on a virtual clock, with the inputs
/// that were followed, and compares each step with the reference. Not real-time.
#pragma once

#include <functional>
#include <memory>

#include "config/plan/assembly.hpp"
#include "offline/advise/solution.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {

/// A plant of the configured model under a candidate's method.
[[nodiscard]] std::unique_ptr<model::Stepper> plant_of(const plan::Assembly& assembly,
                                                       const Candidate& candidate);

/// What a run at a step showed.
struct Outcome {
  bool survived = false;  ///< all steps were made, and no state left what it may have by far
  double measured = 0;    ///< see Trials
};

/// Trials of one model.
///
/// The error measured is the largest deviation of a state from the reference, as a fraction of its
/// largest value there. Where modes that matter do not decay, errors of the phase add up without
/// end: it is then that per radian of the fastest of them, as the error of a root is, over so many
/// radians that an error as large as the accuracy adds up to a tenth, and in the second half of
/// these, where what the first steps of a multistep method added has become small.
///
/// A run survives when it ends neither by itself nor with a state beyond ten times the largest
/// value that the reference has.
class Trials {
 public:
  /// Solves the reference over the trajectory, and over 500 steps of `longest`, in s, where that is
  /// more. Both outlive this. Error: there is no reference.
  [[nodiscard]] static Result<Trials> of(const plan::Assembly& assembly,
                                         const Trajectory& trajectory, const Demand& demand,
                                         double fastest, double longest);

  /// Runs a window's method at a step of h > 0 s.
  [[nodiscard]] Outcome run(const Window& window, double h) const;
  /// Whether it is worth trying: a few steps take no more than some tenths of a second.
  [[nodiscard]] bool worth(const Window& window) const;
  /// The time for which it runs so, s: that of the reference, or of as many steps as take a tenth
  /// of a second by the costs of the window, 5000 at most; and the part of it that is measured.
  ///@{
  [[nodiscard]] double span_of(const Window& window, double h) const;
  [[nodiscard]] double measured_of(const Window& window, double h) const;
  ///@}

 private:
  Trials(const plan::Assembly& assembly, const Trajectory& trajectory, Solution solution,
         double per_second, double radians)
      : assembly_(&assembly),
        trajectory_(&trajectory),
        solution_(std::move(solution)),
        per_second_(per_second),
        radians_(radians) {}

  // Of a step, s.
  [[nodiscard]] double cost_of(const Window& w) const;

  const plan::Assembly* assembly_;
  const Trajectory* trajectory_;
  Solution solution_;
  double per_second_;  // radians of the fastest mode that does not decay
  double radians_;     // over which it is measured
};

/// The share of a stable step at which a run must survive.
inline constexpr double surviving_share = 0.9;

/// Tries the windows, in order: lowers the bound of stability to where a run at 0.9 of it survives,
/// and measures the errors at both ends of those that are open. `claimed` gives what is claimed of
/// a window at a step. `go_on` is told how far it is, 0 ... 1; false ends the trials, and is
/// returned.
bool try_windows(const Trials& trials, std::span<Window> windows,
                 const std::function<std::optional<double>(const Window&, double)>& claimed,
                 const std::function<bool(double)>& go_on);

}  // namespace hild::advise
