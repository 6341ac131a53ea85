// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of a reference run: functions of time, evaluated at the instants the formula needs.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "hild/model/system.hpp"

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

/// Constant inputs.
class HeldInputs final : public Inputs {
 public:
  explicit HeldInputs(std::vector<double> u) : u_(std::move(u)) {}
  void at(double /*t*/, SimTime /*piece*/, std::span<double> u) const override {
    std::ranges::copy(u_, u.begin());
  }
  SimTime next_break(SimTime /*t*/) const override { return model::never; }

 private:
  std::vector<double> u_;
};

}  // namespace hild::reference
