// SPDX-License-Identifier: Apache-2.0
/// \file
/// The metrics of the run in Prometheus' text format 0.0.4: base units, counters end in _total.
#pragma once

#include <string>

#include "control/server/method.hpp"

namespace hild::server {

[[nodiscard]] std::string metrics(const Context& context);

}  // namespace hild::server
