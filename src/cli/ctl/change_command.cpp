// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/change_command.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>

namespace hild::ctl {
namespace {

using exec::FieldInfo;

std::string upper(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(), [](char c) { return c == '_' ? '-' : std::toupper(c); });
  return all;
}

/// "SIGNAL" where it has a place, else "--frequency-end".
std::string name_of(const FieldInfo& f) {
  if (f.field.argument) return upper(f.field.name);
  std::string name = fmt::format("--{}", f.field.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

/// "stuck (at VALUE), dropout (keeps its last value)".
std::string listed(std::span<const exec::Word> words) {
  std::string text;
  for (const exec::Word& w : words) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", w.name);
    if (!w.help.empty()) text += fmt::format(" ({})", w.help);
  }
  return text;
}

std::string type_of(const FieldInfo& f) {
  if (f.form == FieldInfo::Form::table) return "FILE.csv";
  return f.unit.empty() || f.unit == "1" ? "VALUE" : upper(f.unit);
}

}  // namespace

void ChangeCommand::declare(CLI::App& command) {
  for (const FieldInfo& f : kind->fields) {
    if (f.field.name != exec::restart_field.name) declare(command, f);
  }
  when.declare(command, kind->field(exec::restart_field.name) != nullptr);
}

void ChangeCommand::declare(CLI::App& command, const FieldInfo& f) {
  const std::string help(f.field.help);
  if (f.form == FieldInfo::Form::settings) {
    const bool outputs = f.target == exec::Target::output;
    command.add_option("SETTING", settings, help)
        ->type_name(outputs ? "OUTPUT=VALUE ..." : "NAME=VALUE ...")
        ->required(f.uses.empty() && complete);
    return;
  }
  const std::string name = name_of(f);
  if (f.form == FieldInfo::Form::flag) {
    command.add_flag(name, flags[f.field.name], help);
    return;
  }
  std::vector<exec::Word> may_be(f.words.begin(), f.words.end());
  if (!may_be.empty()) may_be.insert(may_be.end(), more_words.begin(), more_words.end());
  auto* option = command.add_option(
      name, texts[f.field.name],
      may_be.empty() ? help : fmt::format("{}: {}", f.field.help, listed(may_be)));
  if (!may_be.empty()) {
    std::vector<std::string> names(may_be.size());
    std::ranges::transform(may_be, names.begin(), [](auto& w) { return std::string(w.name); });
    option->check(CLI::IsMember(names));
  }
  if (f.form == FieldInfo::Form::whole || f.form == FieldInfo::Form::frames) {
    const std::string from = fmt::format("from {}", f.limits.low);
    const bool open = f.limits.high == INT64_MAX;
    option->type_name("N")->check(CLI::Range(f.limits.low, f.limits.high, open ? from : ""));
  }
  if (f.field.argument) {
    option->required(f.required && complete);
  } else if (f.form == FieldInfo::Form::number || f.form == FieldInfo::Form::time ||
             f.form == FieldInfo::Form::table) {
    option->type_name(type_of(f));
  }
}

json::object ChangeCommand::params() const {
  json::object params;
  for (const FieldInfo& f : kind->fields) {
    const std::string_view key = f.field.in_json();
    if (const auto flag = flags.find(f.field.name); flag != flags.end() && flag->second) {
      params[key] = true;
    }
    if (f.form == FieldInfo::Form::settings && !settings.empty()) {
      params[key] =
          values_of(settings, f.target == exec::Target::output
                                  ? "OUTPUT=VALUE, such as shaft_speed=0"
                                  : "NAME=VALUE, such as inertia=4e-4 or 'inertia=400 mg m2'");
      // Values say which word of the choice is meant, where they belong to one.
      const auto choice =
          std::ranges::find(kind->fields, FieldInfo::Form::choice, &FieldInfo::form);
      if (f.uses.size() == 1) params.emplace(choice->field.in_json(), f.uses.front().word);
    }
    const auto given = texts.find(f.field.name);
    if (given == texts.end() || given->second.empty()) continue;
    const std::string& text = given->second;
    if (f.form == FieldInfo::Form::table) {
      params[key] = read_table(text);
    } else if (f.form == FieldInfo::Form::whole || f.form == FieldInfo::Form::frames) {
      params[key] = std::strtoll(text.c_str(), nullptr, 0);  // as it was checked
    } else if (f.form == FieldInfo::Form::number || f.form == FieldInfo::Form::time) {
      params[key] = value_of(text);
    } else {
      params[key] = text;
    }
  }
  when.put(params);
  return params;
}

void add_change(CLI::App& app, Exit& exit, const CommandWords& words) {
  add_command(app, exit, words, make_change, ChangeCommand(words.name));
}

Exit make_change(ChangeCommand& command) {
  command.waits = command.when.later();
  return perform(command, command.kind->schema.name, command.params(), print_effect);
}

}  // namespace hild::ctl
