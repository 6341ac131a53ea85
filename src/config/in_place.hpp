// SPDX-License-Identifier: Apache-2.0
/// \file
/// Simulated channels in the place of those of another driver: `--set devices.daq.driver=sim`. That
/// driver still reads its own keys and says what each channel is, and opens nothing; the simulated
/// device then has a channel like it. So the configuration, its limits and what is recorded stay as
/// they are. Load time only.
#pragma once

#include "hild/io/device.hpp"

namespace hild::config {

/// The key that names the driver whose place is taken.
inline constexpr const char* in_place_key = "in_place_of";

/// Adds a channel to the driver whose place is taken, `original`, and one like it to the simulated
/// device `device`, which it is the `number`th of in this direction, from 0. Beside the driver's
/// keys the entry may have those of the simulated channel: `source`, `noise` and others, in the
/// unit of the channel.
[[nodiscard]] Result<io::Channel> add_in_place(io::Device& original, io::Device& device,
                                               io::Direction direction, io::Options& entry,
                                               std::size_t number);

}  // namespace hild::config
