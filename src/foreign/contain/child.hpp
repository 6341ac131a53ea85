// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model's process as hild starts it: the program hild-model, in namespaces of its own. Of hild
/// it has only the page it exchanges with it, a socket for its task and the result, and standard
/// output and error. Load time.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

#include "foreign/contain/task.hpp"
#include "hild/core/descriptor.hpp"

namespace hild::contain {

/// Uses another program in place of hild-model, which does the same when it is started as
/// `argument`: that of a test, which has models of its own. To be called before any is started.
void use_program(std::string path, std::string argument);

class Child {
 public:
  /// Whether what its model prints is shown.
  enum class Voice { heard, silent };

  /// Starts a process and sends it its task. Error: no process, or no program to start.
  [[nodiscard]] static Result<Child> start(const Task& task, const remote::Shared& page,
                                           Voice voice = Voice::heard);
  Child(Child&&) noexcept = default;
  ~Child();  ///< ends the process, unless it was released

  /// The result of the task. Error: its own words, or how the process ended, or that it took too
  /// long.
  [[nodiscard]] Result<std::string> reply();
  /// What the kernel refused before the program began; empty: nothing.
  [[nodiscard]] const std::string& refused() const noexcept { return refused_; }

  /// Hands the process over to the caller.
  [[nodiscard]] pid_t release() noexcept;

 private:
  Child(pid_t pid, Descriptor socket) : pid_(pid), socket_(std::move(socket)) {}
  [[nodiscard]] Result<void> tell(const std::string& task);
  [[nodiscard]] bool take(std::string& to, std::size_t bytes, MonoTime until);
  [[nodiscard]] std::string ending();
  [[nodiscard]] std::optional<int> wait(Duration patience);

  pid_t pid_;
  Descriptor socket_;  // none: this was moved away
  std::string refused_;
};

/// The exit code that stands for SIGABRT. The first process of a namespace cannot end by a signal
/// of its own: one that aborts exits with this code.
inline constexpr int aborted = 134;

/// Makes the words of a process that is not trusted fit for people: no control characters, bounded
/// length.
[[nodiscard]] std::string plain(std::string_view words);

}  // namespace hild::contain
