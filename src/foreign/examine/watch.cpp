// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/watch.hpp"

#include <stdio_ext.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "hild/numerics/float_control.hpp"

namespace hild::examine {
namespace {

// The first calls may touch pages for the first time: a run does so before it starts.
constexpr long first_calls = 3;

long cpu_ns() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

long page_faults() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt + used.ru_majflt;
}

// What controls floating-point results; flags of what has happened are no part of it.
unsigned control() {
#if defined(__x86_64__)
  std::fenv_t x87{};
  std::fegetenv(&x87);
  return (_mm_getcsr() & 0xffc0U) | (static_cast<unsigned>(x87.__control_word) << 16U);
#else
  return static_cast<unsigned>(std::fegetround());
#endif
}

std::size_t waiting_to_print() { return ::__fpending(stdout) + ::__fpending(stderr); }

long threads() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
}

}  // namespace

CallWatch::CallWatch(const model::Stepper& plant, Examination& result,
                     const ExaminationOptions& options)
    : plant_(plant), result_(result), options_(options), threads_(threads()) {
  result_.heap_observed = options.heap_calls != nullptr;
  result_.system_observed = system_.observed();
}

void CallWatch::before(Function f) {
  result_.last = f;
  // The watch's own times are kept before and after what it looks at.
  auto& times = times_[static_cast<std::size_t>(f)];
  if (times.all.size() == times.all.capacity()) times.all.reserve(2 * times.all.size() + 64);
  start_ = {result_.heap_observed ? options_.heap_calls() : 0,
            page_faults(),
            waiting_to_print(),
            control(),
            numerics::FloatControl::put_back_here(),
            messages(),
            cut(),
            cpu_ns()};
  system_.watch();
}

void CallWatch::after() {
  const long system_call = system_.stop();
  const long took = cpu_ns() - start_.cpu_ns;
  const long faults = page_faults() - start_.faults;  // before the watch itself touches new memory
  times_[static_cast<std::size_t>(result_.last)].add({took});
  if (!again_) count(system_call, faults);
  if (control() != start_.control) std::fesetenv(FE_DFL_ENV);
  note_failure();
}

void CallWatch::count(long system_call, long faults) {
  Seen& seen = result_.seen[static_cast<std::size_t>(result_.last)];
  ++seen.calls;
  if (result_.heap_observed && options_.heap_calls() != start_.heap) {
    ++seen.heap;
    seen.heap_late = seen.heap_late || seen.calls > 1;
  }
  if (system_call >= 0) {
    if (seen.system++ == 0) seen.system_call = system_call;
  }
  const bool in_turns = result_.last == Function::derivatives || result_.last == Function::outputs;
  const long first = first_calls * (in_turns ? round_ : 1);
  if (seen.calls > first && faults != 0) ++seen.faults;
  const bool wrote = system_call == SYS_write || system_call == SYS_writev;
  if (wrote || waiting_to_print() != start_.printed) ++seen.printed;
  if (control() != start_.control) ++seen.control;
  if (numerics::FloatControl::put_back_here() != start_.put_back) ++seen.put_back;
  if (messages() != start_.messages) ++seen.logged;
  const model::CapCounts now = cut();
  if (now.event_iterations != start_.cut.event_iterations) ++seen.event_iterations;
  if (now.zero_advance != start_.cut.zero_advance) ++seen.zero_advance;
  if (now.step_parts != start_.cut.step_parts) ++seen.step_parts;
}

model::CapCounts CallWatch::cut() const {
  return plant_.system().cap_counts() != nullptr ? *plant_.system().cap_counts()
                                                 : model::CapCounts{};
}

// The first one: what fails later follows from it.
void CallWatch::note_failure() {
  const char* const function = plant_.system().failed_function();
  if (function == nullptr || result_.failed.front() != '\0') return;
  std::strncpy(result_.failed.data(), function, result_.failed.size() - 1);
}

bool CallWatch::note_value(Function f, double value, std::string_view name) {
  if (std::isfinite(value)) return false;
  Seen& seen = result_.seen[static_cast<std::size_t>(f)];
  if (!again_ && seen.not_finite++ == 0) seen.where = name;
  return true;
}

void CallWatch::end_step(int passes) {
  const auto& times = times_[static_cast<std::size_t>(Function::derivatives)];
  const auto of_step = std::min(static_cast<std::size_t>(passes), times.next);
  Duration sum{};
  for (std::size_t i = times.next - of_step; i < times.next; ++i) sum += times.all[i];
  steps_.add(sum);
}

void CallWatch::again() {
  again_ = true;
  for (Times& times : times_) times.next = 0;
  steps_.next = 0;
}

void CallWatch::finish() {
  for (std::size_t f = 0; f < functions; ++f) {
    auto& times = times_[f].all;
    if (times.empty()) continue;
    std::ranges::sort(times);
    result_.seen[f].median = times[times.size() / 2];
    result_.seen[f].worst = times.back();
  }
  for (const Duration step : steps_.all)
    result_.worst_passes = std::max(result_.worst_passes, step);
  result_.threads_started = threads() - threads_;
}

}  // namespace hild::examine
