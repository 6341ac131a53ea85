// SPDX-License-Identifier: Apache-2.0
#include "cli/report/pretty_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace hild::report {
namespace {

namespace json = boost::json;

bool is_plain(const json::value& v) { return !v.is_structured() && !v.is_string(); }

// Members are on one line when they are plain values and few, else one a line; all are without a
// depth.
void write(const json::value& v, std::optional<int> depth, std::string& out) {
  if (const double* d = v.if_double()) {
    out += std::isfinite(*d) ? fmt::format("{}", *d) : "null";
    return;
  }
  if (!v.is_structured()) {
    out += json::serialize(v);
    return;
  }
  std::vector<std::pair<std::string, const json::value*>> members;  // with the words before each
  if (const auto* o = v.if_object()) {
    for (const auto& m : *o) {
      members.emplace_back(json::serialize(json::value(m.key())) + ": ", &m.value());
    }
  } else {
    for (const auto& one : v.get_array()) members.emplace_back("", &one);
  }
  const bool one_line =
      !depth || (members.size() <= (v.is_object() ? 4U : 16U) &&
                 std::ranges::all_of(members, [](const auto& m) { return is_plain(*m.second); }));
  const auto new_line = [&](int d) {
    if (!one_line) fmt::format_to(std::back_inserter(out), "\n{:{}}", "", 2 * d);
  };
  out += v.is_object() ? '{' : '[';
  for (const auto& [words, value] : members) {
    if (value != members.front().second) out += one_line ? ", " : ",";
    const auto inner = depth ? std::optional(*depth + 1) : std::nullopt;
    new_line(inner.value_or(0));
    out += words;
    write(*value, inner, out);
  }
  if (!members.empty()) new_line(depth.value_or(0));
  out += v.is_object() ? '}' : ']';
}

}  // namespace

std::string pretty(const json::value& value) {
  std::string out;
  write(value, 0, out);
  return out + '\n';
}

std::string one_line(const json::value& value) {
  std::string out;
  write(value, {}, out);
  return out + '\n';
}

}  // namespace hild::report
