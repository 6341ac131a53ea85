// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/bounds.hpp"

#include <algorithm>

namespace hild::remote {
namespace {

// A text for logs and reports: printable ASCII, and an end.
bool readable(std::span<const char> text) noexcept {
  for (const char c : text) {
    if (c == '\0') return true;
    if (c < ' ' || c > '~') return false;
  }
  return false;
}

}  // namespace

std::optional<Breach> breach_of(const ModelReply& r, const Asked& asked,
                                const Known& known) noexcept {
  const Call call = asked.call;
  if (r.yes > 1) return Breach{"yes", r.yes, "0 or 1"};
  if (r.starting > (known.starts ? 1U : 0U)) {
    return Breach{"starting", r.starting, known.starts ? "0 or 1" : "0, its method has no starter"};
  }
  if (r.together != (known.together ? 1U : 0U)) {
    return Breach{"together", r.together, known.together ? "1, as at load" : "0, as at load"};
  }
  if (r.failed > 1) return Breach{"failed", r.failed, "0 or 1"};
  if (r.estimated > 1) return Breach{"estimated", r.estimated, "0 or 1"};
  const bool refuses = call == Call::measure_state && r.yes == 0;
  if ((r.failed == 1 || refuses) && !readable(r.function)) {
    return Breach{"function", r.function[0], "printable characters and a 0 after them"};
  }
  if (call == Call::next_time_event && r.next <= asked.t) {
    return Breach{"next", r.next.ns, "an instant in ns after the one that was asked with"};
  }
  if (known.timed && asked.ends_step() && r.next <= asked.end) {
    return Breach{"next", r.next.ns, "an instant in ns after the end of the step"};
  }
  if (known.timed && asked.ends_step() && r.next_from_start <= asked.t) {
    return Breach{"next_from_start", r.next_from_start.ns,
                  "an instant in ns after the start of the step"};
  }
  const auto narrowed = static_cast<std::int64_t>(std::min<std::uint64_t>(r.bytes, INT64_MAX));
  if (call == Call::measure_state && r.yes == 1 && r.bytes > most_state_bytes) {
    return Breach{"bytes", narrowed, "at most 4 MiB of a state"};
  }
  if (call == Call::save_state && r.yes == 1 && r.bytes > known.state_bytes) {
    return Breach{"bytes", narrowed, "no more of a state than were measured"};
  }
  constexpr const char* count = "a count that does not fall, below 2^52";
  const auto off = [](std::int64_t now, std::int64_t before) {
    return now < before || now > most_counted;
  };
  const model::CapCounts& before = known.cap_counts;
  if (const auto n = r.cap_counts.event_iterations; off(n, before.event_iterations)) {
    return Breach{"event_iterations", n, count};
  }
  if (const auto n = r.cap_counts.zero_advance; off(n, before.zero_advance)) {
    return Breach{"zero_advance", n, count};
  }
  if (const auto n = r.cap_counts.step_parts; off(n, before.step_parts)) {
    return Breach{"step_parts", n, count};
  }
  if (const auto n = r.cap_counts.algebraic_iterations; off(n, before.algebraic_iterations)) {
    return Breach{"algebraic_iterations", n, count};
  }
  return std::nullopt;
}

}  // namespace hild::remote
