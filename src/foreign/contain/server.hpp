// SPDX-License-Identifier: Apache-2.0
/// \file
/// The part of hild that runs in a model's process, whose program is hild-model.
#pragma once

namespace hild::contain {

/// Does the task that comes through the socket, and ends the process. `heap_calls` counts the heap
/// calls of a thread; null: they are not counted.
[[noreturn]] void serve(long (*heap_calls)());

}  // namespace hild::contain
