// SPDX-License-Identifier: Apache-2.0
/// \file
/// What differs when hild is run by a service manager.
#pragma once

#include "config/config.hpp"
#include "hild/core/result.hpp"

namespace hild::commands {

/// Whether a service manager expects to be notified of this process's state.
[[nodiscard]] bool under_service_manager();

/// Blocks SIGHUP (SIG_BLOCK), which asks a service to read its configuration again, or lets it come
/// (SIG_UNBLOCK), in this thread and those it starts.
void mask_reloads(int how);

/// Checks that only those who may change the service can change its configuration, which determines
/// the code it runs. The error names the first file that others could have written.
[[nodiscard]] Result<void> check_sources(const config::Config& config);

/// Replaces this program by the same one with the same arguments; to systemd it remains the same
/// process. Descriptors must be closed before, or close on exec. Returns only with an error.
[[nodiscard]] Error start_anew();

}  // namespace hild::commands
