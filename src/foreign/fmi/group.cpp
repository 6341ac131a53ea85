// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/instance.hpp"

namespace hild::fmi {

void Group::add(ValueReference ref, std::size_t first_place, std::size_t count) {
  refs.push_back(ref);
  for (std::size_t i = 0; i < count; ++i) places.push_back(first_place + i);
  values.resize(places.size());
  raw.resize(places.size());
}

}  // namespace hild::fmi
