// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace hild::sequence {
namespace {

namespace json = boost::json;

json::array steps_json(const std::vector<StepOutcome>& outcomes) {
  json::array steps;
  for (const StepOutcome& one : outcomes) {
    json::object entry{{"name", one.step->name},        {"does", one.step->keyword},
                       {"line", one.step->line},        {"result", to_string(one.verdict)},
                       {"start_s", seconds(one.start)}, {"end_s", seconds(one.end)}};
    if (!one.message.empty()) entry["message"] = one.message;
    steps.push_back(std::move(entry));
  }
  return steps;
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::error:
      return "error";
    case Verdict::skipped:
      return "skipped";
  }
  return "";
}

int Outcome::count(Verdict verdict) const noexcept {
  const auto is = [&](const StepOutcome& one) { return one.verdict == verdict; };
  return static_cast<int>(std::ranges::count_if(steps, is) + std::ranges::count_if(always, is));
}

Verdict Outcome::verdict() const noexcept {
  if (!displaced.empty()) return Verdict::error;
  if (count(Verdict::failed) > 0) return Verdict::failed;
  return count(Verdict::error) > 0 ? Verdict::error : Verdict::passed;
}

std::string line_of(const StepOutcome& outcome) {
  constexpr std::string_view words[] = {"PASS ", "FAIL ", "ERROR", "SKIP "};
  std::string text =
      fmt::format("{} {:9.3f} s  {}", words[static_cast<std::size_t>(outcome.verdict)],
                  seconds(outcome.end), outcome.step->name);
  if (outcome.message.empty()) return text;
  const bool remark = outcome.verdict == Verdict::passed;
  return text + (remark
                     ? fmt::format(" ({})", outcome.message)
                     : fmt::format("\n        line {}: {}", outcome.step->line, outcome.message));
}

std::string summary(const Sequence& sequence, const Outcome& outcome) {
  std::string text = fmt::format("{}: {}", sequence.name, to_string(outcome.verdict()));
  std::string_view separator = " (";
  for (const Verdict v : {Verdict::passed, Verdict::failed, Verdict::error, Verdict::skipped}) {
    if (outcome.count(v) == 0) continue;
    text += fmt::format("{}{} {}", separator, outcome.count(v), to_string(v));
    separator = ", ";
  }
  text += separator == " (" ? "" : ")";
  return outcome.displaced.empty() ? text : text + "\n        " + outcome.displaced;
}

json::value to_json(const Sequence& sequence, const Outcome& outcome) {
  json::object o{{"name", sequence.name},
                 {"file", sequence.file},
                 {"description", sequence.description},
                 {"result", to_string(outcome.verdict())},
                 {"sim_time_s", seconds(outcome.origin)},
                 {"passed", outcome.count(Verdict::passed)},
                 {"failed", outcome.count(Verdict::failed)},
                 {"errors", outcome.count(Verdict::error)},
                 {"skipped", outcome.count(Verdict::skipped)},
                 {"steps", steps_json(outcome.steps)},
                 {"always", steps_json(outcome.always)}};
  if (!outcome.displaced.empty()) o["displaced"] = outcome.displaced;
  return o;
}

}  // namespace hild::sequence
