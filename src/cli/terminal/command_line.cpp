// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/command_line.hpp"

#include <algorithm>
#include <sstream>

#include "cli/terminal/print.hpp"
#include "config/near_names.hpp"

namespace hild::cli {
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
  const std::string meant = config::suggest(word, known);
  tell("{}: there is no command \"{}\", {}{}\n", app.get_name(), word, meant,
       meant.ends_with('?') ? "" : "; `" + app.get_name() + " --help` tells of them");
  return true;
}

int parse_and_run(CLI::App& app, std::vector<std::string> words, const std::function<int()>& code,
                  const Codes& codes) {
  if (refuse_unknown_command(app, words)) return codes.usage;
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
    if (!app.get_subcommands().empty()) return code();
    tell("{0}: expected a command; `{0} --help` lists them\n", app.get_name());
    return codes.usage;
  } catch (const CLI::ParseError& e) {
    std::ostringstream asked;
    std::ostringstream wrong;
    const bool good = app.exit(e, asked, wrong) == 0;  // --help and --version end here too
    print_text(asked.str());
    tell_text(wrong.str());
    return good ? 0 : codes.usage;
  } catch (const std::exception& e) {
    tell("{}: {}\n", app.get_name(), e.what());
    return codes.fault;
  }
}

}  // namespace

int run_command(CLI::App& app, std::vector<std::string> words, const std::function<int()>& code,
                const Codes& codes) {
  const int ended = parse_and_run(app, std::move(words), code, codes);
  return exit_code(app.get_name(), ended, codes.printed);
}

}  // namespace hild::cli
