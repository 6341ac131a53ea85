// SPDX-License-Identifier: Apache-2.0
/// \file
/// What changes can be about, and changes read without a server: as the entries of a transaction in
/// docs/control.md.
#pragma once

#include <boost/json/array.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/server/names.hpp"
#include "exec/transaction.hpp"
#include "hild/core/result.hpp"
#include "hild/io/device_fault.hpp"
#include "hild/model/description.hpp"

namespace hild::server {

struct Table;

/// The signals and parameters of a run, and the faults of its devices. All outlive it.
struct Subjects {
  const Names& names;
  const model::Description& description;
  std::span<const io::DeviceFault> device_faults{};
};

/// Changes that were read, with the tables that they point into.
struct ReadChanges {
  exec::Transaction transaction;
  std::vector<std::shared_ptr<Table>> tables{};
};

/// Reads {METHOD: params}, one or more, as changes that are made together. Error: which of them,
/// what was found, what was expected.
[[nodiscard]] Result<ReadChanges> read_changes(const Subjects& subjects,
                                               const boost::json::array& entries);

}  // namespace hild::server
