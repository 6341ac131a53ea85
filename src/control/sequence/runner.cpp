// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <deque>

#include "control/sequence/watch.hpp"

namespace hild::sequence {
namespace {

/// A change is sent this long before it is due: longer than samples, which tell the time, lag.
constexpr Duration lead = 250_ms;

/// A number in a reply; `doubt` says what it is that makes no sense without it.
double number_in(const json::value* of, std::string_view key, std::string_view doubt) {
  const json::value* value =
      of != nullptr && of->is_object() ? of->get_object().if_contains(key) : nullptr;
  if (value != nullptr && value->is_number()) return value->to_number<double>();
  throw Failure{Failure::Kind::lost, fmt::format("{}: is it another version?", doubt)};
}

std::string doubtful(std::string_view method) {
  return fmt::format("the daemon's reply to {} makes no sense", method);
}

class Runner {
 public:
  Runner(Bench& bench, const Sequence& sequence, std::string idle_signal, Listener listener)
      : bench_(bench),
        sequence_(sequence),
        signals_(signals_of(sequence)),
        listener_(std::move(listener)) {
    if (signals_.empty()) signals_.push_back(std::move(idle_signal));
  }

  Outcome run() {
    subscribe();
    outcome_.origin = cursor_ = newest_;
    forget();
    run_steps(sequence_.steps, outcome_.steps, false);
    run_steps(sequence_.always, outcome_.always, true);
    if (!lost_) unsubscribe();
    return std::move(outcome_);
  }

 private:
  struct Sample {
    SimTime time;
    std::vector<double> values;
    bool after_gap;
  };

  void subscribe() {
    const json::value status = bench_.call("status", {});
    period_ = from_seconds(number_in(&status, "period_s", "the daemon tells no period_s"));
    const json::value reply = bench_.call(
        "subscribe", {{"names", json::array(signals_.begin(), signals_.end())}, {"every", 1}});
    if (const auto* id =
            reply.is_object() ? reply.get_object().if_contains("subscription") : nullptr;
        id != nullptr && id->is_number()) {
      subscription_ = id->to_number<std::int64_t>();
    }
    fetch();
  }

  void unsubscribe() {
    try {
      bench_.call("unsubscribe", {{"subscription", subscription_}});
    } catch (const Failure&) {  // it goes with the connection
    }
  }

  void run_steps(const std::vector<Step>& steps, std::vector<StepOutcome>& outcomes, bool always) {
    for (const Step& step : steps) {
      StepOutcome outcome{.step = &step, .start = cursor_ - outcome_.origin};
      last_ = &step == &steps.back();
      if (lost_ || (stop_ && !always)) {
        outcome.end = outcome.start;
      } else {
        run_step(step, outcome);
      }
      if (listener_) listener_(outcome);
      outcomes.push_back(std::move(outcome));
    }
  }

  void run_step(const Step& step, StepOutcome& outcome) {
    outcome.verdict = Verdict::passed;
    try {
      start_at(step, outcome);
      if (outcome.verdict == Verdict::passed) {
        outcome.start = cursor_ - outcome_.origin;
        std::visit([&](const auto& what) { perform(what, outcome); }, step.what);
      }
    } catch (const Failure& failure) {
      outcome.verdict = Verdict::error;
      outcome.message = failure.message;
      cursor_ = newest_;  // what was planned is not going to be
      planned_ = false;
      if (!outcome_.failure) outcome_.failure = failure.kind;
      lost_ = lost_ || failure.kind == Failure::Kind::lost;
    }
    outcome.end = std::max(outcome.start, cursor_ - outcome_.origin);
    stop_ = stop_ || outcome.verdict != Verdict::passed;
  }

  void start_at(const Step& step, StepOutcome& outcome) {
    if (!step.at) return;
    const SimTime at = outcome_.origin + *step.at;
    if (at < cursor_) {
      outcome.verdict = Verdict::failed;
      outcome.message = fmt::format(
          "it is {:.6g} s already, so \"at\" has passed: give it a later time, or the steps before "
          "it a shorter timeout",
          seconds(cursor_ - outcome_.origin));
      return;
    }
    cursor_ = at;
    planned_ = true;
    approach();
  }

  // ---- steps -----------------------------------------------------------------------------------

  void perform(const Pause& pause, StepOutcome& /*outcome*/) { pass(pause.length); }

  void perform(const Condition& condition, StepOutcome& outcome) {
    const auto found = std::ranges::find(signals_, condition.signal);
    const auto column = static_cast<std::size_t>(found - signals_.begin());
    Watch watch(condition, cursor_);
    while (watch.state() == Watch::Verdict::open) {
      try {
        while (samples_.empty()) fetch();
      } catch (Failure& failure) {
        failure.message += "; " + watch.words(outcome_.origin);
        throw;
      }
      const Sample& sample = samples_.front();
      if (sample.time > cursor_) watch.feed(sample.time, sample.values[column], sample.after_gap);
      samples_.pop_front();
    }
    cursor_ = std::max(cursor_, watch.decided());
    planned_ = false;
    if (watch.state() == Watch::Verdict::failed) {
      outcome.verdict = Verdict::failed;
      outcome.message = watch.words(outcome_.origin);
    }
  }

  void perform(const Command& command, StepOutcome& outcome) {
    if (command.changes.size() == 1) {
      const Change& only = command.changes.front();
      return change(only.method, params_of(only), outcome);
    }
    json::array changes;
    for (const Change& one : command.changes) {
      changes.push_back(json::object{{one.method, params_of(one)}});
    }
    change("transaction", {{"changes", std::move(changes)}}, outcome);
  }

  void perform(const Ramp& ramp, StepOutcome& outcome) {
    const double from = ramp.from ? *ramp.from : present_value(ramp.name);
    if (ramp.parameter) return ramp_parameter(ramp, from, outcome);
    change("stimulate",
           {{"input", ramp.name},
            {"shape", "ramp"},
            {"replace", true},
            {"offset", from},
            {"amplitude", ramp.to - from},
            {"over_s", seconds(ramp.over)}},
           outcome);
    pass(ramp.over);
  }

  /// Each setting has the value of its own time on the line, and is sent for that time.
  void ramp_parameter(const Ramp& ramp, double from, StepOutcome& outcome) {
    SimTime start = cursor_;
    const std::int64_t settings = std::max<std::int64_t>(ramp.over.ns / ramp.every.ns, 1);
    for (std::int64_t k = 0; k <= settings; ++k) {
      const SimTime at = k == settings ? start + ramp.over : start + ramp.every * k;
      // The last value is reached exactly.
      const double share = seconds(at - start) / seconds(ramp.over);
      const double value = k == settings ? ramp.to : from + (ramp.to - from) * share;
      cursor_ = std::max(cursor_, at);
      planned_ = planned_ || k > 0;
      change("set", {{"values", {{ramp.name, value}}}}, outcome);
      if (k == 0) start = cursor_;
    }
  }

  /// Sends a change for the time of the cursor, and moves the cursor to when it took effect.
  void change(std::string_view method, json::object params, StepOutcome& outcome) {
    approach();
    params["at"] = {{"time_s", seconds(cursor_)}};
    const json::value reply = bench_.call(method, std::move(params));
    const SimTime took_effect =
        SimTime{} + from_seconds(number_in(&reply, "time_s", doubtful(method)));
    // A frame for the grid and one for a doubled step are nobody's fault.
    const Duration late = took_effect - cursor_;
    if (planned_ && late > period_ * 2) {
      outcome.message = fmt::format("took effect {:.6g} s late", seconds(late));
    }
    cursor_ = std::max(cursor_, took_effect);
    planned_ = false;
    forget();
  }

  double present_value(const std::string& name) {
    advance_to(cursor_);
    const json::value reply = bench_.call("get", {{"names", json::array{name}}});
    const auto* values = reply.is_object() ? reply.get_object().if_contains("values") : nullptr;
    return number_in(values, name, doubtful("get"));
  }

  [[nodiscard]] json::object params_of(const Change& change) const {
    json::object params = change.params;
    if (change.lasts > Duration{}) {
      params["frames"] =
          std::max<std::int64_t>(std::llround(seconds(change.lasts) / seconds(period_)), 1);
    }
    return params;
  }

  // ---- time ------------------------------------------------------------------------------------

  /// Moves the cursor on by `length` and approaches it; at the end of a list it waits until it is
  /// there.
  void pass(Duration length) {
    cursor_ += length;
    planned_ = true;
    last_ ? advance_to(cursor_) : approach();
  }
  /// Waits until what is planned for the time of the cursor must be sent.
  void approach() { advance_to(cursor_ - lead); }
  /// Waits until simulated time has reached `t`.
  void advance_to(SimTime t) {
    while (newest_ < t) {
      fetch();
      forget();
    }
    forget();
  }
  void fetch() {
    Samples got = bench_.samples();
    for (std::size_t i = 0; i < got.times.size(); ++i) {
      samples_.push_back({got.times[i], std::move(got.values[i]), i == 0 && got.lost > 0});
      newest_ = got.times[i];
    }
  }
  /// Drops the samples up to the cursor.
  void forget() {
    while (!samples_.empty() && samples_.front().time <= cursor_) samples_.pop_front();
  }

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

}  // namespace

tl::expected<Outcome, Failure> run_sequence(Bench& bench, const Sequence& sequence,
                                            std::string idle_signal, Listener listener) {
  try {
    return Runner(bench, sequence, std::move(idle_signal), std::move(listener)).run();
  } catch (const Failure& failure) {
    return tl::make_unexpected(failure);
  }
}

}  // namespace hild::sequence
