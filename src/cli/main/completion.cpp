// SPDX-License-Identifier: Apache-2.0
/// `hild completion`: for the shells.
#include "cli/terminal/completion.hpp"

#include "cli/main/commands.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::commands {
namespace {

std::vector<std::string> argument_words(const std::string& command,
                                        const std::vector<std::string>& before) {
  if (!before.empty()) return {};
  if (command == "completion") return {"bash", "zsh", "fish"};
  if (command != "methods") return {};  // a file
  std::vector<std::string> names;
  for (const auto* method : numerics::catalogue()) names.emplace_back(method->name);
  return names;
}

}  // namespace

void add_completion(CLI::App& app, ExitCode& /*exit_code*/) {
  cli::add_completion(app, "Commands, options, methods and files are completed.",
                      [](const std::vector<std::string>& words) {
                        CLI::App all("", "hild");
                        ExitCode ignored = ExitCode::done;
                        add_all(all, ignored);
                        return cli::complete(all, words, argument_words);
                      });
}

}  // namespace hild::commands
