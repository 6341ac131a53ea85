// SPDX-License-Identifier: Apache-2.0
/// \file
/// The system calls that are left to a model's process, as a filter of the kernel's.
#pragma once

namespace hild::contain {

/// From here on this process, with all threads it starts, makes no others: they fail with EPERM.
/// 0, or why the kernel takes no filter, an errno. Precondition: no new privileges.
int allow_few_system_calls() noexcept;

/// Scheduling stays as it is, too.
int forbid_scheduling() noexcept;

}  // namespace hild::contain
