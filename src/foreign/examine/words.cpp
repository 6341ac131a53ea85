// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "foreign/examine/examination.hpp"
#include "foreign/examine/system_calls.hpp"

namespace hild::examine {

std::string_view to_string(Function f) {
  constexpr std::array<std::string_view, functions> names{
      "derivatives",     "outputs_of",    "event_functions", "on_event",
      "next_time_event", "on_time_event", "jacobian",        "set_parameter"};
  return names[static_cast<std::size_t>(f)];
}

namespace {

// Steps in a row: an event that every frame has is seldom meant.
constexpr long chatter = 50;

void add_findings(std::vector<std::string>& found, Function f, const Seen& s, bool failed) {
  const auto add = [&](long times, const std::string& what) {
    if (times == 0) return;
    found.push_back(fmt::format("{} {} ({} of {} calls)", to_string(f), what, times, s.calls));
  };
  add(s.heap, s.heap_late ? "calls the heap: keep memory in members of fixed size, or throw nothing"
                          : "calls the heap in its first call: do that in the constructor");
  add(s.printed, "prints: return values instead, and record them");
  if (s.printed == 0) {
    add(s.system, fmt::format("calls the kernel ({}): its time is unbounded",
                              system_call_name(s.system_call)));
  }
  add(s.faults, "faults on pages: touch all memory while loading");
  add(s.control,
      "changes the floating-point control: results then depend on who was called before");
  add(s.put_back,
      "changes the floating-point control, which hild puts back: link it without -ffast-math, or "
      "have it put back what it changes");
  add(s.logged, "logs: a message takes time in the loop, and of many only some are kept");
  add(s.event_iterations,
      "is not done with an event after as many updates as `caps.event_iterations` allows");
  add(s.zero_advance, "asks for time events that do not lie ahead: `caps.zero_advance`");
  add(s.step_parts, "does not complete a step in as many parts as `caps.step_parts` allows");
  if (failed) return;  // all values are none then
  add(s.not_finite, fmt::format("gives a value that is no number, {} first", s.where.view()));
}

}  // namespace

std::vector<std::string> findings(const Examination& e) {
  std::vector<std::string> found;
  for (std::size_t f = 0; f < functions; ++f) {
    add_findings(found, static_cast<Function>(f), e.seen[f], e.failed.front() != '\0');
  }
  if (e.events_in_a_row >= chatter) {
    found.push_back(fmt::format(
        "on_event is due in every step for {} steps, for {}: where it chatters, give it hysteresis",
        e.events_in_a_row, e.chattering.view()));
  }
  if (e.threads_started > 0) {
    found.push_back(fmt::format("its calls start threads ({}): they compete with the frame thread",
                                e.threads_started));
  }
  if (std::string ended = refusal(e); e.end != End::done || e.failed.front() != '\0')
    found.push_back(std::move(ended));
  return found;
}

std::vector<std::string> not_observed(const Examination& e) {
  std::vector<std::string> not_seen;
  if (!e.heap_observed) {
    not_seen.emplace_back("heap calls: this build leaves the allocator to a sanitizer");
  }
  if (!e.system_observed) {
    not_seen.emplace_back(
        "system calls: the kernel offers no user dispatch of them (Linux 5.11 on x86-64 does)");
  }
  return not_seen;
}

std::string refusal(const Examination& e) {
  const std::string_view last = to_string(e.last);
  switch (e.end) {
    case End::crashed:
      return e.end_code == 6
                 ? fmt::format("{} aborts the process: an exception leaves it, or it calls abort()",
                               last)
                 : fmt::format("{} crashes ({})", last, ::strsignal(e.end_code));
    case End::exited:
      return fmt::format("{} ends the process (exit code {})", last, e.end_code);
    case End::hung:
      return fmt::format("{} does not return", last);
    case End::done:
      break;
  }
  if (e.failed.front() != '\0') {
    return fmt::format("`{}` fails: the run would end with it", e.failed.data());
  }
  for (std::size_t f = 0; f < functions; ++f) {
    if (e.seen[f].not_finite == 0) continue;
    return fmt::format("{} gives a value that is no number, {} first: the run would end with it",
                       to_string(static_cast<Function>(f)), e.seen[f].where.view());
  }
  return {};
}

}  // namespace hild::examine
