// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inputs at any instant of a step, from samples that were taken already: those of partial steps
/// around events, which never wait. Real-time safe.
#pragma once

#include <span>

#include "hild/model/stepper.hpp"

namespace hild::exec {

/// Gives the inputs of a plant, or of one of its models.
class RecordedInputs {
 public:
  virtual void inputs_at(SimTime t, std::span<double> u) noexcept = 0;
  /// The first instant after `after` and before `until` at which inputs change at once, or follow
  /// another polynomial from there on; else `until`.
  [[nodiscard]] virtual SimTime next_change(SimTime after, SimTime until) const noexcept = 0;

 protected:
  ~RecordedInputs() = default;
};

/// A step of `model` with those inputs; `u` has room for them.
inline void take_step(model::Stepper& model, SimTime t, Duration h, RecordedInputs& inputs,
                      std::span<double> u) noexcept {
  const model::Passes& passes = model.begin(t, h);
  for (int i = 0; i < passes.count(); ++i) {
    inputs.inputs_at(t + part(h, passes.nodes[static_cast<std::size_t>(i)]), u);
    model.pass(i, u);
  }
  model.finish();
}

}  // namespace hild::exec
