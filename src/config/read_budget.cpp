// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"

namespace hild::config {
namespace {

double read_share(YamlOptions& section, std::string_view key, double fallback) {
  const double share = section.number(key, "1", fallback);
  if (share <= 0 || share > 1)
    section.mismatch(key, "above 0 % and at most 100 %, such as \"80 %\"");
  return share;
}

}  // namespace

exec::BudgetSettings read_budget(YamlOptions& root) {
  exec::BudgetSettings read;
  YamlOptions* section = root.child("budget");
  if (section == nullptr) return read;
  read.utilisation = read_share(*section, "utilisation", read.utilisation);
  read.with_time_events = read_share(*section, "with_time_events", read.with_time_events);
  read.with_state_events = read_share(*section, "with_state_events", read.with_state_events);
  return read;
}

}  // namespace hild::config
