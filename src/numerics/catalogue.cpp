// SPDX-License-Identifier: Apache-2.0
#include "hild/numerics/catalogue.hpp"

#include "hild/numerics/every_method.hpp"
#include "hild/numerics/order_conditions.hpp"

namespace hild::numerics {
namespace {

constexpr bool proven() {
  for (const Method* m : every_method) {
    if (!(m->implicit() ? stiff_conditions::hold(*m) : order_conditions::hold(*m))) return false;
  }
  return true;
}
static_assert(proven(), "a tableau does not satisfy the conditions of its order");

}  // namespace

std::span<const Method* const> catalogue() noexcept { return every_method; }

const Method* find_method(std::string_view name) noexcept {
  for (const Method* m : every_method) {
    if (m->called(name)) return m;
  }
  return nullptr;
}

}  // namespace hild::numerics
