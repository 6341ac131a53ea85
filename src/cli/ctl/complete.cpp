// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/ctl/completion.hpp"
#include "cli/terminal/completion.hpp"
#include "exec/change_kinds.hpp"

namespace hild::ctl {
namespace {

using SignalKind = sequence::Kind;
using Words = std::vector<std::string>;

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

const std::vector<SignalKind> all_kinds{SignalKind::output, SignalKind::input, SignalKind::state,
                                        SignalKind::parameter};
const std::vector<SignalKind> signals{SignalKind::output, SignalKind::input, SignalKind::state};

/// The words an argument may be, for those that are no names of the run.
Words words_of(const std::string& command, std::size_t place) {
  static const std::map<std::string, std::vector<Words>> fixed{
      {"list", {{"parameters", "inputs", "outputs", "states"}}},
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

/// Of a command that makes a change: names and words, as its fields say.
Words change_words(const exec::ChangeKind& kind, std::size_t place, const Known& known) {
  static constexpr SignalKind kinds[] = {SignalKind::parameter, SignalKind::input,
                                         SignalKind::output};
  std::size_t at = 0;
  for (const exec::FieldInfo& f : kind.fields) {
    if (!f.field.argument) continue;
    const SignalKind aim = kinds[static_cast<std::size_t>(f.target)];
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
  const std::size_t place = before.size();
  if (command == "get") return names_of(known.names(), all_kinds);
  if (command == "watch") return names_of(known.names(), signals);
  if (command == "event") return event_words(before, known);
  for (const exec::ChangeKind& kind : exec::change_kinds()) {
    if (kind.schema.keyword == command) return change_words(kind, place, known);
  }
  return words_of(command, place);
}

}  // namespace

std::vector<std::string> complete(const CLI::App& app, const Words& words, const Known& known) {
  return cli::complete(app, words, [&](const std::string& command, const Words& before) {
    return argument(command, before, known);
  });
}

}  // namespace hild::ctl
