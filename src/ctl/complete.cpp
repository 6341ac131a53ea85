// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "ctl/completion.hpp"

namespace hild::ctl {
namespace {

using SignalKind = sequence::Kind;
using Words = std::vector<std::string>;

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

std::vector<const CLI::App*> all_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Those that are not hidden.
Words commands_of(const CLI::App& app) {
  Words found;
  for (const CLI::App* one : all_commands(app)) {
    if (!one->get_group().empty()) found.push_back(one->get_name());
  }
  return found;
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  const auto all = all_commands(app);
  const auto found =
      std::ranges::find_if(all, [&](const CLI::App* one) { return one->get_name() == name; });
  return found == all.end() ? nullptr : *found;
}

/// Names as the daemon takes them: with the kind where several of those that count share one.
Words names_of(const sequence::Names& names, const std::vector<SignalKind>& kinds,
               const std::string& after = "") {
  Words found;
  for (const auto& one : names.all()) {
    if (std::ranges::find(kinds, one.kind) == kinds.end()) continue;
    const bool alone = names.find(one.name, kinds).has_value();
    const std::string prefix = alone ? "" : std::string(to_string(one.kind)) + ":";
    found.push_back(prefix + one.name + after);
  }
  return found;
}

const std::vector<SignalKind> all_kinds{SignalKind::output, SignalKind::input, SignalKind::state,
                                        SignalKind::parameter};
const std::vector<SignalKind> signals{SignalKind::output, SignalKind::input, SignalKind::state};

/// The words an argument may be, for those that are no names of the run.
Words words_of(const std::string& command, std::size_t place) {
  static const std::map<std::string, std::vector<Words>> fixed{
      {"list", {{"parameters", "inputs", "outputs", "states"}}},
      {"fault", {{}, {"stuck", "offset", "gain", "noise", "dropout", "release"}}},
      {"stimulate", {{}, {"step", "ramp", "sine", "chirp", "playback"}}},
      {"completion", {{"bash", "zsh", "fish"}}},
      {"histograms", {{"wake", "work", "margin", "lateness"}}},
  };
  const auto found = fixed.find(command);
  if (found == fixed.end() || place >= found->second.size()) return {};
  return found->second[place];
}

/// Of `event`: a method, then its params, then + and another method.
Words event_words(const Words& before, const Known& known) {
  const auto plus = std::find(before.rbegin(), before.rend(), "+");
  const Words group(plus.base(), before.end());
  if (group.empty()) return known.methods();
  Words found;
  for (const std::string& param : known.params(group.front())) found.push_back(param + "=");
  found.emplace_back("+");
  return found;
}

Words argument(const std::string& command, const Words& before, const Known& known) {
  const std::size_t place = before.size();
  const auto of = [&](const std::vector<SignalKind>& kinds, const std::string& after = "") {
    return names_of(known.names(), kinds, after);
  };
  if (command == "get") return of(all_kinds);
  if (command == "watch") return of(signals);
  if (command == "set") return of({SignalKind::parameter}, "=");
  if (command == "freeze") return of({SignalKind::output}, "=");
  if (command == "fault" && place == 0) return of({SignalKind::input, SignalKind::output});
  if (command == "stimulate" && place == 0) return of({SignalKind::input});
  if (command == "quiet" && place == 0) return of({SignalKind::input});
  if (command == "event") return event_words(before, known);
  return words_of(command, place);
}

}  // namespace

std::vector<std::string> complete(const CLI::App& app, const Words& words, const Known& known) {
  const std::string current = words.empty() ? "" : words.back();
  const Words before(words.begin(), words.empty() ? words.end() : words.end() - 1);
  const CLI::App* command = &app;
  std::size_t depth = 0;  // words that name the command
  while (depth < before.size()) {
    const CLI::App* next = command_named(*command, before[depth]);
    if (next == nullptr) break;
    command = next;
    ++depth;
  }
  Words found;
  if (current.starts_with("-")) {
    found = options_of(*command);
  } else if (!commands_of(*command).empty()) {
    if (depth == before.size()) found = commands_of(*command);
  } else {
    const Words rest(before.begin() + static_cast<std::ptrdiff_t>(depth), before.end());
    const CLI::Option* last = rest.empty() ? nullptr : command->get_option_no_throw(rest.back());
    const bool value_of_option =
        last != nullptr && rest.back().starts_with("--") && takes_value(*last);
    if (!value_of_option) found = argument(command->get_name(), positionals(*command, rest), known);
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(current); });
  return found;
}

}  // namespace hild::ctl
