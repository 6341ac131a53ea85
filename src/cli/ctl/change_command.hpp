// SPDX-License-Identifier: Apache-2.0
/// \file
/// A command that makes one change: its arguments and options are the fields that the kind of
/// change describes.
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <vector>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/common.hpp"
#include "exec/change_kinds.hpp"

namespace hild::ctl {

struct ChangeCommand : Common {
  /// `method` is that of the change.
  explicit ChangeCommand(std::string_view method) : kind(&exec::change_kind(method)) {}

  const exec::ChangeKind* kind;
  std::vector<exec::Word> more_words{};  ///< further values of its choice
  bool complete = true;                  ///< required arguments must be given
  When when{};
  std::map<std::string_view, std::string> texts{};  ///< the texts given, by field
  std::map<std::string_view, bool> flags{};
  std::vector<std::string> settings{};  ///< NAME=VALUE

  void declare(CLI::App& command);
  [[nodiscard]] json::object params() const;

 private:
  void declare(CLI::App& command, const exec::FieldInfo& f);
};

/// Adds a command that makes the change by the method of its name.
void add_change(CLI::App& app, Exit& exit, const CommandWords& words);

Exit make_change(ChangeCommand& command);

}  // namespace hild::ctl
