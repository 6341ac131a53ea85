// SPDX-License-Identifier: Apache-2.0
#include "hild/numerics/catalogue.hpp"

#include "hild/numerics/methods.hpp"
#include "hild/numerics/order_conditions.hpp"

namespace hild::numerics {
namespace {

constexpr std::array all{&forward_euler,
                         &ab2,
                         &ab3,
                         &ab4,
                         &am2,
                         &am3,
                         &am4,
                         &rtam2,
                         &rtam3,
                         &rtam4,
                         &p2pc3c3,
                         &p3pc3c3,
                         &heun,
                         &rtrk2,
                         &rtrk3,
                         &rtrk4,
                         &rk4,
                         &ode45,
                         &libe,
                         &backward_euler_1,
                         &backward_euler_2,
                         &backward_euler,
                         &backward_euler_5,
                         &linear_radau_iia,
                         &radau_iia};

template <const auto& List>
constexpr bool proven() {
  for (const Method* m : List) {
    if (!(m->implicit() ? stiff_conditions::hold(*m) : order_conditions::hold(*m))) return false;
  }
  return true;
}
static_assert(proven<all>(), "a tableau does not satisfy the conditions of its order");

}  // namespace

std::span<const Method* const> catalogue() noexcept { return all; }

const Method* find_method(std::string_view name) noexcept {
  for (const Method* m : all) {
    if (m->called(name)) return m;
  }
  return nullptr;
}

}  // namespace hild::numerics
