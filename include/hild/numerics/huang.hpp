// SPDX-License-Identifier: Apache-2.0
/// \file
/// Huang, Tong, Huang and Yang, "Research on Error Estimation and Continuous Runge-Kutta Algorithm
/// for Real-time Simulation": ODE45 (eq. 2), the third-order result of the same passes (ODE35,
/// eq. 9) and the results within the step (eqs. 13 and 16). The paper prints six digits; these are
/// the roots of its conditions (3), (8) and (15) for its free parameters b32 = 0.28339111150,
/// b43 = 0.23704246, c5 = 0.0687493323, so that the conditions hold to the last digit of a double.
#pragma once

#include <array>
#include <cstddef>

namespace hild::numerics::huang {

inline constexpr std::size_t passes = 5;
inline constexpr int order = 4;
inline constexpr int embedded_order = 3;

/// Nodes, in steps.
inline constexpr std::array<double, passes> a{0.0, 0.2, 0.4, 0.6, 0.8};

/// X of pass i = X_n + h sum_j b[i][j] F_j.
inline constexpr std::array<std::array<double, passes - 1>, passes> b{
    {{},
     {0.2},
     {0.1166088885, 0.2833911115},
     {-0.10643916776856896144, 0.46939670776856896144, 0.23704246},
     {-0.11888809717977306030, 7.0762876525084013674, -11.023254369166274372,
      4.8658548138376460653}}};

/// X_{n+1} = X_n + h sum_j c[j] F_j.
inline constexpr std::array<double, passes> c{-0.38958400103333333333, 2.0166693374666666667,
                                              -2.2958373395333333333, 1.6000026708, 0.0687493323};

/// The same with the error of third order.
inline constexpr std::array<double, passes> c_embedded{
    0.0, 0.86336677235950491750, -1.1734336504118480858, 1.2567669837451814192,
    0.053299894307161749166};

/// X(t_n + theta h) = X_n + theta h sum_j (dense[j][0] + dense[j][1] theta + dense[j][2] theta^2)
/// F_j, of third order.
inline constexpr std::array<std::array<double, 3>, passes> dense{
    {{1.0, 15.936643032126430145, -17.326227033159763479},
     {0.0, -53.128678428679290436, 55.145347766145957103},
     {0.0, 55.016177093279290436, -57.312014432812623770},
     {0.0, -16.892891029026430145, 18.492893699826430145},
     {0.0, -0.9312506677, 1.0}}};

}  // namespace hild::numerics::huang
