// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tableaux. Each is the paper's formula, its order proven while compiling. To add a method,
/// add its entry to one of these files and its name to the list in every_method.hpp.
#pragma once

#include "hild/numerics/methods/adams.hpp"
#include "hild/numerics/methods/continuous.hpp"
#include "hild/numerics/methods/predictor_corrector.hpp"
#include "hild/numerics/methods/runge_kutta.hpp"
#include "hild/numerics/methods/stiff.hpp"
