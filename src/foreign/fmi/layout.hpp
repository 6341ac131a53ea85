// SPDX-License-Identifier: Apache-2.0
/// \file
/// The layout of an FMU: what a plant must know of it. Made at load time, shared by the plants of
/// one FMU, and unchanged from then on.
#pragma once

#include <memory>

#include "foreign/fmi/instance.hpp"
#include "hild/model/description.hpp"

namespace hild::fmi {

/// How often an FMU may do something before it is cut short, and whether that ends the run.
struct Limit {
  int most;
  bool stop;
};
struct Caps {
  Limit event_iterations{32, false};  ///< updates of one event; then it is left as it is
  Limit zero_advance{1, false};       ///< time events in a row; then each is put off by 1 ns
  /// Parts of a step of co-simulation; then it is left where it is.
  Limit step_parts{8, true};
};

struct Layout {
  std::vector<model::State> states{};
  std::vector<model::Input> inputs{};
  std::vector<model::Output> outputs{};
  std::vector<model::Parameter> parameters{};
  std::vector<model::Event> events{};
  std::vector<model::Feedthrough> feedthrough{};
  model::Description description{};  ///< views of the vectors above

  std::vector<Group> continuous_inputs{};
  std::vector<Group> discrete_inputs{};  ///< changed in event mode only
  /// An output that is a state, whose value is known without a call.
  struct StateOutput {
    std::size_t output, state;
  };
  std::vector<StateOutput> state_outputs{};
  std::vector<Group> outputs_read{};    ///< the other outputs
  std::vector<Group> parameters_set{};  ///< one for each variable
  std::vector<bool> tunable{};          ///< whether each of those is tunable
  /// Whether each of those is set at every start. It is where its size differs from the default,
  /// since the FMU's own value for it is then not known.
  std::vector<bool> always_set{};
  std::vector<std::size_t> group_of_parameter{};

  std::vector<ValueReference> state_refs{};
  std::vector<ValueReference> derivative_refs{};
  std::vector<double> nominals{};
  bool needs_completed_step = true;
  bool directional_derivatives = false;  ///< the Jacobian is made by them, else by differences
  /// Which derivatives depend on which states; none: all may. States are moved together by it, and
  /// it is the description's structure where sparse factors are less work than dense ones.
  std::shared_ptr<const numerics::Pattern> pattern{};
  /// The same as a structure, which is valid as long as the layout.
  [[nodiscard]] numerics::Structure dependencies() const noexcept {
    return pattern == nullptr ? numerics::dense : numerics::sparse(*pattern);
  }
  Caps caps{};

  // For co-simulation.
  bool variable_steps = true;  ///< takes steps of any length; else of one length only
  double step = 0;             ///< that length, in seconds; 0: as long as the first step
};

}  // namespace hild::fmi
