// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a sequence went, step by step, and its three forms: text, JSON, JUnit XML.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "control/sequence/bench.hpp"
#include "control/sequence/sequence.hpp"
#include "hild/core/time.hpp"

namespace hild::sequence {

enum class Verdict {
  passed,
  failed,   ///< an expectation was not met
  error,    ///< it could not be done
  skipped,  ///< one before it did not pass
};
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

struct StepOutcome {
  const Step* step = nullptr;
  Verdict verdict = Verdict::skipped;
  Duration start{};       ///< simulated time since the start of the sequence
  Duration end{};         ///< no earlier
  std::string message{};  ///< of a step that did not pass what and why; else a remark or nothing
};

struct Outcome {
  SimTime origin{};  ///< simulated time of the run at which the sequence started
  std::vector<StepOutcome> steps;
  std::vector<StepOutcome> always;
  std::optional<Failure::Kind> failure{};  ///< of the first step that was an error
  /// How control of the run was lost meanwhile, so that others may have changed what was judged;
  /// empty: it was not.
  std::string displaced{};

  /// Of all steps, those of `always` included: the worst.
  [[nodiscard]] Verdict verdict() const noexcept;
  [[nodiscard]] int count(Verdict verdict) const noexcept;
};

/// One line, without its end: "PASS  1.250 s  expect shaft_speed".
[[nodiscard]] std::string line_of(const StepOutcome& outcome);
/// How many passed, failed ... in one line, without its end.
[[nodiscard]] std::string summary(const Sequence& sequence, const Outcome& outcome);
[[nodiscard]] boost::json::value to_json(const Sequence& sequence, const Outcome& outcome);
/// A test suite of JUnit's schema: a test case a step, times those of the simulation.
[[nodiscard]] std::string to_junit(const Sequence& sequence, const Outcome& outcome);

}  // namespace hild::sequence
