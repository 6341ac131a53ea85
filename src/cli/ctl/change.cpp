// SPDX-License-Identifier: Apache-2.0
/// The commands that make a change and nothing else.
#include "cli/ctl/change_command.hpp"
#include "cli/ctl/commands.hpp"

namespace hild::ctl {

void add_set(CLI::App& app, Exit& exit) {
  add_change(app, exit,
             {.name = "set",
              .summary = "set parameters, all at the start of one step",
              .footer = "Example: hildctl set inertia=8e-4 'friction=4e-5 Nm s/rad' --at-time 10",
              .method = "set"});
}

void add_stimulate(CLI::App& app, Exit& exit) {
  add_change(
      app, exit,
      {.name = "stimulate",
       .summary =
           "drive an input by a signal that the run makes: step, ramp, sine, chirp, playback",
       .footer = "Examples: hildctl stimulate load_torque step --amplitude '60 mNm' --replace\n"
                 "          hildctl stimulate load_torque sine --amplitude 0.01 --frequency 2 "
                 "--duration 5",
       .method = "stimulate"});
}

void add_quiet(CLI::App& app, Exit& exit) {
  add_change(app, exit,
             {.name = "quiet",
              .summary = "stop the stimulus of an input",
              .footer = "Example: hildctl quiet load_torque",
              .method = "quiet"});
}

void add_freeze(CLI::App& app, Exit& exit) {
  add_change(app, exit,
             {.name = "freeze",
              .summary = "hold the plant; real time goes on",
              .footer = "Examples: hildctl freeze --outputs safe\n"
                        "          hildctl freeze shaft_speed=0",
              .method = "freeze"});
}

void add_step(CLI::App& app, Exit& exit) {
  add_change(
      app, exit,
      {.name = "step",
       .summary = "advance a frozen plant by some frames",
       .footer = "A plant that runs is not stepped unless it may be frozen: `hildctl freeze` "
                 "first, or --freeze.\nExample: hildctl step 10",
       .method = "step"});
}

void add_resume(CLI::App& app, Exit& exit) {
  add_change(app, exit,
             {.name = "resume",
              .summary = "let a frozen plant go on",
              .footer = "Example: hildctl resume",
              .method = "resume"});
}

}  // namespace hild::ctl
