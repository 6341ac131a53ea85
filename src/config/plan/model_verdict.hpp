// SPDX-License-Identifier: Apache-2.0
/// \file
/// What was seen of a model in its calls, held against the frame of a plan.
#pragma once

#include <boost/json/object.hpp>

#include "config/plan/plan.hpp"

namespace hild::plan {

/// Keeps the examination in the plan, of several models also those of each; refuses the plan for a
/// model that would end the run.
void judge_model(Plan& plan, const examine::Examination& seen,
                 std::vector<ExaminedPart> parts = {});

/// The worst calls of a step together.
[[nodiscard]] Duration worst_step(const Plan& plan, const examine::Examination& seen);

/// The part of a plan that speaks of the model. Empty where it was not examined.
[[nodiscard]] std::string model_text(const Plan& plan);
[[nodiscard]] boost::json::object model_json(const Plan& plan);

}  // namespace hild::plan
