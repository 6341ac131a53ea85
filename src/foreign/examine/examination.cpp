// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/examination.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "foreign/examine/elsewhere.hpp"
#include "hild/core/descriptor.hpp"

namespace hild::examine {
namespace {

// The result, where both processes see it.
class Shared {
 public:
  Shared() {
    void* const place = ::mmap(nullptr, sizeof(Examination), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place != MAP_FAILED) result_ = new (place) Examination;  // NOLINT: in the mapping
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    if (result_ != nullptr) ::munmap(result_, sizeof(Examination));
  }
  [[nodiscard]] Examination* get() const { return result_; }

 private:
  Examination* result_ = nullptr;
};

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

/// Waits for the process; false when it had to be killed.
bool wait_for(pid_t child, Duration patience, int& status) {
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  pollfd ended{handle.get(), POLLIN, 0};
  const auto ms = static_cast<int>(patience.ns / 1'000'000);
  int ready = 0;
  while ((ready = ::poll(&ended, 1, ms)) < 0 && errno == EINTR) {
  }
  if (ready == 0) ::kill(child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return ready != 0;
}

}  // namespace

Result<Examination> examine(model::Stepper& plant, const ExaminationOptions& options) {
  const Shared shared;
  if (shared.get() == nullptr) return fail("no memory to examine the model in");
  Examination& result = *shared.get();
  result.end = End::exited;
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t child = ::fork();
  if (child < 0) return fail("no process to examine the model in: {}", std::strerror(errno));
  if (child == 0) be_examined(plant, options, result);
  int status = 0;
  const bool ended = wait_for(child, options.patience, status);
  note_end(result, ended ? std::optional(status) : std::nullopt);
  return result;
}

}  // namespace hild::examine
