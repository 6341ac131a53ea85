// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps that take time: ramps, and conditions on a signal.
#include "control/sequence/step_reader.hpp"

namespace hild::sequence {
namespace {

constexpr Duration usual_every = 20_ms;
constexpr std::int64_t most_settings = 100'000;  ///< of a parameter, in one ramp

}  // namespace

Ramp StepReader::ramp() {
  const Named* of = named("ramp", {Kind::parameter, Kind::input});
  Ramp ramp{.name = std::string(options_.text("ramp")),
            .parameter = of != nullptr && of->kind == Kind::parameter};
  if (options_.has("from")) ramp.from = value("from", of);
  ramp.to = value("to", of);
  ramp.over = options_.duration("over");
  if (ramp.over <= Duration{}) options_.mismatch("over", "a time above 0");
  if (of != nullptr && !ramp.parameter) return ramp;
  ramp.every = options_.duration("every", std::min(usual_every, ramp.over));
  if (ramp.every <= Duration{} || ramp.over.ns / ramp.every.ns > most_settings) {
    options_.mismatch("every", fmt::format("a time above 0, at most {} of them in {} s",
                                           most_settings, seconds(ramp.over)));
  }
  return ramp;
}

Condition StepReader::condition(bool waiting) {
  const std::string_view key = waiting ? "wait until" : "expect";
  const Named* of = named(key, {Kind::output, Kind::input, Kind::state});
  Condition condition{.signal = std::string(options_.text(key))};
  if (of != nullptr) condition.unit = of->unit;
  read_band(condition);
  condition.hold = options_.duration("for", Duration{});
  // An expectation is to be true from now on unless it is given time; what is waited for never is.
  const Duration usual = waiting ? std::max(timeout_, condition.hold) : condition.hold;
  condition.timeout = options_.duration("timeout", usual);
  if (condition.timeout < condition.hold) {
    options_.mismatch("timeout",
                      fmt::format("at least the {} s of \"for\": the timeout includes it",
                                  seconds(condition.hold)));
  }
  return condition;
}

/// `is` with `within`, or `min` and `max`, or one of them.
void StepReader::read_band(Condition& condition) {
  std::string prefix;
  const Named* of = nullptr;
  if (names_ != nullptr) {
    of = *names_->find(condition.signal, {Kind::output, Kind::input, Kind::state});
  }
  if (options_.has("is")) {
    const double centre = value("is", of);
    const double tolerance = value("within", of);
    if (tolerance < 0) options_.mismatch("within", "a tolerance, not negative");
    for (const char* other : {"min", "max"}) {
      if (options_.has(other)) options_.reject(other, "expected \"is\" and \"within\", or limits");
    }
    condition.low = centre - tolerance;
    condition.high = centre + tolerance;
    return;
  }
  if (options_.has("min")) condition.low = value("min", of);
  if (options_.has("max")) condition.high = value("max", of);
  if (!options_.has("min") && !options_.has("max")) {
    options_.reject_all(
        "found nothing to compare with, expected \"is\" with \"within\", \"min\", \"max\", or both "
        "of them");
  }
  if (condition.low > condition.high) options_.mismatch("max", "a limit not below \"min\"");
}

}  // namespace hild::sequence
