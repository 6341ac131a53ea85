// SPDX-License-Identifier: Apache-2.0
/// hildctl: wiring only.
#include "cli/ctl/commands.hpp"
#include "cli/ctl/common.hpp"
#include "cli/terminal/command_line.hpp"
#include "cli/terminal/print.hpp"
#include "core/doc_page.hpp"

int main(int argc, char** argv) {
  using hild::ctl::Exit;
  hild::cli::begin_standard_files();
  CLI::App app("hildctl: watch and steer a run of hild", "hildctl");
  app.set_version_flag("--version", "hildctl " HILD_VERSION);
  app.require_subcommand(0, 1);  // a wrong one is named, where 1 would call it missing
  app.footer(
      "Talks JSON-RPC 2.0 to the daemon's control socket: --socket PATH, else $HILD_SOCKET, else "
      "where\na daemon puts it. --socket, --timeout and --json may stand before the command or "
      "behind it.\n`hildctl COMMAND --help` has examples.\n"
      "Exit codes: 0 done, 1 wrong arguments, an error reply, or the answer could not be written,"
      "\n2 the connection failed, 3 an expectation of a sequence failed, 4 another client has "
      "control.\nMore: " +
      hild::doc_page("control"));

  Exit exit = Exit::done;
  hild::ctl::add_all(app, exit);
  const int refused = static_cast<int>(Exit::refused);
  return hild::cli::run_command(app, hild::ctl::command_first(app, {argv + 1, argv + argc}),
                                [&] { return static_cast<int>(exit); },
                                {.usage = refused, .fault = refused, .printed = refused});
}
