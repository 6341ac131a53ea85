// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model that is a table: without states, each output is looked up over the inputs. Made while
/// loading; its steppers are real-time safe.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"
#include "hild/model/stepper.hpp"
#include "hild/model/table.hpp"

namespace hild::model {

/// What a table is made of.
struct TableData {
  /// An axis, with its points, or an output, with its values.
  struct Column {
    Name name;
    Name unit;  ///< of the numbers, as UDUNITS knows it
    std::vector<double> numbers;
  };
  Name name;                    ///< of the model
  std::vector<Column> axes;     ///< one to three, each of points that rise
  std::vector<Column> outputs;  ///< values on all crossings of the axes, the last axis fastest
  TableOptions options;
};

/// The tables, shared by all systems and steppers made of them.
class Tabulated;

/// Error: what Table refuses, or a number of axes other than one to three.
[[nodiscard]] Result<std::shared_ptr<const Tabulated>> make_tabulated(TableData data);
/// What it says of itself: an input for each axis, first at its first point; lives as long as it.
[[nodiscard]] const Description& description_of(const Tabulated& tables);
[[nodiscard]] std::unique_ptr<System> make_system(std::shared_ptr<const Tabulated> tables);
/// There is nothing to advance: `method` is for reports, and outlives the stepper.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const Tabulated> tables,
                                                    const numerics::Method& method);

}  // namespace hild::model
