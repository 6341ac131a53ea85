// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runge-Kutta methods that also estimate their error and tell the states within a step. The papers
/// truncate the coefficients: given here are the nearest decimals of the values that satisfy the
/// conditions.
#pragma once

#include "hild/numerics/method.hpp"

namespace hild::numerics {

/// A fraction of a tableau.
using R = Rational;

/// Five passes, at 0, 1/5 ... 4/5 of the step, order 4; embedded and dense results of order 3.
/// Real-time.
inline constexpr Method ode45{
    .name = "ode-45",
    .aliases = {"huang", "ode45"},
    .source = "Huang eq. 2, 9 and 16",
    .order = 4,
    .passes = 5,
    .formulas = {{{},
                  {.at = R(1, 5), .pass = {R(1, 5)}},
                  {.at = R(2, 5), .pass = {decimal("0.1166088885"), decimal("0.2833911115")}},
                  {.at = R(3, 5),
                   .pass = {decimal("-0.1064391677685690"), decimal("0.4693967077685690"),
                            decimal("0.23704246")}},
                  {.at = R(4, 5),
                   .pass = {decimal("-0.1188880971797731"), decimal("7.076287652508401"),
                            decimal("-11.02325436916627"), decimal("4.865854813837646")}},
                  {.at = 1,
                   .pass = {R(-11687520031, 30000000000), R(15125020031, 7500000000),
                            R(-34437560093, 15000000000), decimal("1.6000026708"),
                            decimal("0.0687493323")}}}},
    .embedded = {.order = 3,
                 .pass = {0, decimal("0.8633667723595049"), decimal("-1.173433650411848"),
                          decimal("1.256766983745181"), decimal("0.05329989430716175")}},
    .dense = {.order = 3,
              .pass = {{{1, decimal("15.93664303212643"), decimal("-17.32622703315976")},
                        {0, decimal("-53.12867842867929"), decimal("55.14534776614596")},
                        {0, decimal("55.01617709327929"), decimal("-57.31201443281262")},
                        {0, decimal("-16.89289102902643"), decimal("18.49289369982643")},
                        {0, decimal("-0.9312506677"), 1}}}},
    .rounded = true};

}  // namespace hild::numerics
