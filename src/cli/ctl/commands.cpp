// SPDX-License-Identifier: Apache-2.0
/// \file
/// All commands, in the order of the help.
#include "cli/ctl/commands.hpp"

#include "cli/ctl/change_command.hpp"

namespace hild::ctl {

void add_all(CLI::App& app, Exit& exit) {
  for (const auto add : {add_status, add_list, add_get, add_watch, add_history, add_overruns})
    add(app, exit);
  add_change(app, exit,
             {"set", "set parameters, all at the start of one step",
              "Example: hildctl set inertia=8e-4 'friction=4e-5 Nm s/rad' --at-time 10"});
  add_fault(app, exit);
  add_change(app, exit,
             {"inject", "make something wrong with a device: a message that does not come, say",
              "`hildctl list device_faults` has what there is; `hildctl fault` lists what is in "
              "force.\n"
              "Examples: hildctl inject bus.Command.missing --frames 500\n"
              "          hildctl inject bus.Command.delayed '20 ms'"});
  add_change(app, exit,
             {"clear", "end a fault of a device", "Example: hildctl clear bus.Command.missing"});
  add_change(app, exit,
             {"acknowledge", "tell an alarm that latches that it is known of",
              "Example: hildctl acknowledge hot"});
  add_change(app, exit,
             {"stimulate",
              "drive an input by a signal that the run makes: step, ramp, sine, chirp, playback",
              "Examples: hildctl stimulate load_torque step --amplitude '60 mNm' --replace\n"
              "          hildctl stimulate load_torque sine --amplitude 0.01 --frequency 2 "
              "--duration 5"});
  add_change(app, exit,
             {"quiet", "stop the stimulus of an input", "Example: hildctl quiet load_torque"});
  add_change(app, exit,
             {"freeze", "hold the plant; real time goes on",
              "Examples: hildctl freeze --outputs safe\n"
              "          hildctl freeze shaft_speed=0"});
  add_change(app, exit,
             {"step", "advance a frozen plant by some frames",
              "A plant that runs is not stepped unless it may be frozen: `hildctl freeze` "
              "first, or --freeze.\nExample: hildctl step 10"});
  add_change(app, exit, {"resume", "let a frozen plant go on", "Example: hildctl resume"});
  for (const auto add : {add_snapshot, add_record, add_rewind, add_show, add_event, add_sequence,
                         add_begin, add_stop, add_take, add_dashboard, add_completion}) {
    add(app, exit);
  }
}

}  // namespace hild::ctl
