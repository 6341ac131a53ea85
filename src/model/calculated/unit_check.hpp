// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a formula makes sense with the units of its numbers: it does where no choice of base
/// units changes what it says. So it is asked for numbers taken by chance, then for the same
/// quantities in units a thousand times smaller: a power is then those of length, mass and time
/// that its unit has, whereas a sum of a length and a time is none of any.
#pragma once

#include <span>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/units.hpp"
#include "model/calculated/formula.hpp"

namespace hild::model {

/// Powers of base units, as UnitInBase has them.
using UnitPowers = std::vector<UnitInBase::Power>;

/// Error: the formula is not of the unit `result` where its numbers, in base units, are of the
/// units `numbers`, and why. Leaves other numbers in it. Allocates.
[[nodiscard]] Result<void> check_units(Formula& formula, std::span<const UnitPowers> numbers,
                                       const UnitPowers& result);

}  // namespace hild::model
