// SPDX-License-Identifier: Apache-2.0
/// The daemon and its tools: wiring only.
#include "cli/main/commands.hpp"
#include "cli/terminal/command_line.hpp"
#include "cli/terminal/print.hpp"

int main(int argc, char** argv) {
  using hild::ExitCode;
  hild::cli::begin_standard_files();
  CLI::App app("hild: hardware-in-the-loop real-time simulation executive", "hild");
  app.set_version_flag("--version", "hild " HILD_VERSION);
  app.require_subcommand(0, 1);  // a wrong one is named, where 1 would call it missing
  app.footer(
      "Exit codes: 0 done, 1 usage or configuration, 2 fault while running (or the machine was too "
      "busy\nto begin, or what was asked for could not be written), 3 overrun limit reached, "
      "4 device\nfailed, 5 an interlock or an alarm, 6 a sequence of an offline run found "
      "what it did not\nexpect.");

  ExitCode exit_code = ExitCode::done;
  hild::commands::add_all(app, exit_code);
  return hild::cli::run_command(app, {argv + 1, argv + argc},
                                [&] { return static_cast<int>(exit_code); },
                                {.usage = static_cast<int>(ExitCode::usage),
                                 .fault = static_cast<int>(ExitCode::fault),
                                 .printed = static_cast<int>(ExitCode::fault)});
}
