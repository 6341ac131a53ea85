// SPDX-License-Identifier: Apache-2.0
#include "bench/opaque.hpp"

#include "bench/by_hand.hpp"

namespace hild::bench {

void circuit(double /*t*/, const double* x, double u, double* dx, std::size_t /*n*/) {
  static const Circuit model;
  model(x, u, dx);
}

void van_der_pol(double /*t*/, const double* x, double u, double* dx, std::size_t /*n*/) {
  static const VanDerPol model;
  model(x, u, dx);
}

}  // namespace hild::bench
