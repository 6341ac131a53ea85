// SPDX-License-Identifier: Apache-2.0
/// \file
/// The calibration files of a run's converters, which its log keeps with their dates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hild/core/result.hpp"
#include "recording/mcap/format.hpp"

namespace hild::framelog {

inline constexpr std::string_view calibration_prefix = "calibration/";

/// Makes the attachment `calibration/<device>`: the file's text, created when the file was last
/// changed. Error: the file cannot be read.
[[nodiscard]] Result<mcap::Attachment> calibration_of(std::string_view device,
                                                      const std::filesystem::path& file,
                                                      std::uint64_t log_time);

/// The device whose calibration an attachment is; empty for other attachments.
[[nodiscard]] std::string_view calibrated_device(const mcap::Attachment& attachment) noexcept;

}  // namespace hild::framelog
