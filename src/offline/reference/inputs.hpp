// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of a reference run: functions of time, asked at the instants the formula needs.
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

  /// All inputs of the model at t (in seconds), each of the smooth piece that begins at or before
  /// `piece` and goes on after it; at the end of a piece that is the limit from the left.
  virtual void at(double t, SimTime piece, std::span<double> u) const = 0;
  /// The first instant after t at which an input or its slope jumps, or model::never.
  [[nodiscard]] virtual SimTime next_break(SimTime t) const = 0;
  /// A piece begins at t: what changes the model at a break is to be done to it now.
  virtual void enter(SimTime /*t*/, model::System& /*system*/) const {}
};

/// Inputs that hold.
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
