// SPDX-License-Identifier: Apache-2.0
/// \file
/// A process for code that is not trusted, as hild starts it: another program, in namespaces of its
/// own. Of hild it has only one page of memory, a socket for its task and the result, and standard
/// output and error. Load time; not for the real-time side.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::confined {

/// What such a program reaches beside its page.
enum class Reach : unsigned char {
  nothing,  ///< no other process or machine: it has a network of its own, which has no interfaces
  network,  ///< the network of the machine, as an ordinary user without rights does
};

/// A program to be started.
struct Program {
  std::string path;      ///< the file
  std::string argument;  ///< what it is told to be, its only argument
};
/// That of this name, beside the running one where it was built, or where it is installed. The
/// error ends with `purpose`: "in which a model runs under `process: own`".
[[nodiscard]] Result<Program> find_program(std::string_view name, std::string_view purpose);

/// The exit code that stands for SIGABRT. The first process of a namespace cannot end by a signal
/// of its own: one that aborts exits with this code.
inline constexpr int aborted = 134;

/// Makes the words of a process that is not trusted fit for people: no control characters, bounded
/// length.
[[nodiscard]] std::string plain(std::string_view words);

/// One that was started. It ends with this object, unless it was released.
class Process {
 public:
  /// Whether what it prints is shown.
  enum class Voice { heard, silent };
  /// How it is to be started.
  struct Start {
    std::string_view whose;        ///< for messages: "the model"
    Reach reach = Reach::nothing;  ///< beside its page
    Voice voice = Voice::heard;    ///< of what it prints
    int priority = 0;              ///< SCHED_FIFO: the highest that it may take; 0: none
  };

  /// Starts a process, with a file that it may map; only system calls are made in between, so that
  /// this process may have threads. Error: no process.
  [[nodiscard]] static Result<Process> start(const Program& program, int page, const Start& how);
  /// Leaves `other` without one.
  Process(Process&& other) noexcept = default;
  ~Process();  ///< ends the process, unless it was released

  /// Sends it its task. Error: it does not take it.
  [[nodiscard]] Result<void> tell(std::string_view task);
  /// The result of the task. Error: its own words, or how the process ended, or that it took too
  /// long.
  [[nodiscard]] Result<std::string> reply();
  /// Has it run with SCHED_FIFO at this priority (0: it stays as it is), as far as this process
  /// may: who may give a priority need not be who may raise the limit under which the program would
  /// take it by itself.
  void give_priority(int priority) const noexcept;
  /// What the kernel refused before the program began, once there was a reply; empty: nothing.
  [[nodiscard]] const std::string& refused() const noexcept { return refused_; }
  /// For kill() and the like; negative once it was released.
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

  /// Says through the socket that nothing more will come, whoever else has it, and waits for the
  /// process to end, which is then gone. Its status; none: it did not in that time, and was killed.
  std::optional<int> dismiss(Duration patience) noexcept;
  /// Hands the process over to the caller.
  [[nodiscard]] pid_t release() noexcept;

 private:
  Process(pid_t pid, Descriptor socket, std::string whose, std::string program)
      : pid_(pid),
        socket_(std::move(socket)),
        whose_(std::move(whose)),
        program_(std::move(program)) {}
  [[nodiscard]] bool take(std::string& to, std::size_t bytes, MonoTime until);
  [[nodiscard]] std::string ending();
  [[nodiscard]] std::optional<int> wait(Duration patience);

  pid_t pid_;
  Descriptor socket_;  // none: this was moved away
  std::string whose_;
  std::string program_;
  std::string refused_;
};

}  // namespace hild::confined
