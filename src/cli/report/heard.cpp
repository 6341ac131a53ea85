// SPDX-License-Identifier: Apache-2.0
#include "cli/report/heard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>

#include "cli/report/pretty_json.hpp"
#include "core/decimal.hpp"
#include "core/json_parts.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }

// As many digits as 32 bits have: what comes of a factor such as 0.1 is not to be seen.
std::string value_text(const io::HeardValue& v) {
  std::string text = fmt::format("{}={:.10g}", v.name, v.value);
  if (!v.unit.empty()) text += fmt::format(" {}", v.unit);
  if (!v.word.empty()) text += fmt::format(" ({})", v.word);
  return text;
}

json::object values_json(std::span<const io::HeardValue> values) {
  json::object all;
  for (const io::HeardValue& v : values) {
    all[v.name] = json::object{
        {"value", or_null(v.value)}, {"unit", or_null(v.unit)}, {"word", or_null(v.word)}};
  }
  return all;
}

}  // namespace

std::string heard_text(const io::Heard& heard, Duration since_start) {
  std::string line = fmt::format("{:12.6f}  {:<10}  {:<20}", in_seconds(since_start),
                                 or_dash(heard.address), or_dash(heard.name));
  for (const io::HeardValue& v : heard.values) line += "  " + value_text(v);
  if (heard.values.empty()) line += fmt::format("  {:02x}", fmt::join(heard.bytes, " "));
  if (!heard.remark.empty()) line += fmt::format("  # {}", heard.remark);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string heard_json(const io::Heard& heard, Duration since_start) {
  return one_line({{"time_s", in_seconds(since_start)},
                   {"address", or_null(heard.address)},
                   {"name", or_null(heard.name)},
                   {"bytes", fmt::format("{:02x}", fmt::join(heard.bytes, ""))},
                   {"values", values_json(heard.values)},
                   {"remark", or_null(heard.remark)}});
}

}  // namespace hild::report
