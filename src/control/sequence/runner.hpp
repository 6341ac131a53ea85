// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a sequence. A change is sent ahead of its time with that time, so that it takes effect at
/// the very step; conditions look at every step, never at what it happens to be when asked.
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
  /// Told of every step as soon as it is decided.
  using Listener = std::function<void(const StepOutcome&)>;

  /// All outlive the runner. `idle_signal` is subscribed to when the sequence has no condition: its
  /// samples are what tells the time.
  Runner(Bench& bench, const Sequence& sequence, std::string idle_signal, Listener listener = {});

  /// Once. Failure: what happened before the first step.
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

  /// Sends a change for the time of the cursor, which goes on to when it took effect.
  Done change(std::string_view method, boost::json::object params, StepOutcome& outcome);
  Answer<double> present_value(const std::string& name);
  [[nodiscard]] boost::json::object params_of(const Change& change) const;

  /// Moves the cursor on, and approaches it; at the end of a list it gets there.
  Done pass(Duration length);
  /// Until what is planned for the time of the cursor must be sent.
  Done approach();
  /// Until simulated time is at `t`.
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
  SimTime cursor_{};      ///< the time of the sequence: what comes next comes then
  bool planned_ = false;  ///< it was chosen by a wait or `at`, and is to be met
  SimTime newest_{};
  std::deque<Sample> samples_;  ///< later than the cursor
  bool last_ = false;           ///< the step at hand is the last of its list
  bool stop_ = false;           ///< one did not pass
  bool lost_ = false;           ///< there is nobody to ask
};

}  // namespace hild::sequence
