// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace hild::sequence {
namespace {

namespace json = boost::json;

/// A change is sent this long before it is due: longer than samples, which tell the time, lag.
constexpr Duration lead = 250_ms;

}  // namespace

Runner::Runner(Bench& bench, const Sequence& sequence, std::string idle_signal, Listener listener)
    : bench_(bench),
      sequence_(sequence),
      signals_(signals_of(sequence)),
      listener_(std::move(listener)) {
  if (signals_.empty()) signals_.push_back(std::move(idle_signal));
}

Answer<Outcome> Runner::run() {
  if (Done ready = subscribe(); !ready) return tl::make_unexpected(ready.error());
  outcome_.origin = cursor_ = newest_;
  forget();
  run_steps(sequence_.steps, outcome_.steps, false);
  run_steps(sequence_.always, outcome_.always, true);
  unsubscribe();
  return std::move(outcome_);
}

Runner::Done Runner::subscribe() {
  const auto status = bench_.call("status", {});
  if (!status) return tl::make_unexpected(status.error());
  const json::value* period =
      status->is_object() ? status->get_object().if_contains("period_s") : nullptr;
  if (period == nullptr || !period->is_number()) {
    return tl::make_unexpected(Failure{Failure::Kind::lost,
                                       "the daemon tells no period_s: is it "
                                       "another version?"});
  }
  period_ = from_seconds(period->to_number<double>());
  json::object params{{"names", json::array(signals_.begin(), signals_.end())}, {"every", 1}};
  const auto reply = bench_.call("subscribe", std::move(params));
  if (!reply) return tl::make_unexpected(reply.error());
  if (const auto* id =
          reply->is_object() ? reply->get_object().if_contains("subscription") : nullptr;
      id != nullptr && id->is_number()) {
    subscription_ = id->to_number<std::int64_t>();
  }
  return fetch();
}

void Runner::unsubscribe() {
  if (!lost_) static_cast<void>(bench_.call("unsubscribe", {{"subscription", subscription_}}));
}

void Runner::run_steps(const std::vector<Step>& steps, std::vector<StepOutcome>& outcomes,
                       bool always) {
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

void Runner::run_step(const Step& step, StepOutcome& outcome) {
  outcome.verdict = Verdict::passed;
  Done done = start_at(step, outcome);
  if (done && outcome.verdict == Verdict::passed) {
    outcome.start = cursor_ - outcome_.origin;
    done = std::visit([&](const auto& what) { return perform(what, outcome); }, step.what);
  }
  if (!done) {
    outcome.verdict = Verdict::error;
    outcome.message = done.error().message;
    cursor_ = newest_;  // what was planned is not going to be
    planned_ = false;
    if (!outcome_.failure) outcome_.failure = done.error().kind;
    lost_ = lost_ || done.error().kind == Failure::Kind::lost;
  }
  outcome.end = std::max(outcome.start, cursor_ - outcome_.origin);
  stop_ = stop_ || outcome.verdict != Verdict::passed;
}

Runner::Done Runner::start_at(const Step& step, StepOutcome& outcome) {
  if (!step.at) return {};
  const SimTime at = outcome_.origin + *step.at;
  if (at < cursor_) {
    outcome.verdict = Verdict::failed;
    outcome.message = fmt::format(
        "it is {:.6g} s already, so \"at\" has passed: give it a later "
        "time, or the steps before it a shorter timeout",
        seconds(cursor_ - outcome_.origin));
    return {};
  }
  cursor_ = at;
  planned_ = true;
  return approach();
}

Runner::Done Runner::perform(const Pause& pause, StepOutcome& /*outcome*/) {
  return pass(pause.length);
}

Runner::Done Runner::perform(const Condition& condition, StepOutcome& outcome) {
  const auto found = std::ranges::find(signals_, condition.signal);
  const auto column = static_cast<std::size_t>(found - signals_.begin());
  Watch watch(condition, cursor_);
  while (watch.state() == Watch::State::open) {
    while (samples_.empty()) {
      if (Done more = fetch(); !more) {
        more.error().message += "; " + watch.words(outcome_.origin);
        return more;
      }
    }
    const Sample& sample = samples_.front();
    if (sample.time > cursor_) watch.feed(sample.time, sample.values[column], sample.after_gap);
    samples_.pop_front();
  }
  cursor_ = std::max(cursor_, watch.decided());
  planned_ = false;
  if (watch.state() == Watch::State::failed) {
    outcome.verdict = Verdict::failed;
    outcome.message = watch.words(outcome_.origin);
  }
  return {};
}

// ---- time --------------------------------------------------------------------------------------

Runner::Done Runner::pass(Duration length) {
  cursor_ += length;
  planned_ = true;
  return last_ ? advance_to(cursor_) : approach();
}

Runner::Done Runner::approach() { return advance_to(cursor_ - lead); }

Runner::Done Runner::advance_to(SimTime t) {
  while (newest_ < t) {
    if (Done more = fetch(); !more) return more;
    forget();
  }
  forget();
  return {};
}

Runner::Done Runner::fetch() {
  auto got = bench_.samples();
  if (!got) return tl::make_unexpected(std::move(got.error()));
  for (std::size_t i = 0; i < got->times.size(); ++i) {
    samples_.push_back({got->times[i], std::move(got->values[i]), i == 0 && got->lost > 0});
    newest_ = got->times[i];
  }
  return {};
}

void Runner::forget() {
  while (!samples_.empty() && samples_.front().time <= cursor_) samples_.pop_front();
}

}  // namespace hild::sequence
