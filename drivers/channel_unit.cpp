// SPDX-License-Identifier: Apache-2.0
#include "drivers/channel_unit.hpp"

#include <fmt/format.h>

#include "hild/core/units.hpp"

namespace hild {

Name read_channel_unit(io::Options& entry) {
  const std::string_view unit = entry.text("unit", "1");
  const auto known = unit_conversion(unit, unit);
  if (!known) entry.reject("unit", known.error().message);
  if (unit.size() > Name::capacity) {
    entry.reject("unit",
                 fmt::format("found \"{}\", expected at most {} characters", unit, Name::capacity));
  }
  return unit;
}

}  // namespace hild
