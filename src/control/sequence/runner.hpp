// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a sequence. A change is sent ahead, together with the time it is for, so that it takes
/// effect at exactly that step; conditions look at the samples of every step, not at the value at
/// the instant of asking.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "control/sequence/bench.hpp"
#include "control/sequence/outcome.hpp"
#include "control/sequence/sequence.hpp"
#include "control/sequence/watch.hpp"

namespace hild::sequence {

class Runner {
 public:
  /// Called with the outcome of every step as soon as it is decided.
  using Listener = std::function<void(const StepOutcome&)>;

  /// All arguments outlive the runner. `idle_signal` is subscribed to when the sequence has no
  /// condition, since samples tell what time it is.
  Runner(Bench& bench, const Sequence& sequence, std::string idle_signal, Listener listener = {});

  /// Runs the sequence; to be called once. A failure is one that happened before the first step.
  [[nodiscard]] Answer<Outcome> run();

 private:
  struct Sample {
    SimTime time;
    std::vector<double> values;
    bool after_gap;
  };
  using Done = Answer<void>;

  Done subscribe();
  void unsubscribe();
  void run_steps(const std::vector<Step>& steps, std::vector<StepOutcome>& outcomes, bool always);
  void run_step(const Step& step, StepOutcome& outcome);
  Done start_at(const Step& step, StepOutcome& outcome);

  Done perform(const Command& command, StepOutcome& outcome);
  Done perform(const Ramp& ramp, StepOutcome& outcome);
  Done perform(const Pause& pause, StepOutcome& outcome);
  Done perform(const Condition& condition, StepOutcome& outcome);
  Done ramp_parameter(const Ramp& ramp, double from, StepOutcome& outcome);

  /// Sends a change for the time of the cursor, and moves the cursor to when it took effect.
  Done change(std::string_view method, boost::json::object params, StepOutcome& outcome);
  Answer<double> present_value(const std::string& name);
  [[nodiscard]] boost::json::object params_of(const Change& change) const;

  /// Moves the cursor on by `length` and approaches it; at the end of a list it waits until it is
  /// there.
  Done pass(Duration length);
  /// Waits until what is planned for the time of the cursor must be sent.
  Done approach();
  /// Waits until simulated time has reached `t`.
  Done advance_to(SimTime t);
  Done fetch();
  /// Drops the samples up to the cursor.
  void forget();

  Bench& bench_;
  const Sequence& sequence_;
  std::vector<std::string> signals_;
  Listener listener_;
  Outcome outcome_;
  std::int64_t subscription_ = 0;
  Duration period_{};
  SimTime cursor_{};      ///< the time of the sequence, at which its next step begins
  bool planned_ = false;  ///< the cursor was set by a wait or `at`, and must be met exactly
  SimTime newest_{};
  std::deque<Sample> samples_;  ///< later than the cursor
  bool last_ = false;           ///< the step at hand is the last of its list
  bool stop_ = false;           ///< some step did not pass
  bool lost_ = false;           ///< the connection to the run is lost
};

}  // namespace hild::sequence
