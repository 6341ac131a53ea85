// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands of hildctl. add_*() declares one on the application; when it is chosen, it runs and
/// stores its exit code.
#pragma once

#include "cli/ctl/common.hpp"

namespace hild::ctl {

// Reading.
void add_status(CLI::App& app, Exit& exit);
void add_list(CLI::App& app, Exit& exit);
void add_get(CLI::App& app, Exit& exit);
void add_watch(CLI::App& app, Exit& exit);
void add_overruns(CLI::App& app, Exit& exit);
void add_histograms(CLI::App& app, Exit& exit);
void add_methods(CLI::App& app, Exit& exit);
// Changing.
void add_set(CLI::App& app, Exit& exit);
void add_event(CLI::App& app, Exit& exit);
void add_fault(CLI::App& app, Exit& exit);
void add_stimulate(CLI::App& app, Exit& exit);
void add_quiet(CLI::App& app, Exit& exit);
void add_freeze(CLI::App& app, Exit& exit);
void add_step(CLI::App& app, Exit& exit);
void add_resume(CLI::App& app, Exit& exit);
void add_snapshot(CLI::App& app, Exit& exit);
void add_record(CLI::App& app, Exit& exit);
void add_stop(CLI::App& app, Exit& exit);
void add_arm(CLI::App& app, Exit& exit);
void add_disarm(CLI::App& app, Exit& exit);
void add_take(CLI::App& app, Exit& exit);
void add_give(CLI::App& app, Exit& exit);
// The rest.
void add_sequence(CLI::App& app, Exit& exit);
void add_completion(CLI::App& app, Exit& exit);

/// All of them, on an application that needs no more than parsing.
void add_all(CLI::App& app, Exit& exit);

}  // namespace hild::ctl
