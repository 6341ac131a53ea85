// SPDX-License-Identifier: Apache-2.0
/// \file
/// Restricts the system calls of a model's process, by a filter of the kernel.
#pragma once

namespace hild::contain {

/// Forbids this process, with all threads it starts, all but a few system calls: others fail with
/// EPERM. Returns 0, or an errno where the kernel takes no filter. Precondition: no new privileges.
int allow_few_system_calls() noexcept;

/// Forbids changes of scheduling as well. Returns likewise.
int forbid_scheduling() noexcept;

}  // namespace hild::contain
