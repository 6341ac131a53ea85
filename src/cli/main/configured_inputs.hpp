// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of a configuration for a reference run: what arrives at the converters, in the
/// model's units, without being sampled, rounded, delayed or disturbed. They are only limited to
/// the converters' ranges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "offline/reference/inputs.hpp"

namespace hild::commands {

/// Makes the inputs. `given` replaces some of them by constants, as NAME=VALUE. Error: there is no
/// such input; or there is one whose value is known only in a real run (hardware, a loopback, a
/// simulated controller) and is not given. `config` outlives the result.
[[nodiscard]] Result<std::unique_ptr<reference::Inputs>> configured_inputs(
    const config::Config& config, const std::vector<std::string>& given);

}  // namespace hild::commands
