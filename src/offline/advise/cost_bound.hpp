// SPDX-License-Identifier: Apache-2.0
/// \file
/// The smallest step a plan fits into (Cellier, The Race Against Time II: the lower bound). Not
/// real-time.
#pragma once

#include "config/plan/feasibility.hpp"

namespace hild::advise {

/// The smallest h in s, to a nanosecond, in which the work ends (plan::finish) and takes no more
/// than `budget` of it (plan::utilisation). Infinite where not even 1000 s are enough. In
/// proportion to the costs: on a machine twice as fast it is half as large.
[[nodiscard]] double cost_bound(const plan::Shape& shape, const plan::Costs& costs, double budget);

}  // namespace hild::advise
