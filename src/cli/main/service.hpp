// SPDX-License-Identifier: Apache-2.0
/// \file
/// What differs when hild is run by a service manager.
#pragma once

#include "config/config.hpp"
#include "hild/core/result.hpp"

namespace hild::commands {

/// Whether one listens to how this process is doing.
[[nodiscard]] bool under_service_manager();

/// SIGHUP, which asks a service to read its configuration anew, waits (SIG_BLOCK), or comes from
/// here on (SIG_UNBLOCK), in this thread and those it makes.
void mask_reloads(int how);

/// What a service is to run is code: only who may change the service may change that. The error is
/// that of the first file that others could have written.
[[nodiscard]] Result<void> check_sources(const config::Config& config);

/// The same program with the same arguments in the place of this one, which systemd goes on taking
/// for the same. Descriptors must be closed by then, or close on exec. Returns only with an error.
[[nodiscard]] Error start_anew();

}  // namespace hild::commands
