// SPDX-License-Identifier: Apache-2.0
/// \file
/// The message of a keyframe (exec/keyframe.hpp).
#pragma once

#include <optional>

#include "exec/keyframe.hpp"
#include "recording/framelog/description.hpp"
#include "recording/framelog/proto.hpp"

namespace hild::framelog {

[[nodiscard]] proto::File keyframe_file();
/// Writes the message into `to`, replacing its content. Its log time is that of the tick.
void write_keyframe(const exec::KeyframeView& keyframe, std::string& to);
/// Reads the message; nothing where the bytes are not one. What is in the state is not looked at.
[[nodiscard]] std::optional<exec::Keyframe> read_keyframe(std::span<const std::byte> message,
                                                          std::uint64_t log_time,
                                                          const ClockBase& clock);

}  // namespace hild::framelog
