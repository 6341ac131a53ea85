// SPDX-License-Identifier: Apache-2.0
/// Roles: control.roles: {trainee: {socket: trainee.sock, may: {set: [rudder], mark: all}}}.
#include <algorithm>
#include <cctype>

#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "exec/change_kinds.hpp"

namespace hild::config {
namespace {

using Form = exec::FieldInfo::Form;

bool is_of_named(const exec::FieldInfo& field) {
  return field.form == Form::name || field.form == Form::settings;
}

// What a role may be given: the kinds of changes, and what acts at once; not what makes a run safe,
// which everybody may.
std::vector<std::string_view> rights_there_are() {
  std::vector<std::string_view> all{"arm", "record", "take", "arrange", "begin", "show"};
  for (const exec::ChangeKind& kind : exec::change_kinds()) {
    if (!kind.schema.part && !kind.schema.safe) all.push_back(kind.schema.name);
  }
  return all;
}

const exec::ChangeKind* kind_called(std::string_view method) {
  const auto kinds = exec::change_kinds();
  const auto kind = std::ranges::find(kinds, method, [](const auto& k) { return k.schema.name; });
  return kind == kinds.end() ? nullptr : &*kind;
}

// The names of what such a change addresses; of faults of devices, which are not known here, none.
std::vector<std::string_view> addressable(const exec::ChangeKind& kind, const Config& config) {
  const model::Description& model = config.model.description;
  std::vector<std::string_view> names;
  const auto add = [&](const auto& signals) {
    names.reserve(names.size() + signals.size());
    for (const auto& signal : signals) names.push_back(signal.name);
  };
  for (const exec::FieldInfo& field : kind.fields) {
    if (!is_of_named(field)) continue;
    if (field.either || field.target == exec::Target::input) add(model.inputs);
    if (field.either || field.target == exec::Target::output) add(model.outputs);
    if (!field.either && field.target == exec::Target::parameter) add(model.parameters);
    if (!field.either && field.target == exec::Target::alarm) add(config.alarms);
  }
  return names;
}

constexpr std::string_view no_name = "found no name, expected a list of them, or `all`";

// Of sequences, which have names without prefixes.
Role::Right read_right_to_begin(YamlOptions& may, const std::vector<std::string_view>& words,
                                const Control& control) {
  constexpr std::string_view method = "begin";
  if (words.empty()) may.reject(method, no_name);
  std::vector<std::string_view> known;
  for (const Control::Sequence& one : control.sequences) known.push_back(one.name);
  for (const std::string_view word : words) {
    if (std::ranges::find(known, word) != known.end()) continue;
    may.reject(method, fmt::format("found \"{}\", expected the name of a sequence of "
                                   "control.sequences ({})",
                                   word, suggest(word, known)));
  }
  return {std::string(method), {words.begin(), words.end()}};
}

Role::Right read_right(YamlOptions& may, const std::string& method, const Config& config) {
  Role::Right right{method, {}};
  const auto words = may.words(method);
  if (words.size() == 1 && words.front() == "all") return right;
  if (method == "begin") return read_right_to_begin(may, words, *config.control);
  const exec::ChangeKind* const kind = kind_called(method);
  if (kind == nullptr || std::ranges::none_of(kind->fields, is_of_named)) {
    may.mismatch(method, "`all`", "it is of the whole run, and of nothing that has a name");
  }
  if (words.empty()) may.reject(method, no_name);
  const auto known = addressable(*kind, config);
  right.names.reserve(words.size());
  for (const std::string_view word : words) {
    const std::string_view bare = word.substr(word.find(':') + 1);  // also where there is no prefix
    if (!known.empty() && std::ranges::find(known, bare) == known.end()) {
      may.reject(method, fmt::format("found \"{}\", expected the name of what can be changed so "
                                     "({})",
                                     word, suggest(bare, known)));
    }
    right.names.emplace_back(word);
  }
  return right;
}

void check_role_name(YamlOptions& entry, const std::string& name) {
  constexpr std::size_t longest = 32;
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  if (name.size() <= longest && std::ranges::all_of(name, fits)) return;
  entry.reject_all(fmt::format(
      "found the role \"{}\", expected a name of letters, digits, _ and -, at most {} of them",
      name, longest));
}

Role read_role(YamlOptions& entry, const std::string& name, const Config& config) {
  Role role;
  role.name = name;
  check_role_name(entry, name);
  if (entry.has("socket")) role.socket = entry.path("socket");
  role.mode = read_mode(entry, role.mode);
  role.group = entry.text("group", "");
  if (entry.has("token_file")) {
    if (config.control->address.empty()) {
      entry.reject("token_file", "found a token without control.http, which alone asks for it");
    }
    role.token = entry.accept("token_file", read_token_file(std::string(entry.path("token_file"))));
  }
  YamlOptions& may = entry.map("may");
  may.names_only("what a role may do", rights_there_are());
  role.may.reserve(may.keys().size());
  for (const std::string& method : may.keys()) {
    may.attempt(method, [&] { role.may.push_back(read_right(may, method, config)); });
  }
  if (role.socket.empty() && role.token.empty()) {
    entry.refuse_unknown();
    entry.reject_all("found neither socket nor token_file: nobody could have this role");
  }
  return role;
}

// Whoever is let in as one is not let in as another.
void check_apart(YamlOptions& entry, const Role& role, const Control& control) {
  const auto check = [&](const std::string& socket, const std::string& token,
                         std::string_view whose) {
    if (!role.socket.empty() && role.socket == socket) {
      entry.reject("socket", fmt::format("it is that of {} too; expected another path", whose));
    }
    if (!role.token.empty() && role.token == token) {
      entry.reject("token_file",
                   fmt::format("its token is that of {} too; expected another one", whose));
    }
  };
  check(control.socket, control.token, "control");
  for (const Role& other : control.roles) check(other.socket, other.token, other.name);
}

}  // namespace

void read_roles(YamlOptions& section, Config& config) {
  YamlOptions& roles = section.map("roles");
  for (const std::string& name : roles.keys()) {
    roles.attempt(name, [&] {
      YamlOptions& entry = roles.section(name);
      Role role = read_role(entry, name, config);
      check_apart(entry, role, *config.control);
      config.control->roles.push_back(std::move(role));
    });
  }
}

}  // namespace hild::config
