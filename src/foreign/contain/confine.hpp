// SPDX-License-Identifier: Apache-2.0
/// \file
/// Confines a model's process before untrusted code runs in it: takes away what it still has of
/// hild, and what it could do to others. It keeps the right to compute, to read files and to start
/// threads. Load time.
#pragma once

#include <string>

namespace hild::contain {

/// Confines this process, which has one thread:
///
///   descriptors     closed, but for standard output and error and the one that is kept
///   limits          no cores, no more rights to be given
///   capabilities    none, and no new privileges
///   system calls    those of a filter: no other process, file or socket can be written to or
///                   signalled, none be made
///
/// Returns what the system refused, in words, the rest being done all the same; empty: nothing.
[[nodiscard]] std::string confine(int kept);

/// Fixes scheduling, so that the process keeps its priority and its locked memory as they are. To
/// be called later, once it has both.
void settle_scheduling() noexcept;

/// Which of the measures that confine a model's process this machine refuses, tried once in one;
/// empty: none.
[[nodiscard]] const std::string& not_confined();

}  // namespace hild::contain
