// SPDX-License-Identifier: Apache-2.0
/// \file
/// The connections between models, and the order in which outputs are evaluated so that every input
/// that an output depends on directly is known by then. Load time only.
#pragma once

#include <vector>

#include "hild/model/description.hpp"

namespace hild::coupled {

/// A connection from an output of one model to an input of one, counted over all models in their
/// order.
struct Connection {
  std::size_t from = 0;  ///< output
  std::size_t to = 0;    ///< input
  double factor = 1;     ///< converts from the unit of the output to that of the input
  double offset = 0;
  int degree = 0;        ///< within a step: 0 holds, 1 is the line through the last two values, ...
  bool delayed = false;  ///< uses values from before the step only: breaks an algebraic loop
  bool solved = false;   ///< its value is searched for, such that the loop it closes is satisfied
};

/// The models by number, in the order they are evaluated in; one may come more than once.
using Schedule = std::vector<std::size_t>;

/// The orders of evaluation.
struct Ordered {
  Schedule sources;  ///< brings all outputs that are connected up to date
  Schedule all;      ///< brings all outputs up to date
  Schedule loops;    ///< those of `sources` that are in loops which are solved
  /// The connections that close these; others that are to be solved close none.
  std::vector<std::size_t> solved;
  /// The connections of an algebraic loop, each fed by the model that the one before it goes to;
  /// empty: there is no loop; else the schedules are not valid.
  std::vector<std::size_t> loop;
};

/// Finds the orders for models with these descriptions.
[[nodiscard]] Ordered order_of(std::span<const model::Description* const> models,
                               std::span<const Connection> connections);

}  // namespace hild::coupled
