// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/examination.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "foreign/examine/forked.hpp"
#include "foreign/examine/system_calls.hpp"

namespace hild::examine {
namespace {

constexpr long most = 1L << 40U;  // of calls and threads: more than there can be

long bounded(long n) { return std::clamp(n, 0L, most); }
Duration bounded(Duration d) { return {std::clamp<std::int64_t>(d.ns, 0, most)}; }

// Texts end, and have no characters that a terminal obeys.
template <std::size_t size>
void end_text(std::array<char, size>& text) {
  text.back() = '\0';
  for (char& c : text) {
    if (c != '\0' && (c < ' ' || c > '~')) c = ' ';
  }
}

Name bounded(const std::byte* at) {
  std::array<char, Name::capacity + 1> text{};
  std::memcpy(text.data(), at, text.size());
  end_text(text);
  return {std::string_view(text.data())};
}

constexpr std::array counts{&Seen::calls,        &Seen::heap,       &Seen::system,
                            &Seen::faults,       &Seen::printed,    &Seen::control,
                            &Seen::put_back,     &Seen::logged,     &Seen::event_iterations,
                            &Seen::zero_advance, &Seen::step_parts, &Seen::algebraic_iterations,
                            &Seen::not_finite};

void add(Seen& to, const Seen& s) {
  to.median = std::max(to.median, s.median);
  to.worst = std::max(to.worst, s.worst);
  to.heap_late = to.heap_late || s.heap_late;
  if (to.system == 0) to.system_call = s.system_call;
  if (to.not_finite == 0) to.where = s.where;
  for (const auto count : counts) to.*count += s.*count;
}

// ---- in words ----------------------------------------------------------------------------------

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
  add(s.algebraic_iterations,
      "leaves algebraic variables unfound after its iterations: have more of them, "
      "`algebraic_iterations`, or shorter steps");
  if (failed) return;  // all values are none then
  add(s.not_finite, fmt::format("gives a value that is no number, {} first", s.where.view()));
}

}  // namespace

Result<Examination> examine(model::Stepper& plant, const ExaminationOptions& options) {
  const auto result = make_shared_with_children<Examination>();
  if (!result) return fail("no memory to examine the model in");
  result->end = End::exited;
  const auto status =
      in_own_process(options.patience, [&] { watch_here(plant, options, *result); });
  if (!status) return tl::unexpected(status.error());
  note_end(*result, *status);
  return *result;
}

void note_end(Examination& seen, std::optional<int> status, int aborted) {
  if (!status) {
    seen.end = End::hung;
  } else if (WIFSIGNALED(*status)) {
    seen.end = End::crashed;
    seen.end_code = WTERMSIG(*status);
  } else if (aborted != 0 && WEXITSTATUS(*status) == aborted) {
    seen.end = End::crashed;
    seen.end_code = SIGABRT;
  } else {
    seen.end_code = WEXITSTATUS(*status);
    if (seen.end_code != 0) seen.end = End::exited;
  }
}

// Of a bool or a name not every pattern is a value: those are read from the bytes.
Examination within_bounds(std::span<const std::byte, sizeof(Examination)> left) {
  const auto flag = [&](std::size_t at) { return (left[at] & std::byte{1}) != std::byte{}; };
  Examination e;
  std::memcpy(&e, left.data(), sizeof e);
  e.heap_observed = flag(offsetof(Examination, heap_observed));
  e.system_observed = flag(offsetof(Examination, system_observed));
  for (std::size_t f = 0; f < functions; ++f) {
    const std::size_t at = offsetof(Examination, seen) + f * sizeof(Seen);
    Seen& s = e.seen[f];
    for (const auto count : counts) s.*count = bounded(s.*count);
    s.heap_late = flag(at + offsetof(Seen, heap_late));
    s.median = bounded(s.median);
    s.worst = bounded(s.worst);
    s.where = bounded(left.data() + at + offsetof(Seen, where));
  }
  e.worst_passes = bounded(e.worst_passes);
  e.events_in_a_row = bounded(e.events_in_a_row);
  e.threads_started = bounded(e.threads_started);
  e.chattering = bounded(left.data() + offsetof(Examination, chattering));
  if (e.end > End::hung) e.end = End::exited;
  if (static_cast<std::size_t>(e.last) >= functions) e.last = Function::derivatives;
  end_text(e.failed);
  return e;
}

Examination together(std::span<const Examined> all) {
  Examination whole;
  for (const auto& [one, steps] : all) {
    for (std::size_t f = 0; f < functions; ++f) add(whole.seen[f], one->seen[f]);
    whole.worst_passes.ns +=
        static_cast<std::int64_t>(static_cast<double>(one->worst_passes.ns) * std::max(1.0, steps));
    if (one->events_in_a_row > whole.events_in_a_row) {
      whole.events_in_a_row = one->events_in_a_row;
      whole.chattering = one->chattering;
    }
    whole.threads_started += one->threads_started;
    if (whole.failed.front() == '\0') whole.failed = one->failed;
    whole.heap_observed = one->heap_observed;
    whole.system_observed = one->system_observed;
  }
  return whole;
}

std::string_view to_string(Function f) {
  constexpr std::array<std::string_view, functions> names{
      "derivatives",     "outputs_of",    "event_functions", "on_event",
      "next_time_event", "on_time_event", "jacobian",        "set_parameter"};
  return names[static_cast<std::size_t>(f)];
}

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
