// SPDX-License-Identifier: Apache-2.0
#include "hild/core/csv.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <utility>

namespace hild {
namespace {

constexpr std::string_view csv_blank = " \t\r\n";

void take_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(csv_blank), rest.size()));
}

/// What stands in quotes; `rest` begins with the first of them, and ends up behind the last.
std::string take_quoted(std::string_view& rest) {
  std::string field;
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const std::size_t quote = std::min(rest.find('"'), rest.size());
    field += rest.substr(0, quote);
    rest.remove_prefix(std::min(quote + 1, rest.size()));
    if (!rest.starts_with('"')) break;
    field += '"';
    rest.remove_prefix(1);
  }
  return field;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  return '"' + boost::algorithm::replace_all_copy(std::string(text), "\"", "\"\"") + '"';
}

CsvFields csv_fields(std::string_view line) {
  std::vector<std::string> fields;
  for (std::string_view rest = line;;) {
    take_blanks(rest);
    std::string field;
    if (rest.starts_with('"')) field = take_quoted(rest);
    // What follows a closing quote before the comma is no part of RFC 4180: it is kept as it is.
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view plain = rest.substr(0, comma);
    plain = plain.substr(0, plain.find_last_not_of(csv_blank) + 1);
    field += plain;
    fields.push_back(std::move(field));
    if (comma == rest.size()) return fields;
    rest.remove_prefix(comma + 1);
  }
}

bool CsvLines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    line_ = boost::algorithm::trim_copy_if(line_, boost::algorithm::is_any_of(csv_blank));
    if (line_.empty() || line_.front() == '#') continue;
    fields_ = csv_fields(line_);
    return true;
  }
  return false;
}

}  // namespace hild
