// SPDX-License-Identifier: Apache-2.0
/// \file
/// A stepper whose model runs in another process (link.hpp). When an answer does not come in time
/// it abandons the step: it keeps the states it has, counts every step without an answer, and goes
/// on from there when the answer comes. Real-time safe after construction.
#pragma once

#include <cmath>
#include <vector>

#include "foreign/remote/system.hpp"
#include "hild/model/steps_elsewhere.hpp"

namespace hild::remote {

class RemoteStepper final : public model::Stepper, public model::StepsElsewhere {
 public:
  /// Precondition: the link's process has answered a start().
  RemoteStepper(const model::Description& d, const numerics::Method& method, Link link);

  [[nodiscard]] const Link& link() const noexcept { return system_.link(); }

  [[nodiscard]] const numerics::Method& method() const noexcept override { return method_; }
  const model::Passes& begin(SimTime t, Duration h) noexcept override;
  void pass(int pass, In u) noexcept override;
  void finish() noexcept override;
  const model::Passes& advance(SimTime t, Duration h, int steps, In u) noexcept override;
  void ask_step(SimTime t, Duration h, In u) noexcept override;
  const model::Passes& take_asked_step() noexcept override;
  void pass_and_finish(int pass, In u) noexcept override;
  bool finish_early() noexcept override;
  bool pass_outputs(int pass, In u, Out y) noexcept override;
  bool dense(double theta, Out x) const noexcept override;
  bool error_estimate(Out error) const noexcept override;
  void rewind() noexcept override;
  void restart(model::Restart from) noexcept override;

  void transfer(Archive& archive, int made) noexcept override;
  [[nodiscard]] Out states() noexcept override {
    if (system_.link().yet_to_begin()) begin_now();
    return states_;
  }
  [[nodiscard]] StepStart step_start() const noexcept override {
    // Not a number: not known.
    const bool known = start_derivatives_.empty() || !std::isnan(start_derivatives_.front());
    return {start_states_, known ? In(start_derivatives_) : In{}};
  }

 private:
  [[nodiscard]] const model::Passes& passes() const noexcept {
    return starting_ ? starter_ : passes_;
  }
  bool open_step(SimTime t, Duration h) noexcept;
  void begin_now() noexcept;
  bool move(Call call) noexcept;
  bool take_step_end() noexcept;
  void take_states() noexcept;
  void find_again() noexcept;

  numerics::Method method_;
  mutable RemoteSystem system_;
  // The passes follow from the method, and need not be asked for.
  model::Passes passes_, starter_;
  std::vector<double> states_, start_states_, start_derivatives_;
  std::vector<double> u_;  // of the step at hand, or of its last pass
  bool starting_ = false;
  bool asked_ = false;  // for a whole step
  // For a model that shows hild no states: it keeps a time of its own.
  bool own_time_ = false;
  SimTime reached_{};  // reached by the model
  SimTime t_{};        // of the start of the step the model is taking, by its time
  Duration h_{};       // of that step
  Duration lag_{};     // of the model's time behind hild's
};

}  // namespace hild::remote
