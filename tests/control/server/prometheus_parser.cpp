// SPDX-License-Identifier: Apache-2.0
#include "control/server/prometheus_parser.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

namespace hild::testing {
namespace {

[[noreturn]] void wrong(const std::string& line, const std::string& why) {
  throw std::runtime_error(why + ": " + line);
}

/// Labels from after the "{" to the "}", which is where it leaves `at`.
std::map<std::string, std::string> read_labels(const std::string& line, std::size_t& at) {
  static const std::regex label("[a-zA-Z_][a-zA-Z0-9_]*");
  std::map<std::string, std::string> labels;
  while (line.at(at) != '}') {
    const std::size_t equals = line.find('=', at);
    if (equals == std::string::npos) wrong(line, "a label without =");
    const std::string name = line.substr(at, equals - at);
    if (!std::regex_match(name, label)) wrong(line, "label " + name);
    at = equals + 1;
    if (line.at(at++) != '"') wrong(line, "a label value without quotes");
    std::string value;
    for (; line.at(at) != '"'; ++at) {
      if (line[at] != '\\') {
        value += line[at];
        continue;
      }
      const char escaped = line.at(++at);
      if (escaped != '\\' && escaped != '"' && escaped != 'n') wrong(line, "an unknown escape");
      value += escaped == 'n' ? '\n' : escaped;
    }
    ++at;
    if (!labels.emplace(name, value).second) wrong(line, "a label twice");
    if (line.at(at) == ',') ++at;
  }
  return labels;
}

double read_value(const std::string& line, const std::string& text) {
  if (text == "+Inf") return INFINITY;
  if (text == "-Inf") return -INFINITY;
  if (text == "NaN") return NAN;
  std::size_t used = 0;
  const double v = std::stod(text, &used);
  if (used != text.size()) wrong(line, "a value with more after it");
  return v;
}

/// The family a sample belongs to: histograms have suffixes.
std::string family_of(const Exposition& e, const std::string& name) {
  if (e.families.contains(name)) return name;
  for (const std::string suffix : {"_bucket", "_sum", "_count"}) {
    if (!name.ends_with(suffix)) continue;
    std::string family = name.substr(0, name.size() - suffix.size());
    if (e.families.contains(family) && e.families.at(family).type == "histogram") return family;
  }
  return {};
}

}  // namespace

double Exposition::value(const std::string& name,
                         const std::map<std::string, std::string>& labels) const {
  for (const Sample& s : samples) {
    if (s.name == name && s.labels == labels) return s.value;
  }
  throw std::runtime_error("no sample " + name);
}

Exposition parse_exposition(const std::string& text) {
  if (!text.ends_with('\n')) throw std::runtime_error("the last line must end with a line feed");
  Exposition e;
  static const std::regex help("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)");
  static const std::regex type(
      "# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)");
  std::set<std::string> closed;  // families whose samples have ended: a family is one group
  std::set<std::pair<std::string, std::map<std::string, std::string>>> seen;
  std::string current;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (std::regex_match(line, m, help)) {
      if (e.families.contains(m[1])) wrong(line, "help twice");
      e.families[m[1]].help = m[2];
      continue;
    }
    if (std::regex_match(line, m, type)) {
      if (!e.families[m[1]].type.empty()) wrong(line, "type twice");
      e.families[m[1]].type = m[2];
      continue;
    }
    if (line.empty() || line[0] == '#') wrong(line, "neither help, nor type, nor sample");
    Exposition::Sample s;
    std::size_t at = line.find_first_of("{ ");
    if (at == std::string::npos) wrong(line, "no value");
    s.name = line.substr(0, at);
    if (line[at] == '{') {
      s.labels = read_labels(line, ++at);
      ++at;
    }
    if (line.at(at) != ' ') wrong(line, "no space before the value");
    s.value = read_value(line, line.substr(at + 1));
    const std::string family = family_of(e, s.name);
    if (family.empty() || e.families.at(family).type.empty()) wrong(line, "no type before it");
    if (family != current) {
      if (!closed.insert(family).second) wrong(line, "a family in two pieces");
      current = family;
    }
    if (!seen.emplace(s.name, s.labels).second) wrong(line, "the same sample twice");
    e.samples.push_back(std::move(s));
  }
  return e;
}

}  // namespace hild::testing
