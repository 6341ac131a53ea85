// SPDX-License-Identifier: Apache-2.0
/// \file
/// Confines a process before untrusted code runs in it, or untrusted data comes: takes away what it
/// still has of hild, and what it could do to others. It keeps the right to compute, to read files
/// and to start threads. Load time.
#pragma once

#include <string>

#include "hild/rt/confined/process.hpp"

namespace hild::confined {

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

/// The same in two parts, for a program that has to make sockets in between: first, with one
/// thread, all but the filter of system calls.
[[nodiscard]] std::string give_up_rights(int kept);
/// Then the filter, for all threads there are. With the network sockets that are open can be read
/// and written to, while none can be made.
[[nodiscard]] std::string give_up_calls(Reach reach);

/// Fixes scheduling, so that the process keeps its priority and its locked memory as they are. To
/// be called later, once it has both.
void settle_scheduling() noexcept;

}  // namespace hild::confined
