// SPDX-License-Identifier: Apache-2.0
/// What a frame may take, and what follows where it takes longer: `overrun`, `budget`, `events`.
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

double read_share(YamlOptions& section, std::string_view key, double fallback) {
  const double share = section.number(key, "1", fallback);
  if (share <= 0 || share > 1)
    section.mismatch(key, "above 0 % and at most 100 %, such as \"80 %\"");
  return share;
}

}  // namespace

void read_overrun(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("overrun");
  exec::OverrunSettings& read = config.settings.overrun;
  const Patience patience = read_patience(section, "standstill", config.settings.grid);
  read.standstill = patience.urgent;
  config.standstill_ordinary = patience.ordinary;
  read.policy = section.choice("policy", {"double", "slip", "stop"}, read.policy);
  read.max_debt = static_cast<int>(section.integer("max_debt", 1, 1'000'000, read.max_debt));
  if (YamlOptions* limit = section.child("limit")) read_limit(*limit, read);
  read.then = section.choice("then", {"continue", "freeze", "safe-stop"}, read.then);
  read.startup_grace = section.integer("startup_grace", 0, 1'000'000'000, read.startup_grace);
  config.evidence = section.boolean("evidence", false);
}

void read_budget(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("budget");
  exec::BudgetSettings& read = config.settings.budget;
  read.utilisation = read_share(section, "utilisation", read.utilisation);
  read.with_time_events = read_share(section, "with_time_events", read.with_time_events);
  read.with_state_events = read_share(section, "with_state_events", read.with_state_events);
}

void read_events(YamlOptions& root, Config& config) {
  YamlOptions& section = root.map("events");
  exec::AdmissionSettings& read = config.admission;
  read.guard = section.duration("guard", read.guard);
  read.max_deferrals =
      static_cast<int>(section.integer("max_deferrals", 1, 1'000'000'000, read.max_deferrals));
}

}  // namespace hild::config
