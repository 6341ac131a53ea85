// SPDX-License-Identifier: Apache-2.0
/// \file
/// The changes that a request asks for, to be made as one transaction, with everything needed to
/// submit them and to report on them afterwards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/server/refused.hpp"
#include "exec/transaction.hpp"

namespace hild::server {

/// The memory of a playback table, lent to the loop until it replies `released`.
struct Table {
  std::vector<double> times;
  std::vector<double> values;
};

struct Changes {
  /// Where in the request a change comes from, for messages.
  struct Origin {
    std::size_t entry = 0;  ///< its place in `changes` of a transaction, or in `values` of a set
    std::string called{};   ///< "values.inertia"
  };

  exec::When when{};
  std::vector<exec::Change> all;
  std::vector<Origin> origins;                 ///< of each change
  std::vector<std::unique_ptr<Table>> tables;  ///< of each change; null: it has none

  /// Adds a change. Throws Refused when there are too many.
  void add(const exec::Change& change, Origin origin, std::unique_ptr<Table> table = nullptr) {
    if (all.size() == exec::max_changes) {
      refuse(rpc::Code::invalid_params, "more than {} changes: a transaction holds no more",
             exec::max_changes);
    }
    all.push_back(change);
    origins.push_back(std::move(origin));
    tables.push_back(std::move(table));
  }
};

}  // namespace hild::server
