// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes all calls that a run may make of a model, the rare ones included, under a watch.
#pragma once

#include "foreign/examine/examination.hpp"

namespace hild::examine {

void make_tour(model::Stepper& plant, const ExaminationOptions& options, Examination& result);

}  // namespace hild::examine
