// SPDX-License-Identifier: Apache-2.0
/// \file
/// A stepper whose model runs in another process (link.hpp). When an answer does not come in time
/// it abandons the step: it keeps the states it has, counts every step without an answer, and goes
/// on from there when the answer comes. Real-time safe after construction.
#pragma once

#include <cmath>
#include <vector>

#include "foreign/remote/system.hpp"

namespace hild::remote {

class RemoteStepper final : public model::Stepper {
 public:
  /// Precondition: the link's process has answered a start().
  RemoteStepper(const model::Description& d, const numerics::Method& method, Link link);

  [[nodiscard]] const Link& link() const noexcept { return system_.link(); }

  [[nodiscard]] const numerics::Method& method() const noexcept override { return method_; }
  const model::Passes& begin(SimTime t, Duration h) noexcept override;
  void pass(int pass, In u) noexcept override;
  void finish() noexcept override;
  const model::Passes& advance(SimTime t, Duration h, int steps, In u) noexcept override;
  bool finish_early() noexcept override;
  bool pass_outputs(int pass, In u, Out y) noexcept override;
  bool dense(double theta, Out x) const noexcept override;
  bool error_estimate(Out error) const noexcept override;
  void rewind() noexcept override;
  void restart(model::Restart from) noexcept override;

  void transfer(Archive& archive, int made) noexcept override;
  [[nodiscard]] Out states() noexcept override { return states_; }
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
  bool move(Call call) noexcept;
  void take_states() noexcept;
  void find_again() noexcept;

  numerics::Method method_;
  mutable RemoteSystem system_;
  // The passes follow from the method, and need not be asked for.
  model::Passes passes_, starter_;
  std::vector<double> states_, start_states_, start_derivatives_;
  bool starting_ = false;
  // For a model that shows hild no states: it keeps a time of its own.
  bool own_time_ = false;
  SimTime reached_{};  // reached by the model
  SimTime t_{};
  Duration h_{};    // of the step the model is taking
  Duration lag_{};  // of the model's time behind hild's
};

}  // namespace hild::remote
