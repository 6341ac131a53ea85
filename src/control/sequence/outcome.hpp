// SPDX-License-Identifier: Apache-2.0
/// \file
/// The result of a sequence, step by step, and its three forms: text, JSON, JUnit XML.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/sequence/bench.hpp"
#include "control/sequence/sequence.hpp"
#include "hild/core/time.hpp"

namespace hild::sequence {

enum class Verdict {
  passed,
  failed,   ///< an expectation was not met
  error,    ///< it could not be done
  skipped,  ///< a step before it did not pass
};
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

struct StepOutcome {
  const Step* step = nullptr;
  Verdict verdict = Verdict::skipped;
  Duration start{};       ///< simulated time since the start of the sequence
  Duration end{};         ///< no earlier
  std::string message{};  ///< why the step did not pass; else a remark, or empty
};

struct Outcome {
  SimTime origin{};  ///< simulated time of the run at which the sequence started
  std::vector<StepOutcome> steps;
  std::vector<StepOutcome> always;
  std::optional<Failure::Kind> failure{};  ///< of the first step that was an error
  /// How control of the run was lost meanwhile, so that others may have changed what was judged;
  /// empty: it was not lost.
  std::string displaced{};

  /// The worst verdict of all steps, those of `always` included.
  [[nodiscard]] Verdict verdict() const noexcept;
  [[nodiscard]] int count(Verdict verdict) const noexcept;
};

/// What people are told of one step.
struct StepWords {
  std::string_view result;   ///< as a verdict is written; what is none counts as "error"
  double end_s = 0;          ///< simulated time since the sequence started
  std::string_view name;     ///< of the step
  std::int64_t line = 0;     ///< in the file
  std::string_view message;  ///< as in StepOutcome
};
/// One line, without its end: "PASS  1.250 s  expect shaft_speed".
[[nodiscard]] std::string line_of(const StepWords& step);
/// Likewise.
[[nodiscard]] std::string line_of(const StepOutcome& outcome);
/// How many passed, failed ... in one line, without its end.
[[nodiscard]] std::string summary(const Sequence& sequence, const Outcome& outcome);
/// What a program is told of one step: {name, does, line, result, start_s, end_s, message?}.
[[nodiscard]] json::object to_json(const StepOutcome& outcome);
/// The outcome as a whole, without its steps.
[[nodiscard]] json::object summary_json(const Sequence& sequence, const Outcome& outcome);
/// Likewise with all its steps.
[[nodiscard]] json::value to_json(const Sequence& sequence, const Outcome& outcome);
/// JUnit's schema, from what to_json() gave: a test suite for each outcome, in it one test case for
/// each step, with simulated times.
[[nodiscard]] std::string to_junit(const json::array& outcomes);

}  // namespace hild::sequence
