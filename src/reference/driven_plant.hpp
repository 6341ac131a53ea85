// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant under its inputs, as a system to integrate: only its model is used, not its method.
#pragma once

#include "reference/inputs.hpp"
#include "reference/system.hpp"

namespace hild::reference {

class DrivenPlant final : public System {
 public:
  /// Both outlive this.
  DrivenPlant(model::Plant& plant, const Inputs& inputs)
      : plant_(plant), inputs_(inputs), u_(plant.description().inputs.size()) {}

  [[nodiscard]] std::size_t size() const override { return plant_.description().states.size(); }
  [[nodiscard]] std::string state_name(std::size_t i) const override {
    return std::string(plant_.description().states[i].name);
  }
  void derivatives(double t, std::span<const double> x, std::span<double> dx) override {
    plant_.derivatives(t, x, inputs(t), dx);
  }

  /// From `t` on the inputs are those of the piece that begins there.
  void enter(SimTime t) {
    piece_ = t;
    inputs_.enter(t, plant_);
  }
  [[nodiscard]] SimTime piece() const { return piece_; }
  /// The inputs at t; until the next call.
  [[nodiscard]] std::span<const double> inputs(double t) {
    inputs_.at(t, piece_, u_);
    return u_;
  }
  void event_functions(double t, std::span<const double> x, std::span<double> g) {
    plant_.event_functions(t, x, inputs(t), g);
  }
  [[nodiscard]] model::Plant& plant() { return plant_; }

 private:
  model::Plant& plant_;
  const Inputs& inputs_;
  SimTime piece_{};
  std::vector<double> u_;
};

}  // namespace hild::reference
