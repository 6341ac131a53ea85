// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model's process gives up before code runs in it that is not trusted: what it has left of
/// hild, and what it could do to anybody. It keeps the right to compute, to read files and to start
/// threads. Load time.
#pragma once

#include <string>

namespace hild::contain {

/// Of this process, which has one thread:
///
///   descriptors     closed, but for standard output and error and the one that is kept
///   limits          no cores, no more rights to be given
///   capabilities    none, and no new privileges
///   system calls    those of a filter: no other process, file or socket can be written to or
///                   signalled, none be made
///
/// Empty; else what the system refused, in words, with the rest done all the same.
[[nodiscard]] std::string confine(int kept);

/// Later on, once it has taken its priority and locked its memory: it keeps both as they are.
void settle_scheduling() noexcept;

/// What this machine refuses of all that holds a model's process, tried once in one; empty:
/// nothing.
[[nodiscard]] const std::string& not_confined();

}  // namespace hild::contain
