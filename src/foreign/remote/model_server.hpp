// SPDX-License-Identifier: Apache-2.0
/// \file
/// The other end of a Link: answers requests with a system, and a stepper of it.
#pragma once

#include <vector>

#include "foreign/remote/shared.hpp"

namespace hild::remote {

class ModelServer {
 public:
  /// Without a stepper (null) only functions of System may be requested. All outlive it.
  ModelServer(model::System& system, model::Stepper* stepper, Shared& shared) noexcept
      : system_(system), stepper_(stepper), shared_(shared) {}

  /// Answers the present request.
  void answer() noexcept;

 private:
  void evaluate() noexcept;
  bool act() noexcept;
  bool step() noexcept;
  void tell_end() noexcept;
  bool keep() noexcept;
  bool measure_state();
  bool save_state() noexcept;
  bool load_state() noexcept;
  void report() noexcept;

  model::System& system_;
  model::Stepper* stepper_;
  Shared& shared_;
  std::vector<std::byte> state_;  // being saved or loaded, piece by piece
};

}  // namespace hild::remote
