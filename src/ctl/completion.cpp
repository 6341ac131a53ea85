// SPDX-License-Identifier: Apache-2.0
/// `hildctl completion`, and the hidden command that its scripts call.
#include "ctl/completion.hpp"

#include <boost/json.hpp>
#include <optional>

#include "cli/print.hpp"
#include "ctl/commands.hpp"
#include "ctl/members.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

// Bash breaks words at = and :, which settings and names contain: the words are taken from the
// line, and what stands before the last break is not offered again.
constexpr const char* bash = R"(# hildctl completion for bash: source <(hildctl completion bash)
_hildctl() {
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
complete -o default -F _hildctl hildctl
)";

constexpr const char* zsh = R"(#compdef hildctl
# hildctl completion for zsh: hildctl completion zsh >"${fpath[1]}/_hildctl"
_hildctl() {
  local -a found settings
  found=("${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(${found:#})
  settings=(${(M)found:#*=})
  found=(${found:#*=})
  if (( ${#settings} + ${#found} == 0 )); then _files; return; fi
  (( ${#settings} )) && compadd -S '' -- "${settings[@]}"
  (( ${#found} )) && compadd -- "${found[@]}"
}
if [[ $funcstack[1] == _hildctl ]]; then _hildctl "$@"; else compdef _hildctl hildctl; fi
)";

constexpr const char* fish = R"(# hildctl completion for fish: hildctl completion fish | source
function __hildctl_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] __complete -- $words[2..-1] $current 2>/dev/null
end
complete -c hildctl -f -a '(__hildctl_complete)'
complete -c hildctl -F -n '__fish_seen_subcommand_from sequence'
)";

/// Asks the daemon at most once for each thing, and gives up soon: somebody waits for a key.
class Asked {
 public:
  explicit Asked(const std::vector<std::string>& words) {
    common_.timeout = "1";
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "--socket") common_.socket = words[i + 1];
    }
  }

  const json::value& reply(const char* method) {
    auto& kept = replies_[method];
    if (kept) return *kept;
    kept = json::value();
    if (auto client = open(common_)) {
      if (auto result = (*client)->call(method)) kept = std::move(*result);
    }
    return *kept;
  }

 private:
  Common common_;
  std::map<std::string, std::optional<json::value>> replies_;
};

std::vector<std::string> methods_of(const json::value& methods) {
  std::vector<std::string> names;
  if (!methods.is_array()) return names;
  for (const json::value& one : methods.get_array()) names.push_back(text_of(one, "name"));
  return names;
}

/// The params of one method, as `methods` tells them.
std::vector<std::string> param_names(const json::value& methods, const std::string& method) {
  std::vector<std::string> names;
  if (!methods.is_array()) return names;
  for (const json::value& one : methods.get_array()) {
    if (text_of(one, "name") != method) continue;
    for (const json::value& param : list_of(one, "params")) names.push_back(text_of(param, "name"));
  }
  return names;
}

Exit print_candidates(const std::vector<std::string>& words) {
  CLI::App app("", "hildctl");
  Exit ignored = Exit::done;
  add_all(app, ignored);
  Asked asked(words);
  const std::vector<std::string> from_command(words.begin() + options_first(words), words.end());
  const Known known{
      .names =
          [&] {
            return sequence::Names::from_list(asked.reply("list")).value_or(sequence::Names());
          },
      .methods = [&] { return methods_of(asked.reply("methods")); },
      .params =
          [&](const std::string& method) { return param_names(asked.reply("methods"), method); }};
  for (const std::string& one : complete(app, from_command, known)) cli::print("{}\n", one);
  return Exit::done;
}

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "zsh") return zsh;
  return shell == "fish" ? fish : bash;
}

void add_completion(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("completion", "print the completion script of a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "Names are completed by asking the daemon.\n"
      "Examples: source <(hildctl completion bash)\n"
      "          hildctl completion zsh >\"${fpath[1]}/_hildctl\"\n"
      "          hildctl completion fish | source");
  command->callback([=, &exit] {
    cli::print_text(completion_script(*shell));
    exit = Exit::done;
  });

  auto* hidden = app.add_subcommand("__complete", "candidates for the last of the words");
  hidden->group("");
  const auto words = std::make_shared<std::vector<std::string>>();
  hidden->add_option("WORDS", *words);
  hidden->callback([=, &exit] { exit = print_candidates(*words); });
}

}  // namespace hild::ctl
