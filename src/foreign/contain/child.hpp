// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model's process as hild starts it: the program hild-model, in namespaces of its own, with
/// nothing of hild's but the page it exchanges with it, a socket for what it is to do and what came
/// of it, and standard output and error. Load time.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "foreign/contain/task.hpp"

namespace hild::contain {

/// Another program than hild-model, which does the same when it is started as `argument`: that of a
/// test, which has models of its own. Before any is started.
void use_program(std::string path, std::string argument);

class Child {
 public:
  /// Whether what its model prints is seen.
  enum class Voice { heard, silent };

  /// Started and told its task. Error: no process, or no program to start.
  [[nodiscard]] static Result<Child> start(const Task& task, const remote::Shared& page,
                                           Voice voice = Voice::heard);
  Child(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child();  ///< ends it, unless it was released

  /// What came of the task. Error: its own words, or how it ended, or that it took too long.
  [[nodiscard]] Result<std::string> reply();
  /// What the kernel refused before its program began; empty: nothing.
  [[nodiscard]] const std::string& refused() const noexcept { return refused_; }

  /// Its status (waitpid) when it has ended; none: it was still there after that time, and has been
  /// killed.
  [[nodiscard]] std::optional<int> wait(Duration patience);
  /// It is the caller's from now on.
  [[nodiscard]] pid_t release() noexcept;

 private:
  Child(pid_t pid, int socket) : pid_(pid), socket_(socket) {}
  [[nodiscard]] Result<void> tell(const std::string& task);
  [[nodiscard]] bool take(std::string& to, std::size_t bytes, std::int64_t until_ns);
  [[nodiscard]] std::string ending();

  pid_t pid_;
  int socket_;
  std::string refused_;
};

/// A process that serves as the first of its namespace cannot end by a signal of its own: one that
/// aborts exits with this, and is said to have been ended by SIGABRT.
inline constexpr int aborted = 134;

/// What a process that is not trusted says, for people: no control characters, of bounded length.
[[nodiscard]] std::string plain(std::string_view words);

}  // namespace hild::contain
