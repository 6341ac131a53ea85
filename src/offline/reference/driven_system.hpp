// SPDX-License-Identifier: Apache-2.0
/// \file
/// A system with its inputs, to be integrated.
#pragma once

#include "offline/reference/inputs.hpp"
#include "offline/reference/ode.hpp"

namespace hild::reference {

class DrivenSystem final : public Ode {
 public:
  /// Both outlive this.
  DrivenSystem(model::System& system, const Inputs& inputs)
      : system_(system), inputs_(inputs), u_(system.description().inputs.size()) {}

  [[nodiscard]] std::size_t size() const override { return system_.description().states.size(); }
  [[nodiscard]] std::string state_name(std::size_t i) const override {
    return std::string(system_.description().states[i].name);
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
