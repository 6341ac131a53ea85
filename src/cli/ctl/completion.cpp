// SPDX-License-Identifier: Apache-2.0
/// `hildctl completion`, and the hidden command that its scripts call.
#include "cli/ctl/completion.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/completion.hpp"
#include "exec/change_kinds.hpp"

namespace hild::ctl {
namespace {

using SignalKind = sequence::Kind;
using Words = std::vector<std::string>;

const std::vector<SignalKind> signals{SignalKind::output, SignalKind::input, SignalKind::state};
const std::vector<SignalKind> all_kinds{SignalKind::output, SignalKind::input, SignalKind::state,
                                        SignalKind::parameter};

/// What the first argument may be, where it is no name of the run.
const std::map<std::string, Words> fixed_words{
    {"list", {"parameters", "inputs", "outputs", "states", "device_faults", "alarms"}},
    {"completion", {"bash", "zsh", "fish"}},
    {"record", {"start", "stop", "mark"}},
    {"histograms", {"wake", "work", "margin", "lateness"}},
};

/// Names as the daemon takes them: with the kind where several of those that count share one.
Words names_of(const sequence::Names& names, const std::vector<SignalKind>& kinds,
               const std::string& after = "") {
  Words found;
  for (const auto& one : names.all()) {
    if (std::ranges::find(kinds, one.kind) == kinds.end()) continue;
    const bool alone = names.find(one.name, kinds).has_value();
    found.push_back(alone ? one.name + after
                          : fmt::format("{}:{}{}", to_string(one.kind), one.name, after));
  }
  return found;
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

/// Of a command that makes a change: names and words, as its fields say.
Words change_words(const exec::ChangeKind& kind, std::size_t place, const Known& known) {
  std::size_t at = 0;
  for (const exec::FieldInfo& f : kind.fields) {
    if (!f.field.argument) continue;
    const auto aim = static_cast<SignalKind>(f.target);
    if (f.form == exec::FieldInfo::Form::settings) return names_of(known.names(), {aim}, "=");
    if (at++ != place) continue;
    if (f.either) return names_of(known.names(), {SignalKind::input, SignalKind::output});
    if (f.form == exec::FieldInfo::Form::name) return names_of(known.names(), {aim});
    Words words;
    for (const exec::Word& w : f.words) words.emplace_back(w.name);
    if (kind.schema.name == "override" && !words.empty()) words.emplace_back("release");
    return words;
  }
  return {};
}

Words argument(const std::string& command, const Words& before, const Known& known) {
  if (command == "get") return names_of(known.names(), all_kinds);
  if (command == "watch" || command == "history") return names_of(known.names(), signals);
  if (command == "event") return event_words(before, known);
  if (command == "begin") return before.empty() ? known.sequences() : Words();
  for (const exec::ChangeKind& kind : exec::change_kinds()) {
    if (kind.schema.keyword == command) return change_words(kind, before.size(), known);
  }
  const auto fixed = fixed_words.find(command);
  return fixed != fixed_words.end() && before.empty() ? fixed->second : Words();
}

/// What the daemon replies; gives up soon, since somebody waits for a key.
json::value ask(const Words& words, const char* method) try {
  Common common;
  common.timeout = "1";
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--socket") common.socket = words[i + 1];
  }
  return open(common).call(method);
} catch (const CallError&) {
  return {};
}

Words names_in(const json::array& all) {
  Words names;
  for (const json::value& one : all) names.push_back(text_of(one, "name"));
  return names;
}

Words candidates(const Words& words) {
  CLI::App app("", "hildctl");
  Exit ignored = Exit::done;
  add_all(app, ignored);
  const auto methods = [&] {
    const json::value all = ask(words, "methods");
    return all.is_array() ? all.get_array() : json::array();
  };
  const auto params = [&](const std::string& method) {
    for (const json::value& one : methods()) {
      if (text_of(one, "name") == method) return names_in(list_of(one, "params"));
    }
    return Words();
  };
  const auto names = [&] {
    return sequence::Names::from_list(ask(words, "list")).value_or(sequence::Names());
  };
  const Known known{
      .names = names,
      .methods = [&] { return names_in(methods()); },
      .params = params,
      .sequences = [&] { return names_in(list_of(ask(words, "sequences"), "sequences")); }};
  return complete(app, {words.begin() + options_first(words), words.end()}, known);
}

}  // namespace

std::vector<std::string> complete(const CLI::App& app, const Words& words, const Known& known) {
  return cli::complete(app, words, [&](const std::string& command, const Words& before) {
    return argument(command, before, known);
  });
}

void add_completion(CLI::App& app, Exit& /*exit*/) {
  cli::add_completion(app, "Names are completed by asking the daemon.", candidates);
}

}  // namespace hild::ctl
