// SPDX-License-Identifier: Apache-2.0
/// hildctl: wiring only.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "config/near_names.hpp"
#include "core/doc_page.hpp"
#include "ctl/commands.hpp"
#include "ctl/common.hpp"

namespace {

/// A first word that is no command, which CLI11 would only call unexpected.
bool refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string word = words.empty() ? "" : words.front();
  if (word.empty() || word.starts_with("-")) return false;
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == word) return false;
    if (!one->get_group().empty()) names.push_back(one->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  fmt::print(stderr, "hildctl: there is no command \"{}\", {}\n", word,
             hild::config::suggest(word, known));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using hild::ctl::Exit;
  CLI::App app("hildctl: watch and steer a run of hild", "hildctl");
  app.set_version_flag("--version", "hildctl " HILD_VERSION);
  app.require_subcommand(0, 1);  // a wrong one is named, where 1 would call it missing
  app.footer(
      "Talks JSON-RPC 2.0 to the daemon's control socket: --socket PATH, else $HILD_SOCKET, else "
      "where\na daemon puts it. --socket, --timeout and --json may stand before the command or "
      "behind it.\n`hildctl COMMAND --help` has examples.\n"
      "Exit codes: 0 done, 1 wrong arguments or an error reply, 2 the connection failed,\n"
      "3 an expectation of a sequence failed, 4 another client has control.\n"
      "More: " +
      hild::doc_page("control"));

  Exit exit = Exit::done;
  hild::ctl::add_all(app, exit);
  auto words = hild::ctl::command_first(app, {argv + 1, argv + argc});
  if (refuse_unknown_command(app, words)) return static_cast<int>(Exit::refused);
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
    if (app.get_subcommands().empty()) {
      fmt::print(stderr, "hildctl: expected a command; `hildctl --help` lists them\n");
      exit = Exit::refused;
    }
  } catch (const CLI::ParseError& e) {
    // --help and --version end here too, with 0.
    return app.exit(e) == 0 ? 0 : static_cast<int>(Exit::refused);
  } catch (const std::exception& e) {
    fmt::print(stderr, "hildctl: {}\n", e.what());
    return static_cast<int>(Exit::refused);
  }
  return static_cast<int>(exit);
}
