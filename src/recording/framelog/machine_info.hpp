// SPDX-License-Identifier: Apache-2.0
/// \file
/// A description of the machine, with what matters to real-time runs.
#pragma once

#include <boost/json/array.hpp>
#include <string>

namespace hild::framelog {

inline constexpr const char* machine_info_attachment = "machine.json";

/// CPU, kernel, isolated CPUs, governor, clock source and the like, as JSON; what the kernel does
/// not tell is null. `checks` are the findings, as `hild doctor --json` gives them.
[[nodiscard]] std::string machine_info(boost::json::array checks);

}  // namespace hild::framelog
