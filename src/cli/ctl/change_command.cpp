// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/change_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>

#include "cli/ctl/table_file.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using exec::FieldInfo;
using Form = FieldInfo::Form;

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
  if (f.form == Form::table) return "FILE.csv";
  return f.unit.empty() || f.unit == "1" ? "VALUE" : upper(f.unit);
}

void add_settings(const FieldInfo& f, const CommandWords& words, ChangeCommand& to) {
  auto* option =
      to.app->add_option("SETTING", to.settings, std::string(f.field.help))
          ->type_name(f.target == exec::Target::output ? "OUTPUT=VALUE ..." : "NAME=VALUE ...");
  if (f.uses.empty() && words.complete) option->required();
}

void add_field(const FieldInfo& f, const CommandWords& words, ChangeCommand& to) {
  if (f.form == Form::settings) return add_settings(f, words, to);
  const std::string name = name_of(f);
  if (f.form == Form::flag) {
    to.app->add_flag(name, to.flags[f.field.name], std::string(f.field.help));
    return;
  }
  std::vector<exec::Word> may_be(f.words.begin(), f.words.end());
  if (!may_be.empty()) may_be.insert(may_be.end(), words.words.begin(), words.words.end());
  auto* option =
      to.app->add_option(name, to.texts[f.field.name],
                         may_be.empty() ? std::string(f.field.help)
                                        : fmt::format("{}: {}", f.field.help, listed(may_be)));
  if (!may_be.empty()) {
    std::vector<std::string> names;
    names.reserve(may_be.size());
    for (const exec::Word& w : may_be) names.emplace_back(w.name);
    option->check(CLI::IsMember(names));
  }
  if (f.form == Form::whole || f.form == Form::frames) {
    const std::string from = fmt::format("from {}", f.limits.low);
    const bool open = f.limits.high == INT64_MAX;
    option->type_name("N")->check(CLI::Range(f.limits.low, f.limits.high, open ? from : ""));
  }
  if (!f.field.argument &&
      (f.form == Form::number || f.form == Form::time || f.form == Form::table)) {
    option->type_name(type_of(f));
  }
  if (f.field.argument && f.required && words.complete) option->required();
}

}  // namespace

Reply<json::object> ChangeCommand::params() const {
  json::object params;
  for (const FieldInfo& f : kind->fields) {
    const std::string_view key = f.field.in_json();
    if (const auto flag = flags.find(f.field.name); flag != flags.end() && flag->second) {
      params[key] = true;
    }
    if (f.form == Form::settings && !settings.empty()) {
      auto values =
          values_of(settings, f.target == exec::Target::output
                                  ? "OUTPUT=VALUE, such as shaft_speed=0"
                                  : "NAME=VALUE, such as inertia=4e-4 or 'inertia=400 mg m2'");
      if (!values) return tl::make_unexpected(values.error());
      params[key] = std::move(*values);
      // Values say which word of the choice is meant, where they belong to one.
      const auto choice = std::ranges::find(kind->fields, Form::choice, &FieldInfo::form);
      if (f.uses.size() == 1) params.emplace(choice->field.in_json(), f.uses.front().word);
    }
    const auto given = texts.find(f.field.name);
    if (given == texts.end() || given->second.empty()) continue;
    if (f.form == Form::table) {
      auto table = read_table(given->second);
      if (!table) return tl::make_unexpected(table.error());
      params[key] = std::move(*table);
    } else if (f.form == Form::whole || f.form == Form::frames) {
      params[key] = std::strtoll(given->second.c_str(), nullptr, 0);  // as it was checked
    } else if (f.form == Form::number || f.form == Form::time) {
      params[key] = value_of(given->second);
    } else {
      params[key] = given->second;
    }
  }
  if (auto put = put_when(when, params); !put) return tl::make_unexpected(put.error());
  return params;
}

std::shared_ptr<ChangeCommand> declare_change(CLI::App& app, const CommandWords& words) {
  auto command = std::make_shared<ChangeCommand>();
  command->kind = &exec::change_kind(words.method);
  command->app = app.add_subcommand(words.name, words.summary);
  for (const FieldInfo& f : command->kind->fields) {
    if (f.field.name != exec::restart_field.name) add_field(f, words, *command);
  }
  add_when_options(*command->app, command->when,
                   command->kind->field(exec::restart_field.name) != nullptr);
  add_common_options(*command->app, command->common);
  command->app->footer(words.footer);
  return command;
}

void add_change(CLI::App& app, Exit& exit, const CommandWords& words) {
  const auto command = declare_change(app, words);
  command->app->callback([command, &exit] { exit = make_change(*command); });
}

Exit make_change(const ChangeCommand& command) {
  const auto params = command.params();
  if (!params) return complain(command.common, params.error());
  Common common = command.common;
  common.waits = command.when.later();
  return perform(common, command.kind->schema.name, *params, print_effect);
}

}  // namespace hild::ctl
