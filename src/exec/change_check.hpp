// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a change may be made to a plant: its target exists, its values are finite and
/// within limits. Checked in the slack, before anything takes effect. Real-time safe, fixed work.
#pragma once

#include "exec/transaction.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

/// What changes may aim at.
struct Targets {
  std::span<const model::Parameter> parameters;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

/// `none` when it may be made. A table is trusted: see check_table().
[[nodiscard]] Refusal check(const Change& change, const Targets& targets) noexcept;

/// The poster's half: reads a whole table, and so is not for the loop.
[[nodiscard]] Refusal check_table(const PlaybackTable& table) noexcept;

}  // namespace hild::exec
