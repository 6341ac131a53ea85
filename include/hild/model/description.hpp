// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model says of itself: its states, inputs, outputs, parameters and events, with units and
/// limits. Everything outside the loop (configuration, reports, records) works from this.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace hild::model {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

struct State {
  std::string_view name;
  std::string_view unit = "1";
  double start = 0;  ///< default; the configuration may set another
  /// What is plausible of it: a run in which it lies beyond is no more the plant's, and ends as a
  /// fault of the model. A side that is not declared is as far as a double tells it from its usual
  /// size: far_beyond times that, or times where it starts, whichever is larger.
  double low = -unlimited;
  double high = unlimited;
  double nominal = 1;  ///< its usual size, above 0
};
/// A double has this many times its size until changes as large as that are lost in rounding.
inline constexpr double far_beyond = 1e15;

struct Input {
  std::string_view name;
  std::string_view unit = "1";
  double start = 0;  ///< holds while no device supplies the input
};

struct Output {
  std::string_view name;
  std::string_view unit = "1";
};

struct Parameter {
  std::string_view name;
  std::string_view unit = "1";
  double value = 0;  ///< default
  double low = -unlimited;
  double high = unlimited;
  bool tunable = true;  ///< may change while running; else its value is that of the configuration
  bool whole = false;   ///< takes whole numbers only: others are refused
};

enum class Crossing { both, falling, rising };

/// A state event: the model's event function of the same index crosses zero in the direction of
/// interest. A crossing belongs to the step in whose half-open interval (t_n, t_n + h] it lies.
struct Event {
  std::string_view name;
  Crossing crossing = Crossing::both;
};

/// An output that depends on an input at once, and not by way of the states alone.
struct Feedthrough {
  std::string_view output;
  std::string_view input;
};

/// A group of states that multirate integration advances with a step and a method of its own.
struct Partition {
  std::string_view name;
  std::span<const std::string_view> states;
};

/// Views into static data of the model (or into data the plant owns): valid while the plant lives.
struct Description {
  std::string_view name;
  std::string_view summary;
  std::span<const State> states{};
  std::span<const Input> inputs{};
  std::span<const Output> outputs{};
  std::span<const Parameter> parameters{};
  std::span<const Event> events{};
  bool time_events = false;                 ///< whether it may have some
  std::span<const Partition> partitions{};  ///< none, or each state in exactly one
  /// All there is of it; none: not said, every output is taken to depend on every input at once.
  std::optional<std::span<const Feedthrough>> feedthrough{};
  std::span<const std::string_view> parts{};  ///< of several models their names; else none
};

}  // namespace hild::model
