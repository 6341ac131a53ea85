// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runge-Kutta methods: no history, so they start anywhere and bear any step.
#pragma once

#include "hild/numerics/method.hpp"

namespace hild::numerics {

/// A fraction of a tableau.
using R = Rational;

/// One pass at the start of the step, order 1. Real-time.
inline constexpr Method forward_euler{.name = "forward-euler",
                                      .aliases = {"euler", "fe", "ab-1"},
                                      .source = "Cellier, explicit methods",
                                      .order = 1,
                                      .passes = 1,
                                      .formulas = {{{}, {.at = 1, .pass = {1}}}}};

/// The midpoint rule: passes at 0 and 1/2 of the step, order 2. Real-time.
inline constexpr Method rtrk2{
    .name = "rtrk-2",
    .aliases = {"midpoint"},
    .source = "Howe eq. 18; Bernstein, second-order formula",
    .order = 2,
    .passes = 2,
    .formulas = {{{}, {.at = R(1, 2), .pass = {R(1, 2)}}, {.at = 1, .pass = {0, 1}}}}};

/// The trapezoidal rule after an Euler step: order 2. Its second pass needs the input at the end of
/// the step, so that it is not real-time.
inline constexpr Method heun{
    .name = "heun",
    .aliases = {"improved-euler"},
    .source = "Heun 1900, trapezoidal formula after an Euler step",
    .order = 2,
    .passes = 2,
    .formulas = {{{}, {.at = 1, .pass = {1}}, {.at = 1, .pass = {R(1, 2), R(1, 2)}}}}};

/// Three passes, at 0, 1/3 and 2/3 of the step, order 3. Real-time.
inline constexpr Method rtrk3{.name = "rtrk-3",
                              .aliases = {"rk-3"},
                              .source = "Howe eq. 22; Bernstein, third-order formula",
                              .order = 3,
                              .passes = 3,
                              .formulas = {{{},
                                            {.at = R(1, 3), .pass = {R(1, 3)}},
                                            {.at = R(2, 3), .pass = {0, R(2, 3)}},
                                            {.at = 1, .pass = {R(1, 4), 0, R(3, 4)}}}}};

/// Five passes, at 0, 1/5 ... 4/5 of the step, order 4. Real-time, which no Runge-Kutta
/// method of order 4 with four passes is.
inline constexpr Method rtrk4{
    .name = "rtrk-4",
    .aliases = {"bernstein"},
    .source = "Bernstein, five-stage fourth-order formula",
    .order = 4,
    .passes = 5,
    .formulas = {{{},
                  {.at = R(1, 5), .pass = {R(1, 5)}},
                  {.at = R(2, 5), .pass = {R(2, 5)}},
                  {.at = R(3, 5), .pass = {R(-2, 5), 1}},
                  {.at = R(4, 5), .pass = {R(3, 10), 0, 0, R(1, 2)}},
                  {.at = 1, .pass = {R(-1, 24), R(15, 24), R(-5, 24), R(5, 24), R(10, 24)}}}}};

/// The classical four passes of order 4, at 0, 1/2, 1/2 and 1 of the step: not real-time.
inline constexpr Method rk4{
    .name = "rk-4",
    .aliases = {"classical-rk-4"},
    .source = "Bernstein, classical fourth-order formula",
    .order = 4,
    .passes = 4,
    .formulas = {{{},
                  {.at = R(1, 2), .pass = {R(1, 2)}},
                  {.at = R(1, 2), .pass = {0, R(1, 2)}},
                  {.at = 1, .pass = {0, 0, 1}},
                  {.at = 1, .pass = {R(1, 6), R(1, 3), R(1, 3), R(1, 6)}}}}};

}  // namespace hild::numerics
