// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a plant must know of its FMU: made while loading, shared by the plants of one FMU, and
/// unchanged from then on.
#pragma once

#include "foreign/fmi/colouring.hpp"
#include "foreign/fmi/instance.hpp"
#include "hild/model/description.hpp"

namespace hild::fmi {

/// How often an FMU may do a thing before it is cut short, and whether that ends the run.
struct Limit {
  int most;
  bool stop;
};
struct Caps {
  Limit event_iterations{32, false};  ///< updates of one event; then it is left as it is
  Limit zero_advance{1, false};       ///< of time events, in a row; then each is put off by 1 ns
  Limit step_parts{8, true};          ///< of a step of co-simulation; then it is left where it is
};

struct Layout {
  std::vector<model::State> states{};
  std::vector<model::Input> inputs{};
  std::vector<model::Output> outputs{};
  std::vector<model::Parameter> parameters{};
  std::vector<model::Event> events{};
  std::vector<model::Feedthrough> feedthrough{};
  model::Description description{};  ///< views of those above

  std::vector<Group> continuous_inputs{};
  std::vector<Group> discrete_inputs{};  ///< changed in event mode only
  /// Outputs that are states have their values without a call.
  struct StateOutput {
    std::size_t output, state;
  };
  std::vector<StateOutput> state_outputs{};
  std::vector<Group> outputs_read{};    ///< the others
  std::vector<Group> parameters_set{};  ///< one for each variable
  std::vector<bool> tunable{};          ///< of each of those
  /// Of each of those: set at every start. It has another size than by default, so that what the
  /// FMU has there by itself is not known.
  std::vector<bool> always_set{};
  std::vector<std::size_t> group_of_parameter{};

  std::vector<ValueReference> state_refs{};
  std::vector<ValueReference> derivative_refs{};
  std::vector<double> nominals{};
  bool needs_completed_step = true;
  bool directional_derivatives = false;  ///< the Jacobian is made of them, else of differences
  Colouring colouring{};                 ///< of the latter
  Caps caps{};

  // Of co-simulation.
  bool variable_steps = true;  ///< may be asked for steps of any length, else of one alone
  double step = 0;             ///< which is that, in seconds; 0: as long as the first
};

}  // namespace hild::fmi
