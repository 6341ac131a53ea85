// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which signals of a message are there together, and that those have no bit in common. Load time
/// only.
#pragma once

#include <optional>
#include <span>

#include "drivers/dbc/database.hpp"
#include "drivers/dbc/scanner.hpp"

namespace hild::can {

/// What is written between a signal's name and its colon: M, m0, m0M.
struct Mark {
  bool is_switch = false;
  std::optional<std::uint64_t> value;
};

/// Gives the signals their switches by their marks, where SG_MUL_VAL_ gave them none. Refuses what
/// has no switch, or more than one; and signals that overlap, unless a switch has never a value by
/// which both are there. Takes n log n for n signals and ranges.
void settle_multiplexing(Scanner& in, Message& message, std::span<const Mark> marks);

}  // namespace hild::can
