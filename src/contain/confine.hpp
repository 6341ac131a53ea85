// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a process made by fork() gives up before code runs in it that is not trusted: what it has
/// of its parent, and what it could do to anybody. It keeps the right to compute, to read files and
/// to start threads. Load time.
#pragma once

#include <cstdint>
#include <string>

namespace hild::contain {

struct Kept {
  std::uintptr_t exchange = 0;  ///< where what it shares with its parent is, beside rt::ModelMemory
  int descriptor = -1;          ///< beside standard output and error
  int priority = 0;             ///< of SCHED_FIFO, that it may take later on
};

/// Of this process, which has one thread:
///
///   memory that others share   unmapped, but for what is kept
///   descriptors                closed; standard input reads nothing
///   capabilities               none, and no new privileges
///   system calls               those of a filter: no other process, file or socket can be written
///                              to or signalled, none be made
///
/// Empty; else what the system refused, in words, with the rest done all the same.
[[nodiscard]] std::string confine(const Kept& kept);

/// Later on, once it has taken its priority and locked its memory: it keeps both as they are.
void settle_scheduling() noexcept;

/// What confine() says on this machine, tried once in a process of its own.
[[nodiscard]] const std::string& not_confined();

}  // namespace hild::contain
