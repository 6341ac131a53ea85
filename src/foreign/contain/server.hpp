// SPDX-License-Identifier: Apache-2.0
/// \file
/// The other side: what a model's process does. Its program is hild-model.
#pragma once

namespace hild::contain {

/// Does the task that comes through the socket, and ends the process. `heap_calls` is what counts
/// those of a thread; none: nobody does.
[[noreturn]] void serve(long (*heap_calls)());

}  // namespace hild::contain
