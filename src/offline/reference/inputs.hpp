// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of a reference run: functions of time, evaluated at the instants the formula needs;
/// and a system with its inputs, to be integrated.
#pragma once

#include <span>
#include <vector>

#include "hild/model/system.hpp"
#include "offline/reference/formula.hpp"

namespace hild::reference {

class Inputs {
 public:
  Inputs() = default;
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  virtual ~Inputs() = default;

  /// All inputs of the model at t (in seconds), as the smooth piece gives them that begins at or
  /// before `piece` and goes on after it; at the end of a piece this is the limit from the left.
  virtual void at(double t, SimTime piece, std::span<double> u) const = 0;
  /// The first instant after t at which an input or its slope jumps, or model::never.
  [[nodiscard]] virtual SimTime next_break(SimTime t) const = 0;
  /// To be called when a piece begins at t: changes in the model whatever changes at that break.
  virtual void enter(SimTime /*t*/, model::System& /*system*/) const {}
};

/// A system with its inputs, to be integrated.
class DrivenSystem final : public Ode {
 public:
  /// Both outlive this.
  DrivenSystem(model::System& system, const Inputs& inputs)
      : system_(system), inputs_(inputs), u_(system.description().inputs.size()) {}

  [[nodiscard]] std::size_t size() const override { return system_.description().states.size(); }
  [[nodiscard]] std::string state_name(std::size_t i) const override {
    return std::string(system_.description().states[i].name);
  }
  [[nodiscard]] double nominal(std::size_t i) const override {
    return system_.description().states[i].nominal;
  }
  void derivatives(double t, std::span<const double> x, std::span<double> dx) override {
    system_.derivatives(t, x, inputs(t), dx);
  }

  /// Enters the piece of the inputs that begins at `t`.
  void enter(SimTime t) {
    piece_ = t;
    inputs_.enter(t, system_);
  }
  [[nodiscard]] SimTime piece() const { return piece_; }
  /// The inputs at t; valid until the next call.
  [[nodiscard]] std::span<const double> inputs(double t) {
    inputs_.at(t, piece_, u_);
    return u_;
  }
  void event_functions(double t, std::span<const double> x, std::span<double> g) {
    system_.event_functions(t, x, inputs(t), g);
  }
  [[nodiscard]] model::System& system() { return system_; }

 private:
  model::System& system_;
  const Inputs& inputs_;
  SimTime piece_{};
  std::vector<double> u_;
};

}  // namespace hild::reference
