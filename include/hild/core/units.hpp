// SPDX-License-Identifier: Apache-2.0
/// \file
/// Units, checked and converted by UDUNITS-2, with the engineer's spellings it rejects (`Nm`,
/// `deg`, `rev`, `rpm`) added, and with cycles kept apart from radians (1 Hz is not 1 rad/s).
/// Load time only: allocates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"

namespace hild {

/// "10 ms" expressed in `unit`; a bare number is accepted only where `unit` is "1".
[[nodiscard]] Result<double> quantity(std::string_view text, std::string_view unit);

/// Factor that turns a value in `from` into a value in `to` (no offset: 0 `from` is 0 `to`).
[[nodiscard]] Result<double> conversion_factor(std::string_view from, std::string_view to);

/// What turns a value in one unit into one in another: factor x + offset (degC into K has both).
struct UnitConversion {
  double factor = 1;  ///< units of the second in one of the first
  double offset = 0;  ///< what 0 of the first is in the second
};
/// That from the unit `from` to the unit `to`. Error: one of them is no unit, the two are not of
/// one dimension, or the unit database cannot be read.
[[nodiscard]] Result<UnitConversion> unit_conversion(std::string_view from, std::string_view to);

/// A unit as a product of base units: kN is 1000 kg m s-2.
struct UnitInBase {
  /// s-2 is {"s", -2}.
  struct Power {
    std::string base;  ///< m, kg, s, A, K, mol, cd or cycle
    int power;         ///< not 0
  };
  std::vector<Power>
      powers;  ///< by the names of the bases; of radians, a plain number, there are none
  UnitConversion to_base;  ///< from a value in the unit to one in that product
};
/// That of `unit`. Error: it is no unit, or one of logarithms.
[[nodiscard]] Result<UnitInBase> unit_in_base(std::string_view unit);

/// A quantity as it is written: "2.4 V/V" is 2.4 and "V/V".
struct NumberAndUnit {
  double number;          ///< finite
  std::string_view unit;  ///< a part of the text it was read from; empty when there is none
};
/// Splits a quantity. Error: it is not a finite number, alone or with a unit behind a space (`%`
/// needs none). That the unit is a known one is not checked.
[[nodiscard]] Result<NumberAndUnit> split_quantity(std::string_view text);

}  // namespace hild
