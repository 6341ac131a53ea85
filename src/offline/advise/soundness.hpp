// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict of `hild check` on stability and accuracy at the configured step, from the modes
/// that `hild advise` weighs. Nothing is measured. Not real-time.
#pragma once

#include <functional>

#include "config/plan/soundness.hpp"
#include "offline/advise/advice.hpp"

namespace hild::advise {

/// A model, the way it is advanced, and what is known of its modes.
struct Advanced {
  const numerics::Method* method = nullptr;  ///< null where `rates` are used
  std::optional<model::Multirate> rates{};
  const model::Description* model = nullptr;
  double h = 0;  ///< s
  Sampled sampled{.by = exec::Sampling::frame};
  std::span<const Point> points{};
  Modes modes{};
  Demand demand{};
  double band = 0;  ///< omega of interest, rad/s
};

/// Judges a model whose modes are known.
[[nodiscard]] plan::Soundness judge(const Advanced& a);

/// The share of the steps that `hild advise` would spend on a trajectory that is spent here.
inline constexpr double effort_of_check = 0.05;

/// Judges all models of a configuration. A single model is followed, with simulated devices, as
/// advise does, in another assembly of the same configuration, which is asked for only then; a
/// model in a process of its own, and each of several models, is judged by its modes at the start.
[[nodiscard]] std::vector<plan::Soundness> soundness_of(
    const plan::Assembly& assembly, const std::function<plan::Assembly()>& another);

/// Judges by the modes at the start alone: costs one Jacobian for each model.
[[nodiscard]] std::vector<plan::Soundness> soundness_at_start(const plan::Assembly& assembly);

}  // namespace hild::advise
