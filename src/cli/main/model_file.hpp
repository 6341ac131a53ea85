// SPDX-License-Identifier: Apache-2.0
/// \file
/// Allows a model's file in the place of a configuration: `hild run pump.fmu`.
#pragma once

#include <optional>
#include <string>

namespace hild::commands {

/// The configuration that stands for an FMU (.fmu) or a plug-in (.so): a frame of 1 ms, RK-4 with
/// held inputs, or the FMU's own solver, and no device; none for any other file. Errors of the
/// model are reported when the configuration is read.
[[nodiscard]] std::optional<std::string> configuration_of(const std::string& file);

}  // namespace hild::commands
