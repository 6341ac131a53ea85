// SPDX-License-Identifier: Apache-2.0
/// \file
/// A command that makes one change: its arguments and options are the fields that the kind of
/// change describes.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/common.hpp"
#include "exec/change_kinds.hpp"

namespace hild::ctl {

struct ChangeCommand {
  const exec::ChangeKind* kind = nullptr;
  CLI::App* app = nullptr;
  Common common{};
  When when{};
  std::map<std::string_view, std::string> texts{};  ///< the texts given, by field
  std::map<std::string_view, bool> flags{};
  std::vector<std::string> settings{};  ///< NAME=VALUE

  [[nodiscard]] const std::string& text(std::string_view field) { return texts[field]; }
  [[nodiscard]] Reply<boost::json::object> params() const;
};

/// The name and the texts of a command.
struct CommandWords {
  const char* name;
  const char* summary;
  const char* footer;
  const char* method;               ///< the method of the change
  bool complete = true;             ///< required arguments must be given
  std::vector<exec::Word> words{};  ///< further values of its choice
};

/// Adds a command to `app`; the caller sets what it does.
[[nodiscard]] std::shared_ptr<ChangeCommand> declare_change(CLI::App& app,
                                                            const CommandWords& words);
/// Adds a command to `app` that makes the change.
void add_change(CLI::App& app, Exit& exit, const CommandWords& words);

[[nodiscard]] Exit make_change(const ChangeCommand& command);

}  // namespace hild::ctl
