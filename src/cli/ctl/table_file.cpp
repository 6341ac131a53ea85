// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/table_file.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>

#include "hild/core/csv.hpp"
#include "hild/core/units.hpp"
#include "hild/core/whole_file.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using CallKind = CallError::Kind;

std::optional<double> number(std::string_view text) {
  const auto split = split_quantity(text);
  return split && split->unit.empty() ? std::optional(split->number) : std::nullopt;
}

}  // namespace

Reply<json::object> read_table(const std::string& file) {
  const auto text = whole_file(file);
  if (!text) {
    return call_error(CallKind::usage,
                      fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  }
  json::array times;
  json::array values;
  for (CsvLines lines(*text); lines.next();) {
    const CsvFields& fields = lines.fields();
    const auto time = number(fields.front());
    const auto value = fields.size() == 2 ? number(fields.back()) : std::nullopt;
    const bool heading = lines.number() == 1 && !time && !value;
    if (heading) continue;
    if (!time || !value) {
      return call_error(CallKind::usage,
                        fmt::format("{}:{}: found \"{:.60}\", expected a time in s, a "
                                    "comma and a value, such as \"0.5, 1.2\"",
                                    file, lines.number(), lines.line()));
    }
    times.push_back(*time);
    values.push_back(*value);
  }
  if (times.empty()) {
    return call_error(CallKind::usage,
                      fmt::format("{}: found no line of a time and a value", file));
  }
  return json::object{{"times_s", std::move(times)}, {"values", std::move(values)}};
}

}  // namespace hild::ctl
