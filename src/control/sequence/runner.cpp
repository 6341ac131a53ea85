// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <vector>

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

/// A recorder of a run.
struct RecorderState {
  std::string name;
  std::string state;
  std::string error;  ///< of the newest file; "" where there was none
};

std::vector<RecorderState> recorders_in(const json::value& reply, std::string_view method) {
  const auto* const all = reply.is_object() ? reply.get_object().if_contains("recorders") : nullptr;
  if (all == nullptr || !all->is_array()) {
    throw Failure{Failure::Kind::lost, fmt::format("{}: is it another version?", doubtful(method))};
  }
  std::vector<RecorderState> found;
  for (const json::value& one : all->get_array()) {
    const auto text = [&](std::string_view key) -> std::string {
      const json::value* const v = one.is_object() ? one.get_object().if_contains(key) : nullptr;
      return v != nullptr && v->is_string() ? std::string(v->get_string()) : std::string();
    };
    found.push_back({text("name"), text("state"), text("error")});
  }
  return found;
}

/// What must hold beside other steps ends them.
struct Broken {};

/// Judges what must hold beside other steps.
class Beside {
 public:
  Beside(const Step& step, std::size_t column, SimTime begin)
      : step_(&step), during_(&std::get<During>(step.what)), column_(column), begin_(begin) {}

  [[nodiscard]] const Step& step() const noexcept { return *step_; }
  [[nodiscard]] SimTime begin() const noexcept { return begin_; }
  /// When it was seen not to hold; none: it holds.
  [[nodiscard]] const std::optional<SimTime>& broken() const noexcept { return broken_; }

  void feed(SimTime time, const std::vector<double>& values, bool after_gap) {
    if (broken_ || time <= begin_ + during_->after) return;
    gap_ = gap_ || after_gap;
    seen_ = true;
    last_ = values[column_];
    if (!during_->condition.met_by(last_)) broken_ = time;
  }
  [[nodiscard]] std::string words(SimTime origin) const {
    const Condition& c = during_->condition;
    std::string text;
    if (broken_) {
      text = fmt::format("{} was {} at {:.6g} s, expected {} meanwhile", c.signal,
                         value_words(c, last_), seconds(*broken_ - origin), to_string(c));
    } else if (!seen_) {
      text = fmt::format("no sample of {}: it was over before", c.signal);
    }
    if (gap_) {
      text += fmt::format("{}samples were lost, so that not every step is known",
                          text.empty() ? "" : "; ");
    }
    return text;
  }

 private:
  const Step* step_;
  const During* during_;
  std::size_t column_;
  SimTime begin_;
  std::optional<SimTime> broken_;
  double last_ = 0;
  bool seen_ = false;
  bool gap_ = false;
};

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
    std::multimap<std::size_t, const Step*> beginning;
    for (const Step& step : steps) {
      if (const auto* during = std::get_if<During>(&step.what)) {
        beginning.emplace(during->begin, &step);
      }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      StepOutcome outcome{.step = &step, .start = cursor_ - outcome_.origin};
      last_ = i + 1 == steps.size();
      const bool skipped = lost_ || (stop_ && !always);
      if (!skipped) {
        const auto [first, behind] = beginning.equal_range(i);
        for (auto at = first; at != behind; ++at) watch_beside(*at->second);
      }
      if (std::holds_alternative<During>(step.what)) {
        end_beside(step, outcome, skipped);
      } else if (skipped) {
        outcome.end = outcome.start;
      } else {
        run_step(step, outcome);
      }
      if (listener_) listener_(outcome);
      outcomes.push_back(std::move(outcome));
    }
  }

  [[nodiscard]] std::size_t column_of(const std::string& signal) const {
    return static_cast<std::size_t>(std::ranges::find(signals_, signal) - signals_.begin());
  }

  void watch_beside(const Step& step) {
    beside_.emplace_back(step, column_of(std::get<During>(step.what).condition.signal), cursor_);
  }

  // The block is over, or was ended.
  void end_beside(const Step& step, StepOutcome& outcome, bool skipped) {
    const auto found = std::ranges::find(beside_, &step, [](const Beside& b) { return &b.step(); });
    outcome.end = outcome.start;
    if (found == beside_.end()) return;
    outcome.start = found->begin() - outcome_.origin;
    if (!skipped && !found->broken()) {
      try {
        advance_to(cursor_);
        planned_ = false;        // this moment has passed
      } catch (const Broken&) {  // this one, or one that is told next
      } catch (const Failure& failure) {
        note_failure(failure, outcome);
      }
    }
    if (found->broken()) {
      outcome.verdict = Verdict::failed;
      outcome.end = *found->broken() - outcome_.origin;
    } else if (outcome.verdict != Verdict::error) {
      outcome.verdict = skipped ? Verdict::skipped : Verdict::passed;
      outcome.end = std::max(outcome.start, cursor_ - outcome_.origin);
    }
    if (outcome.verdict != Verdict::error) outcome.message = found->words(outcome_.origin);
    if (skipped && !found->broken()) outcome.message.clear();
    stop_ = stop_ || outcome.verdict != Verdict::passed;
    beside_.erase(found);
  }

  void note_failure(const Failure& failure, StepOutcome& outcome) {
    outcome.verdict = Verdict::error;
    outcome.message = failure.message;
    cursor_ = newest_;  // what was planned is not going to be
    planned_ = false;
    if (!outcome_.failure) outcome_.failure = failure.kind;
    lost_ = lost_ || failure.kind == Failure::Kind::lost;
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
      note_failure(failure, outcome);
    } catch (const Broken&) {
      outcome.verdict = Verdict::skipped;
      outcome.message = "ended: what must hold meanwhile did not";
      cursor_ = newest_;
      planned_ = false;
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

  void perform(const During& /*during*/, StepOutcome& /*outcome*/) {}  // end_beside()

  void perform(const Pause& pause, StepOutcome& /*outcome*/) { pass(pause.length); }

  // No change of the plant: it is sent when its time has come. A file is made beside the run, and
  // what became of it is waited for.
  void perform(const Recording& recording, StepOutcome& outcome) {
    advance_to(cursor_);
    planned_ = false;
    json::object params;
    if (!recording.recorder.empty()) params["recorder"] = recording.recorder;
    const char* const method = recording.on ? "record" : "unrecord";
    std::vector<std::string> asked;
    for (const RecorderState& one : recorders_in(bench_.call(method, std::move(params)), method)) {
      asked.push_back(one.name);
    }
    if (!recording.on) return;
    std::vector<RecorderState> now;
    const auto begins = [](const RecorderState& one) { return one.state == "beginning"; };
    for (;;) {
      now = recorders_in(bench_.call("status", {}), "status");
      std::erase_if(now, [&](const RecorderState& one) {
        return std::ranges::find(asked, one.name) == asked.end();
      });
      if (std::ranges::none_of(now, begins)) break;
      fetch();
    }
    for (const RecorderState& one : now) {
      if (one.state != "idle") continue;
      outcome.verdict = Verdict::failed;
      outcome.message += fmt::format("{}{} does not record: {}",
                                     outcome.message.empty() ? "" : "; ", one.name, one.error);
    }
  }

  void perform(const Condition& condition, StepOutcome& outcome) {
    const std::size_t column = column_of(condition.signal);
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
      drop_sample();
      if (watch.state() == Watch::Verdict::open) end_what_is_broken();
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
      // What must hold meanwhile ends the step in the frame in which it does not.
      fetch(beside_.empty() ? t : SimTime{});
      forget();
      end_what_is_broken();
    }
    forget();
    end_what_is_broken();
  }
  void fetch(SimTime until = {}) {
    Samples got = bench_.samples(until);
    for (std::size_t i = 0; i < got.times.size(); ++i) {
      samples_.push_back({got.times[i], std::move(got.values[i]), i == 0 && got.lost > 0});
      newest_ = got.times[i];
    }
  }
  /// Drops the samples up to the cursor.
  void forget() {
    while (!samples_.empty() && samples_.front().time <= cursor_) drop_sample();
  }
  void drop_sample() {
    const Sample& sample = samples_.front();
    for (Beside& one : beside_) one.feed(sample.time, sample.values, sample.after_gap);
    samples_.pop_front();
  }
  void end_what_is_broken() const {
    if (std::ranges::any_of(beside_, [](const Beside& b) { return b.broken().has_value(); })) {
      throw Broken{};
    }
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
  std::vector<Beside> beside_;  ///< what must hold beside the step at hand
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
