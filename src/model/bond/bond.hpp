// SPDX-License-Identifier: Apache-2.0
/// \file
/// A bond: a stiff spring between two models, or one end of it where the other is on another
/// machine, as a transmission line (TLM; D. M. Auslander, Distributed System Simulation with
/// Bilateral Delay-Line Models, J. Basic Eng. 90, 1968). What one end does arrives at the other as
/// a wave, a delay later: the delay that sampling brings anyway is the line's own, and no energy
/// comes of it.
///
/// At an end, w is the wave that has come, f the flow into the line, and Z the stiffness times the
/// delay. The effort holds over a frame, the flow does not: the wave that leaves is that of the
/// mean flow, which is known at the next tick n + 1.
///
///   e = w + Z f_n        leaving = w + 2 Z (f_n + f_n+1) / 2
///
/// To a mass m at the end, over frames of h, that is an all-pass: for Z h < 2 m it gives back what
/// came, all of it, at every frequency. So two such ends are stable whatever the delay between
/// them. With the delay of one frame, that of two models in one run, the line is the spring whose
/// effort follows from the flows at this tick (the symplectic Euler method).
///
/// Made while loading; its steppers are real-time safe.
#pragma once

#include <memory>

#include "hild/core/name.hpp"
#include "hild/model/stepper.hpp"

namespace hild::model {

/// Which ends of a bond are here. Power flows into end a and out of end b.
enum class BondEnds : unsigned char { both, a, b };

/// What a bond is made of. A flow is the rate of the displacement.
struct BondData {
  BondEnds ends = BondEnds::both;
  double stiffness = 0;      ///< of effort by displacement, above 0
  double frame = 0;          ///< s, above 0
  double delay = 0;          ///< of one end here: s, from a step of it to what answers, above 0
  Name effort_unit;          ///< "N m"
  Name flow_unit;            ///< "rad/s"
  Name stiffness_unit;       ///< "N m/rad"
  Name energy_unit;          ///< "J"
  double energy_factor = 1;  ///< energies in their unit by effort times displacement
};

/// A bond, shared by all systems and steppers made of it.
class Bond;

[[nodiscard]] std::shared_ptr<const Bond> make_bond(const BondData& data);
/// What it says of itself; lives as long as it.
[[nodiscard]] const Description& description_of(const Bond& bond);
/// What it stands for where time is not sampled: both ends here are a spring.
[[nodiscard]] std::unique_ptr<System> make_system(std::shared_ptr<const Bond> bond);
/// It advances itself: `method` is for reports, and outlives the stepper.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const Bond> bond,
                                                    const numerics::Method& method);

}  // namespace hild::model
