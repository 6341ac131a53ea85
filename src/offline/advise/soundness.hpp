// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict of `hild check` on stability and accuracy at the configured step, from the modes
/// that `hild advise` weighs. Nothing is measured. Not real-time.
#pragma once

#include "config/plan/soundness.hpp"
#include "offline/advise/advice.hpp"

namespace hild::advise {

/// A model, the way it is advanced and what was seen of it.
struct Advanced {
  const numerics::Method* method = nullptr;  ///< not of `rates`
  std::optional<model::Multirate> rates{};
  const model::Description* model = nullptr;
  double h = 0;  ///< s
  exec::Sampling sampling = exec::Sampling::frame;
  int degree = 1;  ///< of inputs carried on
  std::span<const Point> points{};
  Modes modes{};
  Demand demand{};
  double band = 0;  ///< omega of interest, rad/s
};

/// Of a model whose modes are known.
[[nodiscard]] plan::Soundness judge(const Advanced& a);

/// How much of what `hild advise` would spend on a trajectory is spent on it here.
inline constexpr double effort_of_check = 0.05;

/// Of all models of a configuration. One alone is followed, with simulated devices, as advise
/// does, by `to_follow`, an assembly of the same configuration that is used up; one in a process of
/// its own, and each of several, is judged by its modes at the start.
[[nodiscard]] std::vector<plan::Soundness> soundness_of(const plan::Assembly& assembly,
                                                        plan::Assembly& to_follow);

/// By the modes at the start alone: costs one Jacobian a model.
[[nodiscard]] std::vector<plan::Soundness> soundness_at_start(const plan::Assembly& assembly);

}  // namespace hild::advise
