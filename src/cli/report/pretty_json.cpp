// SPDX-License-Identifier: Apache-2.0
#include "cli/report/pretty_json.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>
#include <iterator>
#include <string_view>

namespace hild::report {
namespace {

namespace json = boost::json;

bool is_leaf(const json::value& v) { return !v.is_object() && !v.is_array(); }

void write(const json::value& v, int depth, std::string& out);

// Members between the two `ends`: on one line when they are plain values and few, else one a
// line.
template <class Container, class Member>
void write_members(const Container& members, bool one_line, int depth, std::string_view ends,
                   std::string& out, Member member) {
  const auto new_line = [&](int d) {
    if (!one_line) fmt::format_to(std::back_inserter(out), "\n{:{}}", "", 2 * d);
  };
  out += ends[0];
  bool first = true;
  for (const auto& m : members) {
    if (!first) out += one_line ? ", " : ",";
    first = false;
    new_line(depth + 1);
    member(m);
  }
  if (!first) new_line(depth);
  out += ends[1];
}

void write_object(const json::object& o, int depth, std::string& out) {
  bool one_line = o.size() <= 4;
  for (const auto& m : o) one_line = one_line && is_leaf(m.value()) && !m.value().is_string();
  write_members(o, one_line, depth, "{}", out, [&](const json::key_value_pair& m) {
    out += json::serialize(json::value(m.key())) + ": ";
    write(m.value(), depth + 1, out);
  });
}

void write_array(const json::array& a, int depth, std::string& out) {
  bool one_line = a.size() <= 16;
  for (const auto& v : a) one_line = one_line && is_leaf(v) && !v.is_string();
  write_members(a, one_line, depth, "[]", out,
                [&](const json::value& v) { write(v, depth + 1, out); });
}

void write(const json::value& v, int depth, std::string& out) {
  if (const auto* o = v.if_object()) return write_object(*o, depth, out);
  if (const auto* a = v.if_array()) return write_array(*a, depth, out);
  if (const double* d = v.if_double()) {
    out += std::isfinite(*d) ? fmt::format("{}", *d) : "null";
    return;
  }
  out += json::serialize(v);
}

}  // namespace

std::string pretty(const json::value& value) {
  std::string out;
  write(value, 0, out);
  return out + '\n';
}

}  // namespace hild::report
