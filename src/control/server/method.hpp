// SPDX-License-Identifier: Apache-2.0
/// \file
/// The methods of docs/control.md: one entry each, with what it does. `methods` tells of them from
/// the same table.
#pragma once

#include <boost/json/value.hpp>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "control/server/changes.hpp"
#include "control/server/clients.hpp"
#include "control/server/names.hpp"
#include "control/server/overrun_history.hpp"
#include "control/server/ownership.hpp"
#include "control/server/params.hpp"
#include "control/server/run.hpp"
#include "control/server/transactions.hpp"
#include "exec/change_kinds.hpp"

namespace hild::server {

class StateWatch;

/// What methods work with; all of it is the server's.
struct Context {
  const Run& run;
  const Names& names;
  const ActiveChanges& active;
  const OverrunHistory& overruns;
  Transactions& transactions;
  Subscriptions& subscriptions;
  const Clients& clients;
  Ownership& ownership;
  StateWatch& watch;
  bool writing = true;
};

// What a method may be. All throw Refused.

/// Answered at once.
using Answered = boost::json::value (*)(const Context&, Params&);
/// Answered at once; concerns who asks.
using Personal = boost::json::value (*)(const Context&, Params&, const std::shared_ptr<Client>&);
/// Adds changes, which a transaction then makes.
using Changing = void (*)(const Context&, Params&, Changes&);

struct Method {
  struct Param {
    std::string_view name;
    std::string type;
    bool required = false;
    const exec::FieldInfo* field = nullptr;  ///< of a change
  };
  std::string_view name;
  std::string_view summary;
  std::vector<Param> params;
  std::variant<Answered, Personal, Changing> does;
  bool writes = false;
  bool open = false;  ///< to all who may write, whoever has control: what makes a run safe
};

[[nodiscard]] std::span<const Method> methods();
/// Throws Refused, with near names.
[[nodiscard]] const Method& find_method(std::string_view name);

/// Whether it makes a run safe, so that it goes before all else.
[[nodiscard]] bool is_urgent(std::string_view name);

/// The params of a method that changes the run: its own, then when, then nothing else. Throws
/// Refused.
[[nodiscard]] Changes read_changes(const Context& context, const Method& method, Params& params);

}  // namespace hild::server
