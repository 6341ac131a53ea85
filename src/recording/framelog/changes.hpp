// SPDX-License-Identifier: Apache-2.0
/// \file
/// Transactions that took effect, as a log keeps them: JSON, with every number as text that gives
/// back the same bits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/transaction.hpp"
#include "hild/core/result.hpp"

namespace hild::framelog {

/// A transaction that took effect, with the tables it plays back.
struct Effect {
  std::int64_t number = 0;  ///< in the log, from 1; 0: not told
  std::int64_t frame = 0;   ///< frame of the step at whose start it took effect
  SimTime time{};
  exec::Transaction transaction;
  std::vector<std::unique_ptr<std::vector<double>>> tables;  ///< what its changes point into
  std::vector<std::string> texts{};  ///< what a person wrote to each change; empty: nothing
};

/// `texts`: as in Effect; those that are missing are empty.
[[nodiscard]] std::string write_effect(const exec::Transaction& transaction,
                                       const exec::Reply& reply,
                                       std::span<const std::string> texts = {});
/// Of one that was read.
[[nodiscard]] std::string write_effect(const Effect& effect);
/// Reads a transaction. Error: it is not one, or not a valid one. Whether it fits a model is for
/// the loop to judge.
[[nodiscard]] Result<Effect> read_effect(std::string_view json);

/// The form of the messages, as a JSON schema.
[[nodiscard]] std::string_view effect_schema();

}  // namespace hild::framelog
