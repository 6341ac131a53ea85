// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of the methods of docs/control.md: one entry each, with its handler. The method
/// `methods` describes them from the same table.
#pragma once

#include <boost/json/value.hpp>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "control/server/clients.hpp"
#include "control/server/names.hpp"
#include "control/server/overrun_history.hpp"
#include "control/server/ownership.hpp"
#include "control/server/params.hpp"
#include "control/server/run.hpp"
#include "control/server/subjects.hpp"
#include "control/server/transactions.hpp"
#include "exec/change_kinds.hpp"

namespace hild::server {

class Dashboards;
class History;
class ModelTimes;
class Roles;
class Sequences;
class Showing;
class StateWatch;

/// What the handlers of methods work with; all of it is the server's.
struct Context {
  const Run& run;
  const Names& names;
  const ActiveChanges& active;
  const OverrunHistory& overruns;
  const ModelTimes& model_times;
  Transactions& transactions;
  Subscriptions& subscriptions;
  const Clients& clients;
  Ownership& ownership;
  const Roles& roles;
  StateWatch& watch;
  History& history;
  const Dashboards& dashboards;
  Sequences& sequences;
  Showing& showing;
  bool writing = true;

  [[nodiscard]] Subjects subjects() const noexcept {
    return {names, run.description, run.device_faults};
  }
};

// The kinds of handlers. All throw Refused.

/// Answered at once.
using Answered = json::value (*)(const Context&, Params&);
/// Answered at once; needs to know which client asks.
using Personal = json::value (*)(const Context&, Params&, const std::shared_ptr<Client>&);
/// Adds changes to be made by a transaction; answered when that has taken effect.
using Changing = void (*)(const Subjects&, Params&, Changes&);

struct Method {
  struct Param {
    std::string_view name;
    std::string type;
    bool required = false;
    const exec::FieldInfo* field = nullptr;  ///< the field of the change it sets; null: none
  };
  std::string_view name;
  std::string_view summary;
  std::vector<Param> params;
  std::variant<Answered, Personal, Changing> does;
  bool writes = false;
  bool open = false;   ///< for all who may write, whoever has control: makes a run safe
  bool apart = false;  ///< writes, but not to the run: whoever has control of it
};

[[nodiscard]] std::span<const Method> methods();
/// The method of this name. Throws Refused, with near names, when there is none.
[[nodiscard]] const Method& find_method(std::string_view name);

/// Whether the method makes a run safe, so that it goes before all else.
[[nodiscard]] bool is_urgent(std::string_view name);

/// Reads the params of a method that changes the run: its own, then when it takes effect, then
/// nothing else. Throws Refused.
[[nodiscard]] Changes read_changes(const Context& context, const Method& method, Params& params);

// ---- the handlers, by the file that has them ---------------------------------------------------

// read_nodes.cpp
[[nodiscard]] json::value nodes_of_system(const Context& context, Params& params);
[[nodiscard]] json::value arm_system(const Context& context, Params& params);
[[nodiscard]] json::value disarm_system(const Context& context, Params& params);

// read_status.cpp
[[nodiscard]] json::value status(const Context& context, Params& params);
// record.cpp
[[nodiscard]] json::object to_json(const Run::Recorder& recorder);
[[nodiscard]] json::value record(const Context& context, Params& params);
[[nodiscard]] json::value unrecord(const Context& context, Params& params);
// rewind.cpp
[[nodiscard]] json::value to_json(const Run::Rewinding& rewinding);
[[nodiscard]] json::value rewind(const Context& context, Params& params);
// read_values.cpp
[[nodiscard]] json::value list(const Context& context, Params& params);
[[nodiscard]] json::value get(const Context& context, Params& params);
[[nodiscard]] json::value saved(const Context& context, Params& params);
// read_times.cpp
[[nodiscard]] json::value histograms(const Context& context, Params& params);
[[nodiscard]] json::value overruns(const Context& context, Params& params);
[[nodiscard]] json::value models(const Context& context, Params& params);

// dashboards.cpp
[[nodiscard]] json::value dashboards(const Context& context, Params& params);
[[nodiscard]] json::value dashboard(const Context& context, Params& params);
[[nodiscard]] json::value arrange(const Context& context, Params& params);
[[nodiscard]] json::value discard(const Context& context, Params& params);
// sequences.cpp
[[nodiscard]] json::value sequences(const Context& context, Params& params);
[[nodiscard]] json::value begin(const Context& context, Params& params,
                                const std::shared_ptr<Client>& client);
[[nodiscard]] json::value cease(const Context& context, Params& params,
                                const std::shared_ptr<Client>& client);
// showing.cpp
[[nodiscard]] json::value show(const Context& context, Params& params,
                               const std::shared_ptr<Client>& client);
// history.cpp
[[nodiscard]] json::value history(const Context& context, Params& params);

// change_reader.cpp: reads a change of each kind, in the order of exec::Change; or several.
[[nodiscard]] std::span<const Changing> change_readers();
void transaction(const Subjects& subjects, Params& params, Changes& changes);
// ownership.cpp
[[nodiscard]] json::value take(const Context& context, Params& params,
                               const std::shared_ptr<Client>& client);
[[nodiscard]] json::value give(const Context& context, Params& params,
                               const std::shared_ptr<Client>& client);

}  // namespace hild::server
