// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/samples.hpp"

#include <boost/json.hpp>
#include <limits>

#include "cli/ctl/members.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

double number(const json::value& value) {
  return value.is_number() ? value.to_number<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Reply<SampleRows> sample_rows(const json::object& params, std::size_t columns) {
  const json::value all(params);
  SampleRows rows{.frames = {}, .times_s = {}, .values = {}, .lost = whole_of(all, "lost")};
  for (const json::value& frame : list_of(all, "frame")) {
    rows.frames.push_back(static_cast<std::int64_t>(number(frame)));
  }
  for (const json::value& time : list_of(all, "time_s")) rows.times_s.push_back(number(time));
  for (const json::value& row : list_of(all, "values")) {
    std::vector<double>& values = rows.values.emplace_back();
    if (!row.is_array()) break;
    for (const json::value& value : row.get_array()) values.push_back(number(value));
    if (values.size() != columns) break;
  }
  const bool whole = rows.frames.size() == rows.times_s.size() &&
                     rows.times_s.size() == rows.values.size() &&
                     (rows.values.empty() || rows.values.back().size() == columns);
  if (whole) return rows;
  return call_error(CallError::Kind::lost,
                    "the daemon's samples make no sense: is it another version?");
}

}  // namespace hild::ctl
