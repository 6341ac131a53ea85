// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sequences of a configuration that clients may begin (control.sequences): checked before a
/// run, and run by processes of their own.
#pragma once

#include "config/config.hpp"
#include "control/server/run.hpp"

namespace hild::commands {

/// Reads them as `hildctl sequence --check` does, without a run. Error: the configuration, the key,
/// and what is wrong with the file, with its line.
[[nodiscard]] Result<config::Config> with_sequences_checked(Result<config::Config> config);

/// Starts hildctl, which stands beside this program, to run a sequence: with ordinary scheduling,
/// no descriptor of ours but its output, and no limits that real time needs. It shares no memory
/// with this process but until it has begun, so that no page of ours is copied and no frame held
/// up. Error: why there is none.
[[nodiscard]] Result<server::Run::Launched> launch_sequence(const server::Run::Launch& launch);

}  // namespace hild::commands
