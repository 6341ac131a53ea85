// SPDX-License-Identifier: Apache-2.0
#include "exec/transaction.hpp"

namespace hild::exec {

std::string_view to_string(EventClass c) noexcept {
  static constexpr std::array<std::string_view, event_classes> names{
      "parameter", "override", "stimulus", "mode", "snapshot", "restore", "mark"};
  return names[static_cast<std::size_t>(c)];
}

std::string_view to_string(Refusal r) noexcept {
  static constexpr std::array<std::string_view, 15> names{
      "none",          "no_slack",    "queue_full", "unknown_target", "out_of_limits",
      "not_finite",    "not_tunable", "bad_table",  "empty_slot",     "no_id",
      "device_failed", "run_ended",   "not_whole",  "withdrawn",      "not_frozen"};
  return names[static_cast<std::size_t>(r)];
}

}  // namespace hild::exec
