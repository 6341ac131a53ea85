// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hild/io/device.hpp"

namespace hild::io {
namespace {

std::vector<const Driver*>& all() {
  static std::vector<const Driver*> registered;
  return registered;
}

}  // namespace

std::span<const Driver* const> drivers() { return all(); }

const Driver* find_driver(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &Driver::name);
  return found == all().end() ? nullptr : *found;
}

bool register_driver(const Driver& driver) {
  // Sorted, so that lists do not depend on the order of linking.
  all().insert(std::ranges::lower_bound(all(), driver.name, {}, &Driver::name), &driver);
  return true;
}

}  // namespace hild::io
