// SPDX-License-Identifier: Apache-2.0
/// \file
/// Predictor-correctors: the predictor extrapolates from the history, the corrector interpolates
/// through the passes. Conventional ones (AM) and Howe's real-time ones.
#pragma once

#include "hild/numerics/methods/adams.hpp"
#include "hild/numerics/methods/runge_kutta.hpp"

namespace hild::numerics {

/// A fraction of a tableau.
using R = Rational;

// ---- conventional: the predictor at the end of the step, so that the second pass needs an input
// ---- from the future

/// Two passes, ab2 and the trapezoidal rule: order 2, one derivative before; started by rtrk2.
/// Not real-time.
inline constexpr Method am2{.name = "am-2",
                            .aliases = {"adams-moulton-2"},
                            .source = "Howe eq. 2",
                            .order = 2,
                            .passes = 2,
                            .history = 1,
                            .formulas = {{{},
                                          {.at = 1, .pass = {R(3, 2)}, .history = {R(-1, 2)}},
                                          {.at = 1, .pass = {R(1, 2), R(1, 2)}}}},
                            .starter = &rtrk2};

/// Two passes, ab3 and its corrector: order 3, two derivatives before; started by rtrk3.
/// Not real-time.
inline constexpr Method am3{
    .name = "am-3",
    .aliases = {"adams-moulton-3"},
    .source = "Howe eq. 3",
    .order = 3,
    .passes = 2,
    .history = 2,
    .formulas = {{{},
                  {.at = 1, .pass = {R(23, 12)}, .history = {R(-16, 12), R(5, 12)}},
                  {.at = 1, .pass = {R(8, 12), R(5, 12)}, .history = {R(-1, 12)}}}},
    .starter = &rtrk3};

/// Two passes, ab4 and its corrector: order 4, three derivatives before; started by rtrk4.
/// Not real-time.
// The corrector is printed with F_{n+1} and F_{n+2}; it interpolates through F_{n-1} and F_{n-2}.
inline constexpr Method am4{
    .name = "am-4",
    .aliases = {"adams-moulton-4"},
    .source = "Howe eq. 4",
    .order = 4,
    .passes = 2,
    .history = 3,
    .formulas = {{{},
                  {.at = 1, .pass = {R(55, 24)}, .history = {R(-59, 24), R(37, 24), R(-9, 24)}},
                  {.at = 1, .pass = {R(19, 24), R(9, 24)}, .history = {R(-5, 24), R(1, 24)}}}},
    .starter = &rtrk4};

// ---- real-time, two passes: the second at half the step

/// Passes at 0 and 1/2 of the step, order 2, one derivative before; started by rtrk2. ab2 completes
/// a step early. Real-time.
inline constexpr Method rtam2{
    .name = "rtam-2",
    .source = "Howe eq. 17",
    .order = 2,
    .passes = 2,
    .history = 1,
    .formulas = {{{},
                  {.at = R(1, 2), .pass = {R(5, 8)}, .history = {R(-1, 8)}},
                  {.at = 1, .pass = {0, 1}}}},
    .starter = &rtrk2,
    .anytime = &ab2};

/// Passes at 0 and 1/2 of the step, order 3, two derivatives before; started by rtrk3. ab3
/// completes a step early. Real-time.
inline constexpr Method rtam3{
    .name = "rtam-3",
    .source = "Howe eq. 19",
    .order = 3,
    .passes = 2,
    .history = 2,
    .formulas = {{{},
                  {.at = R(1, 2), .pass = {R(17, 24)}, .history = {R(-7, 24), R(2, 24)}},
                  {.at = 1, .pass = {R(-3, 18), R(20, 18)}, .history = {R(1, 18)}}}},
    .starter = &rtrk3,
    .anytime = &ab3};

/// Passes at 0 and 1/2 of the step, order 4, three derivatives before; started by rtrk4. ab4
/// completes a step early. Real-time.
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
    .starter = &rtrk4,
    .anytime = &ab4};

// ---- real-time, three passes

/// Passes at 0, 1/3 and 2/3 of the step, order 3, one derivative before: the predictor is of
/// order 2. Started by rtrk3. Real-time.
inline constexpr Method p2pc3c3{
    .name = "p-2/pc-3/c-3",
    .aliases = {"p2-pc3-c3", "p2pc3c3"},
    .source = "Howe eq. 23",
    .order = 3,
    .passes = 3,
    .history = 1,
    .formulas = {{{},
                  {.at = R(1, 3), .pass = {R(7, 18)}, .history = {R(-1, 18)}},
                  {.at = R(2, 3), .pass = {R(-4, 54), R(39, 54)}, .history = {R(1, 54)}},
                  {.at = 1, .pass = {R(1, 4), 0, R(3, 4)}}}},
    .starter = &rtrk3};

/// Passes at 0, 1/3 and 2/3 of the step, order 3, two derivatives before: the predictor is of
/// that order too. Started by rtrk3. Real-time.
inline constexpr Method p3pc3c3{
    .name = "p-3/pc-3/c-3",
    .aliases = {"p3-pc3-c3", "p3pc3c3"},
    .source = "Howe eq. 21",
    .order = 3,
    .passes = 3,
    .history = 2,
    .formulas = {{{},
                  {.at = R(1, 3), .pass = {R(137, 324)}, .history = {R(-40, 324), R(11, 324)}},
                  {.at = R(2, 3), .pass = {R(-4, 54), R(39, 54)}, .history = {R(1, 54)}},
                  {.at = 1, .pass = {R(1, 4), 0, R(3, 4)}}}},
    .starter = &rtrk3};

}  // namespace hild::numerics
