// SPDX-License-Identifier: Apache-2.0
/// \file
/// What can be made wrong with a device while it runs, so that it is seen what the rest makes of
/// it: a message that does not come, a bus that is off. Wrong signals are not among it: any input
/// or output can be falsified, whatever its device.
#pragma once

#include <string_view>

#include "hild/io/options.hpp"

namespace hild::io {

/// One of them, as the driver has it.
struct DeviceFault {
  std::string_view name;    ///< of what and how: "Command.missing"; lives as long as its owner
  std::string_view help;    ///< what is wrong then, a phrase
  std::string_view unit{};  ///< of its value; empty: it has none, and is there or not
  Interval allowed{0, 0};   ///< its values
};

}  // namespace hild::io
