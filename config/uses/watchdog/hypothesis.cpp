// SPDX-License-Identifier: Apache-2.0
/// What a motor would do if something certain were true of it (nothing is wrong, its friction is
/// larger, ...), held against what is measured: a Kalman-Bucy filter (R. E. Kalman, R. S. Bucy, New
/// Results in Linear Filtering and Prediction Theory, J. Basic Eng. 83, 1961), with the covariance
/// P of its error among its states.
///   x' = A x + B u + K (y - C x)       P' = A P + P A' + Q - K R K'       K = P C' / R
/// x is current i, speed w and error d of the speed sensor, which wanders. One bank is made of
/// several of these: what is wrong is a parameter, and the true one has the smallest misfit.
#include <algorithm>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace {

namespace model = hild::model;
using model::Input;
using model::Output;
using model::Parameter;
using model::State;

struct Hypothesis {
  static constexpr std::string_view name = "motor-hypothesis",
                                    summary = "what a motor would do, held against what it does";

  enum { i, w, d, held, p_ii, p_iw, p_id, p_ww, p_wd, p_dd };
  enum { voltage, speed, measured_current };
  enum {
    resistance,
    inductance,
    constant,
    inertia,
    friction,
    load,
    drive,
    friction_factor,
    sensor,
    wander,
    disturbance,
    speed_noise,
    current_noise,
    period
  };

  static constexpr std::array states{
      State{"current", "A"},    State{"speed", "rad/s"},  State{"sensor_error", "rad/s"},
      State{"held", "rad/s"},   State{"p_ii", "A2"},      State{"p_iw", "A rad/s"},
      State{"p_id", "A rad/s"}, State{"p_ww", "rad2/s2"}, State{"p_wd", "rad2/s2"},
      State{"p_dd", "rad2/s2"}};
  static constexpr std::array inputs{Input{"voltage", "V"}, Input{"speed", "rad/s"},
                                     Input{"current", "A"}};
  static constexpr std::array outputs{
      Output{"misfit"},       Output{"speed_residual", "rad/s"}, Output{"current_residual", "A"},
      Output{"voltage", "V"}, Output{"speed", "rad/s"},          Output{"current", "A"}};
  static constexpr std::array parameters{
      Parameter{"resistance", "ohm", 1.0, 1e-6}, Parameter{"inductance", "H", 0.01, 1e-9},
      Parameter{"constant", "N m/A", 0.05, 0.0}, Parameter{"inertia", "kg m2", 4e-4, 1e-12},
      Parameter{"friction", "N m s/rad", 2e-5, 0.0}, Parameter{"load", "N m", 0.02},
      // What the hypothesis is: the part of the voltage that arrives, how many times the friction,
      // whether the speed sensor measures (1) or stands still (0), how fast its error wanders.
      Parameter{"drive", "1", 1.0, 0.0, 1.0}, Parameter{"friction_factor", "1", 1.0, 0.0},
      Parameter{"sensor", "1", 1.0, 0.0, 1.0}, Parameter{"wander", "rad/s", 0.0, 0.0},
      // Torque that nobody knows of, and noise of a sample, as standard deviations; of torque in a
      // second.
      Parameter{"disturbance", "N m", 1e-4, 1e-9}, Parameter{"speed_noise", "rad/s", 1.0, 1e-9},
      Parameter{"current_noise", "A", 0.02, 1e-9}, Parameter{"period", "s", 2e-3, 1e-9}};
  using Methods = model::CompiledWith<hild::numerics::rk4>;
  using D = model::Data<Hypothesis>;

  // What was measured less what would have been.
  static double speed_off(D::X x, D::U u, D::P p) noexcept {
    return u[speed] - (p[sensor] > 0.5 ? x[w] + x[d] : x[held]);
  }

  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    const double sees = p[sensor] > 0.5 ? 1 : 0;
    const double rate_w = 1 / (p[speed_noise] * p[speed_noise] * p[period]);  // 1/R
    const double rate_i = 1 / (p[current_noise] * p[current_noise] * p[period]);
    const double off_w = sees * speed_off(x, u, p) * rate_w;
    const double off_i = (u[measured_current] - x[i]) * rate_i;
    const double pi_s = sees * (x[p_iw] + x[p_id]);  // P C' of the speed sensor, which sees w + d
    const double pw_s = sees * (x[p_ww] + x[p_wd]);
    const double pd_s = sees * (x[p_wd] + x[p_dd]);

    const double a_ii = -p[resistance] / p[inductance];
    const double a_iw = -p[constant] / p[inductance];
    const double a_wi = p[constant] / p[inertia];
    const double a_ww = -p[friction] * p[friction_factor] / p[inertia];
    dx[i] = a_ii * x[i] + a_iw * x[w] + p[drive] * u[voltage] / p[inductance] + pi_s * off_w +
            x[p_ii] * off_i;
    dx[w] = a_wi * x[i] + a_ww * x[w] - p[load] / p[inertia] + pw_s * off_w + x[p_iw] * off_i;
    dx[d] = pd_s * off_w + x[p_id] * off_i;
    dx[held] = 20 * (u[speed] - x[held]);  // 1/s: where the sensor may have stopped

    const double torque = p[disturbance] / p[inertia];
    dx[p_ii] = 2 * (a_ii * x[p_ii] + a_iw * x[p_iw]) + 1e-2 - pi_s * pi_s * rate_w -
               x[p_ii] * x[p_ii] * rate_i;
    dx[p_iw] = a_ii * x[p_iw] + a_iw * x[p_ww] + a_wi * x[p_ii] + a_ww * x[p_iw] -
               pi_s * pw_s * rate_w - x[p_ii] * x[p_iw] * rate_i;
    dx[p_id] = a_ii * x[p_id] + a_iw * x[p_wd] - pi_s * pd_s * rate_w - x[p_ii] * x[p_id] * rate_i;
    dx[p_ww] = 2 * (a_wi * x[p_iw] + a_ww * x[p_ww]) + torque * torque - pw_s * pw_s * rate_w -
               x[p_iw] * x[p_iw] * rate_i;
    dx[p_wd] = a_wi * x[p_id] + a_ww * x[p_wd] - pw_s * pd_s * rate_w - x[p_iw] * x[p_id] * rate_i;
    dx[p_dd] = p[wander] * p[wander] - pd_s * pd_s * rate_w - x[p_id] * x[p_id] * rate_i;
  }
  static void outputs_of(double /*t*/, D::X x, D::U u, D::P p, D::Y y) noexcept {
    y[1] = speed_off(x, u, p);
    y[2] = u[measured_current] - x[i];
    std::copy(u.begin(), u.end(), y.begin() + 3);  // handed on to the next hypothesis
    const double of_speed = y[1] / p[speed_noise], of_current = y[2] / p[current_noise];
    y[0] = of_speed * of_speed + of_current * of_current;
  }
};

HILD_MODEL(Hypothesis);

}  // namespace
