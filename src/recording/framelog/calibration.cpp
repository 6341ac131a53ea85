// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/calibration.hpp"

#include <sys/stat.h>

#include <utility>

#include "hild/core/whole_file.hpp"

namespace hild::framelog {

Result<mcap::Attachment> calibration_of(std::string_view device, const std::filesystem::path& file,
                                        std::uint64_t log_time) {
  struct stat info {};
  auto text = whole_file(file);
  if (!text || ::stat(file.c_str(), &info) != 0) {
    return fail("device {}: cannot read its calibration {}, to keep it in the log", device,
                file.c_str());
  }
  constexpr std::uint64_t second = 1'000'000'000;
  const auto changed = static_cast<std::uint64_t>(info.st_mtim.tv_sec) * second +
                       static_cast<std::uint64_t>(info.st_mtim.tv_nsec);
  return mcap::Attachment{log_time, changed, std::string(calibration_prefix) + std::string(device),
                          "text/plain", std::move(*text)};
}

std::string_view calibrated_device(const mcap::Attachment& attachment) noexcept {
  const std::string_view name = attachment.name;
  if (!name.starts_with(calibration_prefix)) return {};
  return name.substr(calibration_prefix.size());
}

}  // namespace hild::framelog
