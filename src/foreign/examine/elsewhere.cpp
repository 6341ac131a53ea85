// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/elsewhere.hpp"

#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "foreign/examine/tour.hpp"

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

void add(Seen& to, const Seen& s) {
  to.calls += s.calls;
  to.median = std::max(to.median, s.median);
  to.worst = std::max(to.worst, s.worst);
  to.heap += s.heap;
  to.heap_late = to.heap_late || s.heap_late;
  if (to.system == 0) to.system_call = s.system_call;
  to.system += s.system;
  to.faults += s.faults;
  to.printed += s.printed;
  to.control += s.control;
  to.put_back += s.put_back;
  to.logged += s.logged;
  to.event_iterations += s.event_iterations;
  to.zero_advance += s.zero_advance;
  to.step_parts += s.step_parts;
  if (to.not_finite == 0) to.where = s.where;
  to.not_finite += s.not_finite;
}

}  // namespace

void watch_here(model::Stepper& plant, const ExaminationOptions& options, Examination& result) {
  result.end = End::exited;
  std::fflush(stdout);
  // As a run does, and what a process inherits is not locked: pages that the kernel took, or shares
  // with the other process, are not the model's faults.
  ::mlockall(MCL_CURRENT);
  Tour(plant, options, result).run();
  result.end = End::done;
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

// Bytes, and not yet values: of a bool or a name not every pattern is one.
Examination within_bounds(std::span<const std::byte, sizeof(Examination)> left) {
  const auto flag = [&](std::size_t at) { return left[at] == std::byte{1}; };
  std::array<std::byte, sizeof(Examination)> clean{};
  std::ranges::copy(left, clean.begin());
  for (std::size_t f = 0; f < functions; ++f) {
    const std::size_t at = offsetof(Examination, seen) + f * sizeof(Seen);
    clean[at + offsetof(Seen, heap_late)] &= std::byte{1};
    std::memset(clean.data() + at + offsetof(Seen, where), 0, sizeof(Name));
  }
  std::memset(clean.data() + offsetof(Examination, chattering), 0, sizeof(Name));
  for (const std::size_t at :
       {offsetof(Examination, heap_observed), offsetof(Examination, system_observed)}) {
    clean[at] = flag(at) ? std::byte{1} : std::byte{0};
  }
  Examination e;
  std::memcpy(&e, clean.data(), sizeof e);
  for (std::size_t f = 0; f < functions; ++f) {
    Seen& s = e.seen[f];
    for (long* n :
         {&s.calls, &s.heap, &s.system, &s.faults, &s.printed, &s.control, &s.put_back, &s.logged,
          &s.event_iterations, &s.zero_advance, &s.step_parts, &s.not_finite}) {
      *n = bounded(*n);
    }
    s.median = bounded(s.median);
    s.worst = bounded(s.worst);
    s.where = bounded(left.data() + offsetof(Examination, seen) + f * sizeof(Seen) +
                      offsetof(Seen, where));
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

}  // namespace hild::examine
