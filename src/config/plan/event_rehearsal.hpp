// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures before the run what changes from outside cost: they are made in a loop of their own,
/// around a plant like the real one, whose frames are empty and whose waits are skipped. No device
/// is touched.
#pragma once

#include "exec/admission.hpp"
#include "exec/settings.hpp"
#include "hild/model/stepper.hpp"
#include "hild/rt/clock.hpp"

namespace hild::plan {

using EventCosts = std::array<exec::Admission::Cost, exec::event_classes>;

/// The cost of one change of each class, at the high end (nine of ten cost no more); 0 for a class
/// the plant has nothing to change for. Freezing with safe outputs costs `device_call` in addition.
/// Call on a thread scheduled like the frame thread. The plant is left in an arbitrary state.
[[nodiscard]] EventCosts rehearse_events(model::Stepper& plant, rt::Clock& clock,
                                         const exec::Settings& settings, Duration device_call);

}  // namespace hild::plan
