// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a plant must know of its FMU: made while loading, shared by the plants of one FMU, and
/// unchanged from then on.
#pragma once

#include "fmi/instance.hpp"
#include "hild/model/description.hpp"

namespace hild::fmi {

struct Layout {
  std::vector<model::State> states{};
  std::vector<model::Input> inputs{};
  std::vector<model::Output> outputs{};
  std::vector<model::Parameter> parameters{};
  std::vector<model::Event> events{};
  model::Description description{};  ///< views of those above

  std::vector<Group> continuous_inputs{};
  std::vector<Group> discrete_inputs{};  ///< changed in event mode only
  std::vector<Group> outputs_read{};
  std::vector<Group> parameters_set{};  ///< one for each variable
  std::vector<bool> tunable{};          ///< of each of those
  std::vector<std::size_t> group_of_parameter{};

  std::vector<ValueReference> state_refs{};
  std::vector<ValueReference> derivative_refs{};
  std::vector<double> nominals{};
  bool needs_completed_step = true;
  bool directional_derivatives = false;
};

}  // namespace hild::fmi
