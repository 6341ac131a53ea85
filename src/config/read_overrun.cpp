// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

/// The key says percent already: `1` and `1 %` are the same.
double read_percent(YamlOptions& limit) {
  const auto parts = split_quantity(limit.text("percent"));
  const bool valid = parts && (parts->unit.empty() || parts->unit == "%") && parts->number >= 0 &&
                     parts->number <= 100;
  if (!valid) limit.mismatch("percent", "a percentage, 0..100, such as \"1\"");
  return parts->number;
}

void read_limit(YamlOptions& limit, exec::OverrunSettings& overrun) {
  if (limit.has("percent")) overrun.limit_percent = read_percent(limit);
  if (limit.has("window")) {
    if (!overrun.limit_percent) {
      limit.reject("window", "found a window without percent, expected both or neither");
    }
    overrun.window = static_cast<int>(limit.integer("window", 1, 1'000'000));
  }
  if (limit.has("consecutive")) {
    overrun.consecutive = static_cast<int>(limit.integer("consecutive", 1, 1'000'000));
  }
  if (!overrun.limit_percent && !overrun.consecutive) {
    limit.refuse_unknown();  // a misspelt key tells more than a missing one
    limit.reject_all("found no limit, expected percent, consecutive or both");
  }
}

}  // namespace

exec::OverrunSettings read_overrun(YamlOptions& root, const Grid& grid, bool& evidence,
                                   Duration& standstill_ordinary) {
  exec::OverrunSettings read;
  YamlOptions* section = root.child("overrun");
  const Patience patience = read_patience(section, "standstill", grid);
  read.standstill = patience.urgent;
  standstill_ordinary = patience.ordinary;
  if (section == nullptr) return read;
  read.policy =
      static_cast<exec::OverrunPolicy>(section->choice("policy", {"double", "slip", "stop"}, 0));
  read.max_debt = static_cast<int>(section->integer("max_debt", 1, 1'000'000, read.max_debt));
  if (YamlOptions* limit = section->child("limit")) read_limit(*limit, read);
  read.then = static_cast<exec::LimitAction>(
      section->choice("then", {"continue", "freeze", "safe-stop"}, 2));
  read.startup_grace = section->integer("startup_grace", 0, 1'000'000'000, read.startup_grace);
  evidence = section->boolean("evidence", false);
  return read;
}

}  // namespace hild::config
