// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the machine offered to a run that has to be in time.
#pragma once

#include <boost/json/array.hpp>
#include <string>

namespace hild::framelog {

inline constexpr const char* machine_info_attachment = "machine.json";

/// CPU, kernel, isolated CPUs, governor, clock source and the like, as JSON; what the kernel does
/// not tell is null. `checks`: what was found amiss, or not, as `hild doctor --json` has it.
[[nodiscard]] std::string machine_info(boost::json::array checks);

}  // namespace hild::framelog
