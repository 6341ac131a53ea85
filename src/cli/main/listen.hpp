// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild io --listen`: what comes over the wire of a device, message by message.
#pragma once

#include <optional>
#include <string_view>

#include "hild/rt/clock.hpp"
#include "io/bus.hpp"

namespace hild::commands {

struct ListenArguments {
  std::string_view device;   ///< its name
  std::optional<int> count;  ///< of messages after which it ends; none: when it is interrupted
  bool as_json = false;
};

/// Prints each message as it comes, until it is to end. The bus is not opened: it changes nothing,
/// whoever drives it. Throws an Error.
void listen(const io::Bus& bus, rt::Clock& clock, const ListenArguments& arguments);

}  // namespace hild::commands
