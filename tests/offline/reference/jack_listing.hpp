// SPDX-License-Identifier: Apache-2.0
/// \file
/// rk_4, rk_qc and rk_odeint as the paper lists them, statement by statement, with the colons that
/// stand for minus signs read as such, and without its static variables.
#pragma once

#include <array>
#include <cmath>

#include "offline/reference/formula.hpp"

namespace hild::test::listing {

using Array = std::array<double, 30>;

struct Listing {
  reference::Ode& system;
  int nok = 0;
  int nbad = 0;

  void rk_derivs(double x, const Array& y, Array& dydx) const {
    system.derivatives(x, std::span(y.data(), system.size()),
                       std::span(dydx.data(), system.size()));
  }

  void rk_4(const Array& y, const Array& dydx, std::size_t n, double x, double h,
            Array& yout) const {
    Array yt{}, dyt{}, dym{};
    const double hh = h * 0.5, h6 = h / 6.0, xh = x + hh;
    for (std::size_t i = 0; i < n; i++) yt[i] = y[i] + hh * dydx[i];
    rk_derivs(xh, yt, dyt);
    for (std::size_t i = 0; i < n; i++) yt[i] = y[i] + hh * dyt[i];
    rk_derivs(xh, yt, dym);
    for (std::size_t i = 0; i < n; i++) {
      yt[i] = y[i] + h * dym[i];
      dym[i] = dyt[i] + dym[i];
    }
    rk_derivs(x + h, yt, dyt);
    for (std::size_t i = 0; i < n; i++) yout[i] = y[i] + h6 * (dydx[i] + dyt[i] + 2.0 * dym[i]);
  }

  void rk_qc(Array& y, Array& dydx, std::size_t n, double& x, double h, double eps,
             const Array& yscal, double& hdid, double& hnext) const {
    const double fcor = 0.0666666667, safety = 0.9, errcon = 6.0e-4, pgrow = -0.20, pshrnk = -0.25;
    const double xsav = x;
    const Array ysav = y, dysav = dydx;
    Array ytemp{};
    for (;;) {
      const double hh = 0.5 * h;
      rk_4(ysav, dysav, n, xsav, hh, ytemp);
      x = xsav + hh;
      rk_derivs(x, ytemp, dydx);
      rk_4(ytemp, dydx, n, x, hh, y);
      x = xsav + h;
      rk_4(ysav, dysav, n, xsav, h, ytemp);
      double errmax = 0.0;
      for (std::size_t i = 0; i < n; i++) {
        ytemp[i] = y[i] - ytemp[i];
        errmax = errmax > std::fabs(ytemp[i] / yscal[i]) ? errmax : std::fabs(ytemp[i] / yscal[i]);
      }
      errmax = errmax / eps;
      if (errmax > 1.0) {
        h = safety * h * std::pow(errmax, pshrnk);
        continue;
      }
      hdid = h;
      hnext = errmax > errcon ? safety * h * std::pow(errmax, pgrow) : 4.0 * h;
      break;
    }
    for (std::size_t i = 0; i < n; i++) y[i] = y[i] + ytemp[i] * fcor;
  }

  bool rk_odeint(Array& ystart, std::size_t nvar, double x1, double x2, double eps, double h1) {
    double x = x1, h = h1, hdid = 0, hnext = 0;
    Array y = ystart, dydx{}, yscal{};
    for (int nstp = 0; nstp < 10000; nstp++) {
      rk_derivs(x, y, dydx);
      for (std::size_t i = 0; i < nvar; i++) {
        yscal[i] = std::fabs(y[i]) + std::fabs(h * dydx[i]) + 1.e-30;
      }
      if ((x + h - x2) * (x + h - x1) > 0.0) h = x2 - x;
      rk_qc(y, dydx, nvar, x, h, eps, yscal, hdid, hnext);
      if (hdid == h) {
        nok++;
      } else {
        nbad++;
      }
      if ((x - x2) * (x2 - x1) >= 0.0) {
        ystart = y;
        return true;
      }
      h = hnext;
    }
    return false;
  }
};

}  // namespace hild::test::listing
