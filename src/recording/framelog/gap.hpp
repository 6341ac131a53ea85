// SPDX-License-Identifier: Apache-2.0
/// \file
/// A gap: steps that are not in a log, and the message that says so.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "recording/framelog/proto.hpp"

namespace hild::framelog {

struct Gap {
  enum class Reason : std::uint8_t {
    ring,     ///< dropped: the recorder fell behind the run
    disk,     ///< lost: they could not be written
    trigger,  ///< left out: the trigger did not ask for them
  };
  std::int64_t first = 0;  ///< the first step missing
  std::int64_t last = 0;
  Reason reason = Reason::ring;
  bool operator==(const Gap&) const = default;
};
[[nodiscard]] std::string_view to_string(Gap::Reason reason) noexcept;

[[nodiscard]] proto::File gap_file();
/// Writes the message into `to`, replacing its content.
void write_gap(const Gap& gap, std::string& to);
/// Reads the message; nothing where the bytes are not one.
[[nodiscard]] std::optional<Gap> read_gap(std::span<const std::byte> message);

}  // namespace hild::framelog
