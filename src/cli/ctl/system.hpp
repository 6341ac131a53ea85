// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hildctl status`, `arm` and `disarm` with --system: all nodes of the system of a run, through
/// that run.
#pragma once

#include "cli/ctl/common.hpp"

namespace hild::ctl {

/// The arguments of a command that may be about all nodes.
struct SystemArguments : Common {
  bool system = false;

  void declare(CLI::App& command) {
    command.add_flag("--system", system, "all nodes of the system that the run is one of");
  }
};

/// A table of them.
Exit show_system(const Common& common);
/// Arms all members or none, and waits for what became of it.
Exit arm_system(const Common& common);
Exit disarm_system(const Common& common);

}  // namespace hild::ctl
