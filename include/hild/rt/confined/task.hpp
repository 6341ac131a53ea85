// SPDX-License-Identifier: Apache-2.0
/// \file
/// The program that was started as a confined process, and the messages of the two, once: who
/// started it sends the task, as a length and that many bytes; the process sends how it was
/// started, and then the result of the task. Not for the real-time side.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hild::confined {

/// The descriptors by which the process finds what it has of hild.
///@{
inline constexpr int socket_place = 3;
inline constexpr int page_place = 4;
///@}

/// What the kernel refused before the program began, each an errno or 0.
struct Birth {
  int filesystems = 0;  ///< to close what could be written to
  int descriptors = 0;  ///< to close those of hild
};

/// What came of the task.
enum class Outcome : std::uint64_t {
  done,         ///< the result follows
  failed,       ///< the reason follows, in words
  not_started,  ///< no bytes follow; their number is an errno
};

/// Precedes the result.
struct Head {
  Outcome outcome = Outcome::done;  ///< of the task
  std::uint64_t bytes = 0;          ///< bytes that follow
};

/// The most bytes of a message: enough to describe a model of a few million signals.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;

/// Whether this process was started as one.
[[nodiscard]] bool started_as_one();
/// The task. Ends the process where none comes: who started it has ended.
[[nodiscard]] std::string take_task();
/// Sends the result. Ends the process where nobody takes it.
void say(Outcome outcome, std::string_view what);
/// Sends the reason, and ends the process.
[[noreturn]] void give_up(std::string_view why);
/// Until who started it has ended, and whoever got the socket from it, or says that nothing more
/// will come.
void await_end() noexcept;

/// Nobody interrupts it but who started it: it ignores what a terminal sends, and dies of what a
/// faulty program is sent.
void settle_signals() noexcept;

}  // namespace hild::confined
