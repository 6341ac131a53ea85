// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild log A --against B`: where two recordings differ, as of two branches of one run.
#pragma once

#include <string>

#include "hild/core/result.hpp"

namespace hild::commands {

struct AgainstArguments {
  std::string file;     ///< the first
  std::string against;  ///< the second
  std::string plot;     ///< FILE.svg; empty: none
  double tolerance = 0;
  bool as_json = false;
};

/// Prints it; `fault` where they differ. Throws an Error.
[[nodiscard]] ExitCode log_against(const AgainstArguments& a);

}  // namespace hild::commands
