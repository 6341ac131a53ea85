// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who feeds whom: connections between models, and the order in which outputs are evaluated so that
/// every input that an output depends on at once is known by then. Load time only.
#pragma once

#include <vector>

#include "hild/model/description.hpp"

namespace hild::coupled {

/// An output of one model into an input of one, counted over all models in their order.
struct Connection {
  std::size_t from = 0;  ///< output
  std::size_t to = 0;    ///< input
  double factor = 1;     ///< from the unit of the one into the unit of the other
  double offset = 0;
  int degree = 0;        ///< within a step: 0 holds, 1 the line through the last two values, 2 ...
  bool delayed = false;  ///< knows values of before the step only: breaks an algebraic loop
};

/// The models by number, in the order they are evaluated in; one may come more than once.
using Schedule = std::vector<std::size_t>;

struct Ordered {
  Schedule sources;  ///< brings all outputs that are connected up to date
  Schedule all;      ///< brings all outputs up to date
  /// Connections that make an algebraic loop, each fed by the model the one before it goes to;
  /// empty: there is none, else the schedules are of no use.
  std::vector<std::size_t> loop;
};

/// The orders for models of these descriptions.
[[nodiscard]] Ordered order_of(std::span<const model::Description* const> models,
                               std::span<const Connection> connections);

}  // namespace hild::coupled
