// SPDX-License-Identifier: Apache-2.0
/// \file
/// The summary that `hild simulate` gives at its end, for people and for programs.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "cli/main/simulate_watch.hpp"
#include "config/config.hpp"
#include "offline/reference/simulation.hpp"

namespace hild::commands {

/// What was asked for, and the result.
struct Simulated {
  const config::Config& config;
  const reference::SimulationRun& run;
  const std::string& output;  ///< the file of the rows; empty: standard output
  reference::Summary summary{};
  std::string failure{};
  bool interrupted = false;
};

[[nodiscard]] boost::json::value to_json(const Simulated& s, const Watch& watch);
[[nodiscard]] std::string to_text(const Simulated& s, const Watch& watch);

}  // namespace hild::commands
