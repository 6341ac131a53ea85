// SPDX-License-Identifier: Apache-2.0
/// \file
/// What Cyclone DDS is told: which interface of the network, how nodes are found, and nothing from
/// the environment.
#pragma once

#include <string>

#include "drivers/dds/task.hpp"

namespace hild::dds {

/// The configuration of the domain, as XML.
[[nodiscard]] std::string domain_configuration(const GatewayTask& task);

}  // namespace hild::dds
