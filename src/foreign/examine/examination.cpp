// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/examination.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "core/child_process.hpp"
#include "foreign/examine/elsewhere.hpp"

namespace hild::examine {
namespace {

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

}  // namespace hild::examine
