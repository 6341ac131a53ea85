// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes advice as lines of a configuration. Not real-time.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {

/// "500 us": at most nanoseconds, with the unit that reads best.
[[nodiscard]] std::string time_text(double seconds);

/// The lines `frame:` and `integrator:` in flow style, with what the configuration says of clock,
/// CPU and outputs as well. They replace the lines of these names.
[[nodiscard]] std::vector<std::string> yaml_lines(const Window& window, double h,
                                                  const config::Config& config);

}  // namespace hild::advise
