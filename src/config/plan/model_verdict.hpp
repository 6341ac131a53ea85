// SPDX-License-Identifier: Apache-2.0
/// \file
/// Judges what was observed of a model in its calls against the frame of a plan.
#pragma once

#include <boost/json/object.hpp>

#include "config/plan/plan.hpp"

namespace hild::plan {

/// Stores the examination in the plan, and of several models also that of each; refuses the plan
/// for a model that would end the run.
void judge_model(Plan& plan, const examine::Examination& seen,
                 std::vector<ExaminedPart> parts = {});

/// The part of a plan that describes the model. Empty where it was not examined.
[[nodiscard]] std::string model_text(const Plan& plan);
[[nodiscard]] boost::json::object model_json(const Plan& plan);

}  // namespace hild::plan
