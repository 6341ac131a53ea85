// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes a run as comma-separated values: a header line with units, then a line for each row.
/// Numbers are the shortest that read back as the same double.
///
///   time [s],input.force [N],state.height [m],...,output.height [m],...
#pragma once

#include <fmt/format.h>

#include <span>

#include "hild/model/description.hpp"

namespace hild::reference {

using Text = fmt::memory_buffer;

void append_header(const model::Description& model, Text& text);
void append_row(double t, std::span<const double> inputs, std::span<const double> states,
                std::span<const double> outputs, Text& text);

}  // namespace hild::reference
