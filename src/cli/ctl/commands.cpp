// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/commands.hpp"

namespace hild::ctl {

void add_all(CLI::App& app, Exit& exit) {
  for (const auto add :
       {add_status, add_list,     add_get,       add_watch, add_overruns, add_histograms,
        add_set,    add_fault,    add_stimulate, add_quiet, add_freeze,   add_step,
        add_resume, add_snapshot, add_record,    add_event, add_methods,  add_sequence,
        add_arm,    add_disarm,   add_stop,      add_take,  add_give,     add_completion}) {
    add(app, exit);
  }
}

}  // namespace hild::ctl
