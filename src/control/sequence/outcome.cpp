// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <pugixml.hpp>
#include <sstream>

namespace hild::sequence {
namespace {

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

/// XML 1.0 has no place for control characters, escaped or not.
std::string printable(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](unsigned char c) { return (c < ' ' && c != '\t' && c != '\n') || c == 0x7F; }, '?');
  return out;
}

void put(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = printable(value).c_str();
}

pugi::xml_node add_case(pugi::xml_node suite, std::string_view name, std::string_view owner,
                        std::string_view time) {
  pugi::xml_node entry = suite.append_child("testcase");
  put(entry, "name", name);
  put(entry, "classname", owner);
  put(entry, "time", time);
  return entry;
}

void add_why(pugi::xml_node entry, const char* kind, std::string_view type,
             std::string_view message) {
  pugi::xml_node why = entry.append_child(kind);
  put(why, "type", type);
  put(why, "message", message);
}

void add_step(pugi::xml_node suite, std::string_view owner, const StepOutcome& outcome) {
  const Step& step = *outcome.step;
  pugi::xml_node entry = add_case(suite, step.name, owner,
                                  fmt::format("{:.9f}", seconds(outcome.end - outcome.start)));
  entry.append_attribute("line") = step.line;
  if (outcome.verdict == Verdict::skipped) {
    entry.append_child("skipped");
  } else if (outcome.verdict != Verdict::passed) {
    const char* const kind = outcome.verdict == Verdict::failed ? "failure" : "error";
    add_why(entry, kind, step.keyword, outcome.message);
  } else if (!outcome.message.empty()) {
    entry.append_child("system-out").text() = printable(outcome.message).c_str();
  }
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  static constexpr std::string_view words[] = {"passed", "failed", "error", "skipped"};
  return words[static_cast<std::size_t>(verdict)];
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

std::string to_junit(const Sequence& sequence, const Outcome& outcome) {
  Duration end{};
  for (const auto* list : {&outcome.steps, &outcome.always}) {
    for (const StepOutcome& one : *list) end = std::max(end, one.end);
  }
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  put(suite, "name", sequence.name);
  put(suite, "file", sequence.file);
  const int displaced = outcome.displaced.empty() ? 0 : 1;  // is a test case of its own
  suite.append_attribute("tests") =
      static_cast<int>(outcome.steps.size() + outcome.always.size()) + displaced;
  suite.append_attribute("failures") = outcome.count(Verdict::failed);
  suite.append_attribute("errors") = outcome.count(Verdict::error) + displaced;
  suite.append_attribute("skipped") = outcome.count(Verdict::skipped);
  put(suite, "time", fmt::format("{:.9f}", seconds(end)));
  for (const StepOutcome& one : outcome.steps) add_step(suite, sequence.name, one);
  for (const StepOutcome& one : outcome.always) add_step(suite, sequence.name + ".always", one);
  if (displaced > 0) {
    add_why(add_case(suite, "control of the run", sequence.name, "0"), "error", "control",
            outcome.displaced);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace hild::sequence
