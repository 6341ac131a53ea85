// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/properties.hpp"

namespace hild::analysis {

Properties properties(const numerics::Method& method) {
  Properties p{&method, {}, {}, {}};
  if (const auto c = characteristic(method)) {
    p.roots.emplace(*c);
    p.error = error_coefficient(*c, method.order, method.passes);
    p.limits = stability_limits(*p.roots);
  }
  return p;
}

}  // namespace hild::analysis
