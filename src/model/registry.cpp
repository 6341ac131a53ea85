// SPDX-License-Identifier: Apache-2.0
#include "hild/model/registry.hpp"

#include <algorithm>
#include <vector>

namespace hild::model {
namespace {

std::vector<const Registration*>& all() {
  static std::vector<const Registration*> registrations;
  return registrations;
}

}  // namespace

std::span<const Registration* const> models() { return all(); }

const Registration* find_model(std::string_view name) {
  const auto found =
      std::ranges::find(all(), name, [](const Registration* r) { return r->description.name; });
  return found == all().end() ? nullptr : *found;
}

bool register_model(const Registration& registration) {
  // Sorted, so that lists do not depend on the order of linking.
  const auto place =
      std::ranges::lower_bound(all(), registration.description.name, {},
                               [](const Registration* r) { return r->description.name; });
  all().insert(place, &registration);
  return true;
}

}  // namespace hild::model
