// SPDX-License-Identifier: Apache-2.0
/// The daemon and its tools: wiring only.
#include "main/commands.hpp"

int main(int argc, char** argv) {
  using hild::ExitCode;
  CLI::App app("hild: hardware-in-the-loop real-time simulation executive", "hild");
  app.set_version_flag("--version", "hild " HILD_VERSION);
  app.require_subcommand(0, 1);  // a wrong one is named, where 1 would call it missing
  app.footer(
      "Exit codes: 0 done, 1 usage or configuration, 2 fault while running, 3 overrun limit "
      "reached, 4 device failed, 5 an interlock tripped.");

  ExitCode exit_code = ExitCode::done;
  hild::commands::add_run(app, exit_code);
  hild::commands::add_check(app, exit_code);
  hild::commands::add_advise(app, exit_code);
  hild::commands::add_io(app, exit_code);
  hild::commands::add_safe(app, exit_code);
  hild::commands::add_doctor(app, exit_code);
  hild::commands::add_methods(app, exit_code);
  hild::commands::add_simulate(app, exit_code);
  hild::commands::add_log(app, exit_code);
  hild::commands::add_replay(app, exit_code);
  hild::commands::add_export(app, exit_code);
  hild::commands::add_new_model(app, exit_code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      exit_code = hild::commands::complain({"expected a command; `hild --help` lists them"});
    }
  } catch (const CLI::ParseError& e) {
    // --help and --version end here too, with 0.
    return app.exit(e) == 0 ? 0 : static_cast<int>(ExitCode::usage);
  } catch (const std::exception& e) {
    return static_cast<int>(hild::commands::complain({e.what(), ExitCode::fault}));
  }
  return static_cast<int>(exit_code);
}
