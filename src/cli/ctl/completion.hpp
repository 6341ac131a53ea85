// SPDX-License-Identifier: Apache-2.0
/// \file
/// What may come next on a command line of hildctl. Names are those of the daemon, asked live.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "control/sequence/names.hpp"

namespace hild::ctl {

/// What a completion may ask of the daemon; each is empty when there is none.
struct Known {
  std::function<sequence::Names()> names;
  std::function<std::vector<std::string>()> methods;
  std::function<std::vector<std::string>(const std::string& method)> params;  ///< of a method
};

/// The candidates for the last of `words` (which may be empty), those before it being complete;
/// `app` has all the commands. Candidates that go on, such as "inertia=", end so.
[[nodiscard]] std::vector<std::string> complete(const CLI::App& app,
                                                const std::vector<std::string>& words,
                                                const Known& known);

}  // namespace hild::ctl
