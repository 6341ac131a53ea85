// SPDX-License-Identifier: Apache-2.0
/// \file
/// Adams-Bashforth methods: one pass a step, from the derivatives of the steps before.
#pragma once

#include "hild/numerics/methods/runge_kutta.hpp"

namespace hild::numerics {

/// A fraction of a tableau.
using R = Rational;

/// One pass and one derivative before, order 2; started by rtrk2. Real-time.
inline constexpr Method ab2{.name = "ab-2",
                            .aliases = {"adams-bashforth-2"},
                            .source = "Howe eq. 2, first pass",
                            .order = 2,
                            .passes = 1,
                            .history = 1,
                            .formulas = {{{}, {.at = 1, .pass = {R(3, 2)}, .history = {R(-1, 2)}}}},
                            .starter = &rtrk2};

/// One pass and two derivatives before, order 3; started by rtrk3. Real-time.
inline constexpr Method ab3{
    .name = "ab-3",
    .aliases = {"adams-bashforth-3"},
    .source = "Howe eq. 3, first pass",
    .order = 3,
    .passes = 1,
    .history = 2,
    .formulas = {{{}, {.at = 1, .pass = {R(23, 12)}, .history = {R(-16, 12), R(5, 12)}}}},
    .starter = &rtrk3};

/// One pass and three derivatives before, order 4; started by rtrk4. Real-time.
inline constexpr Method ab4{
    .name = "ab-4",
    .aliases = {"adams-bashforth-4"},
    .source = "Howe eq. 4, first pass",
    .order = 4,
    .passes = 1,
    .history = 3,
    .formulas = {{{},
                  {.at = 1, .pass = {R(55, 24)}, .history = {R(-59, 24), R(37, 24), R(-9, 24)}}}},
    .starter = &rtrk4};

}  // namespace hild::numerics
