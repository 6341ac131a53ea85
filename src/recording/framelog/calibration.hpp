// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the converters of a run were calibrated, kept in its log: the file itself with its date.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hild/core/result.hpp"
#include "recording/mcap/format.hpp"

namespace hild::framelog {

inline constexpr std::string_view calibration_prefix = "calibration/";

/// The attachment `calibration/<device>`: the file's text, created when the file was last changed.
/// Error: the file cannot be read.
[[nodiscard]] Result<mcap::Attachment> calibration_of(std::string_view device,
                                                      const std::filesystem::path& file,
                                                      std::uint64_t log_time);

/// The device that an attachment tells of; empty for other attachments.
[[nodiscard]] std::string_view calibrated_device(const mcap::Attachment& attachment) noexcept;

}  // namespace hild::framelog
