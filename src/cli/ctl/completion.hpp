// SPDX-License-Identifier: Apache-2.0
/// \file
/// Completes command lines of hildctl. Names are asked live of the daemon.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "control/sequence/names.hpp"

namespace hild::ctl {

/// What completion can ask of the daemon; each function returns nothing when there is none.
struct Known {
  std::function<sequence::Names()> names;
  std::function<std::vector<std::string>()> methods;
  std::function<std::vector<std::string>(const std::string& method)> params;  ///< of a method
  std::function<std::vector<std::string>()> sequences;                        ///< that may be begun
};

/// The candidates for the last of `words` (which may be empty), those before it being complete;
/// `app` has all the commands. Candidates that expect more text, such as "inertia=", end that way.
[[nodiscard]] std::vector<std::string> complete(const CLI::App& app,
                                                const std::vector<std::string>& words,
                                                const Known& known);

}  // namespace hild::ctl
