// SPDX-License-Identifier: Apache-2.0
/// What ends a process in the middle, in the place of the C library's. A model, a plug-in or a
/// library of theirs that calls one of these would end a run with a status of its choice, 0 among
/// them, which a service manager takes for a run that is done. main() returns, and so comes by none
/// of them. A child made by fork() ends as it likes.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "hild/core/result.hpp"

namespace hild::commands {
namespace {

const pid_t this_program = ::getpid();

[[noreturn]] void end_unasked(int status) noexcept {
  if (::getpid() == this_program) {
    constexpr std::string_view words =
        "hild: something within this process, a model, a plug-in or a library of theirs, called "
        "exit(): nothing else "
        "was\ndone, and this is a fault; `process: own` keeps such a model apart\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
    status = static_cast<int>(ExitCode::fault);
  }
  while (true) ::syscall(SYS_exit_group, status);
}

}  // namespace
}  // namespace hild::commands

extern "C" {

void exit(int status) noexcept { hild::commands::end_unasked(status); }
void quick_exit(int status) noexcept { hild::commands::end_unasked(status); }
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void _exit(int status) { hild::commands::end_unasked(status); }
void _Exit(int status) noexcept { hild::commands::end_unasked(status); }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"
