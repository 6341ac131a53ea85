// SPDX-License-Identifier: Apache-2.0
/// \file
/// What changes from outside have made of a run: falsified signals, stimuli, a plant that is held,
/// saved states. Nothing of it is looked at in a frame without any. Real-time safe after
/// construction.
#pragma once

#include <cmath>

#include "exec/overrides.hpp"
#include "exec/snapshot.hpp"
#include "exec/stimuli.hpp"

namespace hild::exec {

struct Steering {
  Steering(std::size_t input_count, std::size_t output_count, std::size_t states,
           std::size_t parameters)
      : inputs(input_count),
        outputs(output_count),
        stimuli(input_count),
        saved(saved_slots + 1, states, parameters),
        declared(output_count, NAN),
        last_inputs(input_count) {}

  static constexpr std::size_t start_slot = saved_slots;  // the run's beginning

  Overrides inputs;
  Overrides outputs;
  Stimuli stimuli;
  SavedStates saved;
  std::vector<double> declared;     // outputs while frozen; not a number: not declared
  std::vector<double> last_inputs;  // of the step before one that something takes effect at

  FrozenOutputs frozen_outputs = FrozenOutputs::hold;
  bool own_outputs = true;       // the plant's, else the safe or the declared ones
  bool states_moved = false;     // state events must look at where they are now
  std::int64_t frames_left = 0;  // until the plant is held again; 0: no end
  bool stepping = false;         // it moves by StepFrames alone, until Resume or Freeze

  /// Whether anything is to be done in a frame.
  [[nodiscard]] bool active() const noexcept {
    return inputs.any() || outputs.any() || stimuli.any() || !own_outputs || states_moved ||
           frames_left > 0;
  }
  void declare(std::span<double> y) const noexcept {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::isnan(declared[i]) ? y[i] : declared[i];
  }
};

}  // namespace hild::exec
