// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/examination.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "core/child_process.hpp"

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
                            &Seen::zero_advance, &Seen::step_parts, &Seen::not_finite};

void add(Seen& to, const Seen& s) {
  to.median = std::max(to.median, s.median);
  to.worst = std::max(to.worst, s.worst);
  to.heap_late = to.heap_late || s.heap_late;
  if (to.system == 0) to.system_call = s.system_call;
  if (to.not_finite == 0) to.where = s.where;
  for (const auto count : counts) to.*count += s.*count;
}

// What the model prints is counted, not shown; what kills it leaves no core.
[[noreturn]] void be_examined(model::Stepper& plant, const ExaminationOptions& options,
                              Examination& result) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(signal, SIG_DFL);
  }
  std::fflush(stdout);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  watch_here(plant, options, result);
  ::_exit(0);
}

}  // namespace

Result<Examination> examine(model::Stepper& plant, const ExaminationOptions& options) {
  void* const place = ::mmap(nullptr, sizeof(Examination), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return fail("no memory to examine the model in");
  const auto unmap = [](Examination* e) { ::munmap(e, sizeof *e); };
  // The result, where both processes see it.
  const std::unique_ptr<Examination, decltype(unmap)> shared(new (place) Examination, unmap);
  Examination& result = *shared;
  result.end = End::exited;
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t child = ::fork();
  if (child < 0) return fail("no process to examine the model in: {}", std::strerror(errno));
  if (child == 0) be_examined(plant, options, result);
  note_end(result, wait_for_child(child, options.patience));
  return result;
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

}  // namespace hild::examine
