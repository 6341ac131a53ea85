// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tableaux. Each is the paper's formula, its order proven below while compiling. To add a
/// method, add its entry here and its name to the list in catalogue.cpp.
#pragma once

#include "hild/numerics/method.hpp"
#include "hild/numerics/order_conditions.hpp"

namespace hild::numerics {

using R = Rational;

// ---- Runge-Kutta -------------------------------------------------------------------------------

inline constexpr Method forward_euler{.name = "forward-euler",
                                      .aliases = {"euler", "fe", "ab-1"},
                                      .source = "Cellier, explicit methods",
                                      .order = 1,
                                      .passes = 1,
                                      .formulas = {{{}, {.at = 1, .pass = {1}}}}};

inline constexpr Method rtrk2{
    .name = "rtrk-2",
    .aliases = {"midpoint"},
    .source = "Howe eq. 18; Bernstein, second-order formula",
    .order = 2,
    .passes = 2,
    .formulas = {{{}, {.at = R(1, 2), .pass = {R(1, 2)}}, {.at = 1, .pass = {0, 1}}}}};

inline constexpr Method rtrk3{.name = "rtrk-3",
                              .aliases = {"rk-3"},
                              .source = "Howe eq. 22; Bernstein, third-order formula",
                              .order = 3,
                              .passes = 3,
                              .formulas = {{{},
                                            {.at = R(1, 3), .pass = {R(1, 3)}},
                                            {.at = R(2, 3), .pass = {0, R(2, 3)}},
                                            {.at = 1, .pass = {R(1, 4), 0, R(3, 4)}}}}};

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

// ---- Adams-Bashforth: one pass -----------------------------------------------------------------

inline constexpr Method ab2{.name = "ab-2",
                            .aliases = {"adams-bashforth-2"},
                            .source = "Howe eq. 2, first pass",
                            .order = 2,
                            .passes = 1,
                            .history = 1,
                            .formulas = {{{}, {.at = 1, .pass = {R(3, 2)}, .history = {R(-1, 2)}}}},
                            .starter = &rtrk2};

inline constexpr Method ab3{
    .name = "ab-3",
    .aliases = {"adams-bashforth-3"},
    .source = "Howe eq. 3, first pass",
    .order = 3,
    .passes = 1,
    .history = 2,
    .formulas = {{{}, {.at = 1, .pass = {R(23, 12)}, .history = {R(-16, 12), R(5, 12)}}}},
    .starter = &rtrk3};

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

// ---- Howe's real-time predictor-correctors: the second pass at half the step ------------------

inline constexpr Method rtam2{
    .name = "rtam-2",
    .source = "Howe eq. 17",
    .order = 2,
    .passes = 2,
    .history = 1,
    .formulas = {{{},
                  {.at = R(1, 2), .pass = {R(5, 8)}, .history = {R(-1, 8)}},
                  {.at = 1, .pass = {0, 1}}}},
    .starter = &rtrk2};

inline constexpr Method rtam3{
    .name = "rtam-3",
    .source = "Howe eq. 19",
    .order = 3,
    .passes = 2,
    .history = 2,
    .formulas = {{{},
                  {.at = R(1, 2), .pass = {R(17, 24)}, .history = {R(-7, 24), R(2, 24)}},
                  {.at = 1, .pass = {R(-3, 18), R(20, 18)}, .history = {R(1, 18)}}}},
    .starter = &rtrk3};

inline constexpr Method rtam4{
    .name = "rtam-4",
    .source = "Howe eq. 20",
    .order = 4,
    .passes = 2,
    .history = 3,
    .formulas = {{{},
                  {.at = R(1, 2),
                   .pass = {R(297, 384)},
                   .history = {R(-187, 384), R(107, 384), R(-25, 384)}},
                  {.at = 1, .pass = {R(-10, 30), R(36, 30)}, .history = {R(5, 30), R(-1, 30)}}}},
    .starter = &rtrk4};

}  // namespace hild::numerics
