// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calculated channels: further outputs of a model, each a formula over its inputs, states and
/// outputs, of the same instant as these. So they are recorded, watched, plotted and wired as any
/// output is, and a replay computes them anew, to the bit.
///
/// Made while loading; systems and steppers of a model with such channels are as real-time safe as
/// those of the model alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/core/units.hpp"
#include "hild/model/stepper.hpp"

namespace hild::model {

/// What a name in a formula stands for.
struct Operand {
  /// Outputs are also the channels before this one; the time is that of the model, in s.
  enum class Of : std::uint8_t { input, output, state, time, constant };
  Of of = Of::constant;
  std::uint32_t index = 0;   ///< of the input, the output or the state
  UnitConversion to_base{};  ///< from its unit to base units
  double value = 0;          ///< of a constant, in base units
};

/// A channel as it is configured; formula and names are those of Formula.
struct Channel {
  Name name;
  Name unit;  ///< as UDUNITS knows it
  std::string formula;
  std::vector<std::string> names;
  std::vector<Operand> operands;      ///< what the names stand for, in their order
  UnitConversion from_base{};         ///< from base units to its unit
  std::optional<double> otherwise{};  ///< in its unit, where the formula gives no finite number
};

/// The channels of a model, shared by all systems and steppers made with them.
class Calculation;

/// Of a model that says `model` of itself, whose lists outlive this. Each formula was made once.
[[nodiscard]] std::shared_ptr<const Calculation> make_calculation(const Description& model,
                                                                  std::vector<Channel> channels);
[[nodiscard]] const std::vector<Channel>& channels_of(const Calculation& calculation);
/// What the model says with them; lives as long as it.
[[nodiscard]] const Description& description_of(const Calculation& calculation);
/// The same model with its channels.
[[nodiscard]] std::unique_ptr<System> with_channels(std::shared_ptr<const Calculation> calculation,
                                                    std::unique_ptr<System> system);
[[nodiscard]] std::unique_ptr<Stepper> with_channels(std::shared_ptr<const Calculation> calculation,
                                                     std::unique_ptr<Stepper> stepper);

}  // namespace hild::model
