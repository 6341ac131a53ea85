// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/completion.hpp"

#include <boost/algorithm/string/replace.hpp>

#include "cli/terminal/print.hpp"

namespace hild::cli {
namespace {

using Words = std::vector<std::string>;

// Bash breaks words at = and :, which settings and names contain: the words are taken from the
// line, and what stands before the last break is not offered again.
constexpr const char* bash = R"(# PROGRAM completion for bash: source <(PROGRAM completion bash)
_PROGRAM() {
  local line=${COMP_LINE:0:COMP_POINT} words current broken candidate
  read -ra words <<<"$line"
  if [[ $line == *[[:space:]] ]]; then words+=(''); fi
  current=${words[-1]}
  broken=${current%"${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ -n $candidate ]]; then COMPREPLY+=("${candidate#"$broken"}"); fi
  done < <("${words[0]}" __complete -- "${words[@]:1}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -o default -F _PROGRAM PROGRAM
)";

constexpr const char* zsh = R"(#compdef PROGRAM
# PROGRAM completion for zsh: PROGRAM completion zsh >"${fpath[1]}/_PROGRAM"
_PROGRAM() {
  local -a found settings
  found=("${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(${found:#})
  settings=(${(M)found:#*=})
  found=(${found:#*=})
  if (( ${#settings} + ${#found} == 0 )); then _files; return; fi
  (( ${#settings} )) && compadd -S '' -- "${settings[@]}"
  (( ${#found} )) && compadd -- "${found[@]}"
}
if [[ $funcstack[1] == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
)";

constexpr const char* fish = R"(# PROGRAM completion for fish: PROGRAM completion fish | source
function __PROGRAM_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] __complete -- $words[2..-1] $current 2>/dev/null
end
complete -c PROGRAM -a '(__PROGRAM_complete)'
)";

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The words that are neither options nor their values.
Words positionals(const CLI::App& command, const Words& words) {
  Words found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      found.push_back(words[i]);
      continue;
    }
    const CLI::Option* option = command.get_option_no_throw(words[i]);
    if (option != nullptr && takes_value(*option)) ++i;
  }
  return found;
}

Words options_of(const CLI::App& command) {
  Words found;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) found.push_back("--" + name);
  }
  return found;
}

/// Those that are not hidden.
Words commands_of(const CLI::App& app) {
  Words found;
  for (const CLI::App* one :
       app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); })) {
    found.push_back(one->get_name());
  }
  return found;
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  const auto found =
      app.get_subcommands([&](const CLI::App* one) { return one->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

}  // namespace

std::vector<std::string> complete(const CLI::App& app, const Words& words,
                                  const Argument& argument) {
  const std::string current = words.empty() ? "" : words.back();
  const Words before(words.begin(), words.empty() ? words.end() : words.end() - 1);
  const CLI::App* command = &app;
  auto rest = before.begin();  // behind the words that name the command
  for (; rest != before.end(); ++rest) {
    const CLI::App* next = command_named(*command, *rest);
    if (next == nullptr) break;
    command = next;
  }
  Words found;
  if (current.starts_with("-")) {
    found = options_of(*command);
  } else if (!commands_of(*command).empty()) {
    if (rest == before.end()) found = commands_of(*command);
  } else {
    const CLI::Option* last =
        rest == before.end() ? nullptr : command->get_option_no_throw(before.back());
    if (last == nullptr || !before.back().starts_with("--") || !takes_value(*last)) {
      found = argument(command->get_name(), positionals(*command, {rest, before.end()}));
    }
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(current); });
  return found;
}

std::string completion_script(std::string_view program, std::string_view shell) {
  const std::string script = shell == "zsh" ? zsh : shell == "fish" ? fish : bash;
  return boost::replace_all_copy(script, "PROGRAM", program);
}

void add_completion(CLI::App& app, const std::string& names,
                    const std::function<Candidates>& candidates) {
  auto* command = app.add_subcommand("completion", "print the completion script of a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  const std::string program = app.get_name();
  command->footer(
      fmt::format("{0}\n"
                  "Examples: source <({1} completion bash)\n"
                  "          {1} completion zsh >\"${{fpath[1]}}/_{1}\"\n"
                  "          {1} completion fish | source",
                  names, program));
  command->callback([=] { print_text(completion_script(program, *shell)); });

  auto* hidden = app.add_subcommand("__complete", "candidates for the last of the words");
  hidden->group("");
  const auto words = std::make_shared<std::vector<std::string>>();
  hidden->add_option("WORDS", *words);
  hidden->callback([=] {
    for (const std::string& one : candidates(*words)) print("{}\n", one);
  });
}

}  // namespace hild::cli
