// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands of hildctl. add_*() declares those of one file on the application; when one is
/// chosen, it runs and stores its exit code.
#pragma once

#include "cli/ctl/common.hpp"

namespace hild::ctl {

// Reading.
void add_status(CLI::App& app, Exit& exit);
void add_list(CLI::App& app, Exit& exit);
void add_get(CLI::App& app, Exit& exit);
void add_watch(CLI::App& app, Exit& exit);
void add_history(CLI::App& app, Exit& exit);
void add_overruns(CLI::App& app, Exit& exit);  ///< and `histograms`, `models`
// Changing.
void add_fault(CLI::App& app, Exit& exit);
void add_snapshot(CLI::App& app, Exit& exit);
void add_record(CLI::App& app, Exit& exit);
void add_rewind(CLI::App& app, Exit& exit);
void add_show(CLI::App& app, Exit& exit);
void add_event(CLI::App& app, Exit& exit);  ///< and `methods`, `rights`
void add_stop(CLI::App& app, Exit& exit);   ///< and `arm`, `disarm`
void add_take(CLI::App& app, Exit& exit);   ///< and `give`
void add_dashboard(CLI::App& app, Exit& exit);
void add_begin(CLI::App& app, Exit& exit);  ///< and `cease`, `sequences`
// The rest.
void add_sequence(CLI::App& app, Exit& exit);
void add_completion(CLI::App& app, Exit& exit);

/// All of them, and those that make a change and nothing else, on an application that needs no more
/// than parsing.
void add_all(CLI::App& app, Exit& exit);

}  // namespace hild::ctl
