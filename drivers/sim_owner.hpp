// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ownership of a D/A image. One process drives it, as one process drives the outputs of a
/// card: it holds a lock that the kernel releases when the last process of the run, its guard
/// included, is gone. The image names its owner, for messages to others who are refused. Load time
/// only.
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::sim {

/// The process that owns an image, as the image stores it. pid 0: there is none.
struct Owner {
  std::int32_t pid = 0;
  std::uint32_t user = 0;
  std::array<char, 1000> configuration{};  ///< its absolute path, ended by 0; cut at its start
};

[[nodiscard]] Owner this_process(std::string_view configuration);

/// The default name of the image of a device that gives none. It depends on this user and this
/// configuration (a path, which may be empty), so that nobody else uses it by accident.
[[nodiscard]] Name usual_image(std::string_view device, std::string_view configuration);

/// Locks the image open as `fd`, for as long as this open file is open in any process. Waits a
/// moment if the owner has died, since its guard is about to release it. `record` is the offset of
/// the Owner in the file. Error: who has it, and what to do.
[[nodiscard]] Result<void> own(std::string_view name, int fd, std::size_t record);

/// The error for an image of another user: who that is, whether it is in use, what to do.
[[nodiscard]] tl::unexpected<Error> of_another_user(std::string_view name,
                                                    const struct stat& status);

}  // namespace hild::sim
