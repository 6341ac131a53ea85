// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures before the run what the parts of a frame cost on this machine: a plant like the real
/// one is advanced for a while, the devices are read (never written), short sleeps are timed. And
/// what changes from outside cost: they are made in a loop of their own, around a plant like the
/// real one, whose frames are empty and whose waits are skipped; no device is touched.
#pragma once

#include <functional>
#include <optional>

#include "config/plan/assembly.hpp"
#include "config/plan/background.hpp"
#include "config/plan/feasibility.hpp"
#include "config/plan/keyframe_rehearsal.hpp"
#include "config/plan/schedule.hpp"
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

/// The measured costs: their medians and their 99th percentiles.
struct Measured {
  Costs median;
  Costs p99;
  EventCosts events{};                       ///< of one change from outside, for each class
  std::optional<KeyframeCost> keyframe{};    ///< none: the run makes none
  std::optional<Schedule> schedule{};        ///< none: all models run on the frame thread
  std::vector<BackgroundPlan> background{};  ///< of models beside it; their ends are not known yet
};

/// Median and 99th percentile of one cost.
struct Spread {
  Duration median;
  Duration p99;
};

/// Measures `work`, so many times, fewer where they take long.
[[nodiscard]] Spread time_each(rt::Clock& clock, int times, const std::function<void(int)>& work);
/// Measures a pass of `plant`, in whole steps of `frame`, so that history, starters and branches of
/// the model take part: 400, fewer where they take long. `whole`: of steps that are taken in one
/// call, as where inputs hold over them. The plant is reset afterwards.
[[nodiscard]] Spread time_passes(rt::Clock& clock, model::Stepper& plant, Duration frame,
                                 bool whole);

/// Measures what an event of `plant` costs in addition to its passes, for the longest event: the
/// event functions, as often as the loop evaluates them for one, the action and the restart. 0 for
/// a plant without events. The plant is reset afterwards.
[[nodiscard]] Spread time_actions(rt::Clock& clock, model::Stepper& plant);

/// Measures what an image for readers takes of a frame at most: its signals and a piece of its
/// parameters; all of them where events of the model may change them in every frame. `bus`: as
/// below.
[[nodiscard]] Spread time_images(rt::Clock& clock, model::Stepper& plant, const io::Bus* bus);

/// Measures all costs. Call on a thread scheduled like the frame thread, with the clock of the run.
/// The bus is open; without one (nullptr) device calls count as free. `whole`: as above; `images`:
/// readers may ask for them. Takes some tenths of a second, also of a model whose steps take long.
[[nodiscard]] Measured rehearse(model::Stepper& plant, io::Bus* bus, rt::Clock& clock,
                                Duration frame, bool whole, bool images = false);

}  // namespace hild::plan
