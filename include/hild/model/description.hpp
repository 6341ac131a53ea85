// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model says of itself: its states, inputs, outputs, parameters and events, with units and
/// limits. Everything outside the loop (configuration, reports, records) works from this.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "hild/numerics/jacobian.hpp"

namespace hild::model {

/// A limit that limits nothing: no bound on this side, as -unlimited below and unlimited above.
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// A state: what derivatives() gives the rate of. All its values are in `unit`. Names have at most
/// 63 characters and differ within each of a description's lists; those of the models of a run come
/// from here to configuration, records and reports.
struct State {
  std::string_view name;        ///< unlike those of the other states
  std::string_view unit = "1";  ///< as UDUNITS knows it; "1": none
  double start = 0;             ///< default; the configuration may set another
  /// What is plausible of it: a run in which it lies beyond is no more the plant's, and ends as a
  /// fault of the model. A side that is not declared is as far as a double tells it from its usual
  /// size: far_beyond times that, or times where it starts, whichever is larger.
  double low = -unlimited;
  double high = unlimited;  ///< the upper side, as `low` is the lower
  /// Its usual size, above 0: what differences move it by, and errors allowed in it, are parts of
  /// this where it is small.
  double nominal = 1;
};
/// A double has this many times its size until changes as large as that are lost in rounding.
inline constexpr double far_beyond = 1e15;

/// A variable that is no state: it follows at every instant from the model's residuals, of which
/// there is one for each.
struct Algebraic {
  std::string_view name;        ///< unlike those of the other algebraic variables
  std::string_view unit = "1";  ///< as UDUNITS knows it; "1": none
  double start = 0;             ///< where the first search for it begins
  /// Its usual size, above 0: what is small beside this is as good as zero.
  double nominal = 1;
};

/// What the model is given from outside, by a device, another model or a stimulus, in `unit`.
struct Input {
  std::string_view name;        ///< unlike those of the other inputs
  std::string_view unit = "1";  ///< as UDUNITS knows it; "1": none
  double start = 0;             ///< holds while no device supplies the input
};

/// What the model gives to devices, other models and records, in `unit`.
struct Output {
  std::string_view name;        ///< unlike those of the other outputs
  std::string_view unit = "1";  ///< as UDUNITS knows it; "1": none
};

/// A number that equations take and that stays as it is until someone sets it, in `unit`.
struct Parameter {
  std::string_view name;        ///< unlike those of the other parameters
  std::string_view unit = "1";  ///< as UDUNITS knows it; "1": none
  double value = 0;             ///< default, within the limits
  double low = -unlimited;      ///< smallest value allowed: less is refused
  double high = unlimited;      ///< largest value allowed: more is refused
  bool tunable = true;  ///< may change while running; else its value is that of the configuration
  bool whole = false;   ///< takes whole numbers only: others are refused
};

/// In which direction an event function must go through zero for its event to be one.
enum class Crossing {
  both,     ///< either
  falling,  ///< from above zero to zero or below
  rising    ///< from below zero to zero or above
};

/// Whether an event function that was `before` and is `now` has gone through zero in a direction of
/// interest. One that was zero has no side to come from.
[[nodiscard]] constexpr bool crosses(Crossing wanted, double before, double now) noexcept {
  const bool falls = before > 0 && now <= 0;
  const bool rises = before < 0 && now >= 0;
  return (falls && wanted != Crossing::rising) || (rises && wanted != Crossing::falling);
}

/// A state event: the model's event function of the same index crosses zero in the direction of
/// interest. A crossing belongs to the step in whose half-open interval (t_n, t_n + h] it lies.
struct Event {
  std::string_view name;               ///< unlike those of the other events
  Crossing crossing = Crossing::both;  ///< the direction of interest
};

/// An output that depends on an input at once, and not by way of the states alone.
struct Feedthrough {
  std::string_view output;  ///< the name of one of the model's outputs
  std::string_view input;   ///< the name of one of its inputs
};

/// A group of states that multirate integration advances with a step and a method of its own.
struct Partition {
  std::string_view name;                     ///< what configurations know it by
  std::span<const std::string_view> states;  ///< names of states, in any order
};

/// Views into static data of the model (or into data the plant owns): valid while the plant lives.
struct Description {
  std::string_view name;                    ///< what configurations know the model by
  std::string_view summary;                 ///< a few words for lists of models
  std::span<const State> states{};          ///< in the order of x and dx
  std::span<const Input> inputs{};          ///< in the order of u
  std::span<const Output> outputs{};        ///< in the order of y
  std::span<const Parameter> parameters{};  ///< in the order of p
  std::span<const Event> events{};          ///< in the order of g; none: no state events
  bool time_events = false;                 ///< whether it may have some
  std::span<const Partition> partitions{};  ///< none, or each state in exactly one
  /// All there is of it; none: not said, every output is taken to depend on every input at once.
  std::optional<std::span<const Feedthrough>> feedthrough{};
  std::span<const std::string_view> parts{};  ///< of several models their names; else none
  /// Whether it computes its Jacobian itself, or declares where it may differ from zero: what it
  /// says is then held against its derivatives. Else hild finds it from them.
  bool own_jacobian = false;
  numerics::Structure structure{};         ///< where its Jacobian may differ from zero
  std::span<const Algebraic> algebraic{};  ///< in the order of z; none: there are none
};

}  // namespace hild::model
