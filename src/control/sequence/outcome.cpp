// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "core/control_characters.hpp"

namespace hild::sequence {
namespace {

json::array steps_json(const std::vector<StepOutcome>& outcomes) {
  json::array steps;
  for (const StepOutcome& one : outcomes) steps.push_back(to_json(one));
  return steps;
}

/// XML 1.0 has no place for control characters, escaped or not.
void put(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = without_controls(value, '?', "\t\n").c_str();
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

std::string text_in(const json::object& o, std::string_view key) {
  const json::value* const v = o.if_contains(key);
  return v != nullptr && v->is_string() ? std::string(v->get_string()) : std::string();
}
double number_in(const json::object& o, std::string_view key) {
  const json::value* const v = o.if_contains(key);
  return v != nullptr && v->is_number() ? v->to_number<double>() : 0.0;
}
const json::array& list_in(const json::object& o, std::string_view key) {
  static const json::array none;
  const json::value* const v = o.if_contains(key);
  return v != nullptr && v->is_array() ? v->get_array() : none;
}

void add_step(pugi::xml_node suite, std::string_view owner, const json::object& step) {
  const std::string result = text_in(step, "result");
  const std::string message = text_in(step, "message");
  pugi::xml_node entry =
      add_case(suite, text_in(step, "name"), owner,
               fmt::format("{:.9f}", number_in(step, "end_s") - number_in(step, "start_s")));
  entry.append_attribute("line") = static_cast<int>(number_in(step, "line"));
  if (result == to_string(Verdict::skipped)) {
    entry.append_child("skipped");
  } else if (result != to_string(Verdict::passed)) {
    const char* const kind = result == to_string(Verdict::failed) ? "failure" : "error";
    add_why(entry, kind, text_in(step, "does"), message);
  } else if (!message.empty()) {
    entry.append_child("system-out").text() = without_controls(message, '?', "\t\n").c_str();
  }
}

/// "load step (load = 0.1 Nm)".
std::string suite_name(const json::object& outcome) {
  std::string name = text_in(outcome, "name");
  const json::value* const let = outcome.if_contains("let");
  if (let == nullptr || !let->is_object() || let->get_object().empty()) return name;
  std::string values;
  for (const auto& [variable, value] : let->get_object()) {
    values += fmt::format("{}{} = {}", values.empty() ? " (" : ", ", std::string_view(variable),
                          value.is_string() ? std::string_view(value.get_string()) : "");
  }
  return name + values + ")";
}

void add_suite(pugi::xml_node suites, const json::object& outcome) {
  const std::string name = suite_name(outcome);
  const json::array& steps = list_in(outcome, "steps");
  const json::array& always = list_in(outcome, "always");
  double end = 0;
  for (const json::array* list : {&steps, &always}) {
    for (const json::value& one : *list) {
      if (one.is_object()) end = std::max(end, number_in(one.get_object(), "end_s"));
    }
  }
  pugi::xml_node suite = suites.append_child("testsuite");
  put(suite, "name", name);
  put(suite, "file", text_in(outcome, "file"));
  const std::string displaced = text_in(outcome, "displaced");
  const int more = displaced.empty() ? 0 : 1;  // is a test case of its own
  suite.append_attribute("tests") = static_cast<int>(steps.size() + always.size()) + more;
  suite.append_attribute("failures") = static_cast<int>(number_in(outcome, "failed"));
  suite.append_attribute("errors") = static_cast<int>(number_in(outcome, "errors")) + more;
  suite.append_attribute("skipped") = static_cast<int>(number_in(outcome, "skipped"));
  put(suite, "time", fmt::format("{:.9f}", end));
  for (const json::value& one : steps) {
    if (one.is_object()) add_step(suite, name, one.get_object());
  }
  for (const json::value& one : always) {
    if (one.is_object()) add_step(suite, name + ".always", one.get_object());
  }
  if (more > 0) {
    add_why(add_case(suite, "control of the run", name, "0"), "error", "control", displaced);
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

std::string line_of(const StepWords& step) {
  Verdict verdict = Verdict::error;
  for (const Verdict one : {Verdict::passed, Verdict::failed, Verdict::skipped}) {
    if (step.result == to_string(one)) verdict = one;
  }
  constexpr std::string_view words[] = {"PASS ", "FAIL ", "ERROR", "SKIP "};
  std::string text = fmt::format("{} {:9.3f} s  {}", words[static_cast<std::size_t>(verdict)],
                                 step.end_s, step.name);
  if (step.message.empty()) return text;
  return text + (verdict == Verdict::passed
                     ? fmt::format(" ({})", step.message)
                     : fmt::format("\n        line {}: {}", step.line, step.message));
}

std::string line_of(const StepOutcome& outcome) {
  return line_of(StepWords{.result = to_string(outcome.verdict),
                           .end_s = seconds(outcome.end),
                           .name = outcome.step->name,
                           .line = outcome.step->line,
                           .message = outcome.message});
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

json::object to_json(const StepOutcome& outcome) {
  json::object entry{{"name", outcome.step->name},        {"does", outcome.step->keyword},
                     {"line", outcome.step->line},        {"result", to_string(outcome.verdict)},
                     {"start_s", seconds(outcome.start)}, {"end_s", seconds(outcome.end)}};
  if (!outcome.message.empty()) entry["message"] = outcome.message;
  return entry;
}

json::object summary_json(const Sequence& sequence, const Outcome& outcome) {
  json::object o{{"name", sequence.name},
                 {"file", sequence.file},
                 {"description", sequence.description},
                 {"result", to_string(outcome.verdict())},
                 {"sim_time_s", seconds(outcome.origin)},
                 {"passed", outcome.count(Verdict::passed)},
                 {"failed", outcome.count(Verdict::failed)},
                 {"errors", outcome.count(Verdict::error)},
                 {"skipped", outcome.count(Verdict::skipped)}};
  if (!outcome.displaced.empty()) o["displaced"] = outcome.displaced;
  if (!sequence.swept.empty()) {
    json::object let;
    for (const Let& one : sequence.swept) let[one.name] = one.value;
    o["let"] = std::move(let);
  }
  return o;
}

json::value to_json(const Sequence& sequence, const Outcome& outcome) {
  json::object o = summary_json(sequence, outcome);
  o["steps"] = steps_json(outcome.steps);
  o["always"] = steps_json(outcome.always);
  return o;
}

std::string to_junit(const json::array& outcomes) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  for (const json::value& one : outcomes) {
    if (one.is_object()) add_suite(suites, one.get_object());
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace hild::sequence
