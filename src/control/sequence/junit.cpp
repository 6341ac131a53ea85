// SPDX-License-Identifier: Apache-2.0
/// \file
/// The outcome as JUnit XML, as continuous integration servers read it.
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "control/sequence/outcome.hpp"

namespace hild::sequence {
namespace {

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

void add_case(pugi::xml_node suite, std::string_view owner, const StepOutcome& outcome) {
  pugi::xml_node entry = suite.append_child("testcase");
  put(entry, "name", outcome.step->name);
  put(entry, "classname", owner);
  put(entry, "time", fmt::format("{:.9f}", seconds(outcome.end - outcome.start)));
  entry.append_attribute("line") = outcome.step->line;
  if (outcome.verdict == Verdict::skipped) {
    entry.append_child("skipped");
  } else if (outcome.verdict != Verdict::passed) {
    const bool failed = outcome.verdict == Verdict::failed;
    pugi::xml_node why = entry.append_child(failed ? "failure" : "error");
    put(why, "type", outcome.step->keyword);
    put(why, "message", outcome.message);
  } else if (!outcome.message.empty()) {
    entry.append_child("system-out").text() = printable(outcome.message).c_str();
  }
}

}  // namespace

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
  for (const StepOutcome& one : outcome.steps) add_case(suite, sequence.name, one);
  for (const StepOutcome& one : outcome.always) add_case(suite, sequence.name + ".always", one);
  if (displaced > 0) {
    pugi::xml_node entry = suite.append_child("testcase");
    put(entry, "name", "control of the run");
    put(entry, "classname", sequence.name);
    put(entry, "time", "0");
    pugi::xml_node why = entry.append_child("error");
    put(why, "type", "control");
    put(why, "message", outcome.displaced);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace hild::sequence
