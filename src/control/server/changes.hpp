// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a request wants changed: the changes of one transaction with all that is needed to submit
/// them, and to speak of them afterwards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/server/refused.hpp"
#include "exec/transaction.hpp"

namespace hild::server {

/// Lent to the loop until it says `released`.
struct Table {
  std::vector<double> times;
  std::vector<double> values;
};

struct Changes {
  struct Origin {
    std::size_t entry = 0;  ///< in `changes` of a transaction, in `values` of a set
    std::string called{};   ///< "values.inertia"
  };

  exec::When when{};
  std::vector<exec::Change> all;
  std::vector<Origin> origins;                 ///< of each
  std::vector<std::unique_ptr<Table>> tables;  ///< of each; null: it has none

  /// Throws Refused when there are too many.
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
