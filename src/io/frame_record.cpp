// SPDX-License-Identifier: Apache-2.0
#include "hild/io/frame_record.hpp"

namespace hild::io {

std::string_view to_string(Phase phase) noexcept {
  static constexpr std::array<std::string_view, phase_count> names{
      "wake",   "device",  "commit", "passes", "workers", "wait",
      "events", "outputs", "record", "slack",  "idle"};
  return names[static_cast<std::size_t>(phase)];
}

std::string_view to_string(Cap cap) noexcept {
  static constexpr std::array<std::string_view, cap_count> names{
      "state_events", "time_events",  "event_iterations",     "zero_advance",
      "step_parts",   "late_answers", "algebraic_iterations", "late_steps"};
  return names[static_cast<std::size_t>(cap)];
}

std::string_view function_of(Cap cap) noexcept {
  static constexpr std::array<std::string_view, cap_count> names{"event functions",
                                                                 "next time event",
                                                                 "update discrete states",
                                                                 "update discrete states",
                                                                 "do step",
                                                                 "process",
                                                                 "residuals",
                                                                 "passes"};
  return names[static_cast<std::size_t>(cap)];
}

std::string_view to_string(Cause cause) noexcept {
  static constexpr std::array<std::string_view, cause_count> names{
      "none",           "late_wake", "carried",    "device",     "pass", "state_event",
      "external_event", "unknown",   "page_fault", "preemption", "host", "worker"};
  return names[static_cast<std::size_t>(cause)];
}

}  // namespace hild::io
