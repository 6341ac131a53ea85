// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whose a D/A image is. One process drives it, as one process drives the outputs of a card: it
/// holds a lock that the kernel gives back when the last process of the run, its guard included, is
/// gone. Who that is stands in the image, for the words of a refusal. Load time only.
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::sim {

/// The process that has an image, as it stands in it. No process: pid 0.
struct Owner {
  std::int32_t pid = 0;
  std::uint32_t user = 0;
  std::array<char, 1000> configuration{};  ///< its absolute path, ended by 0; cut at its start
};

[[nodiscard]] Owner this_process(std::string_view configuration);

/// The name of the image of a device that names none: of this user and of this configuration (a
/// path, which may be empty), so that nobody else comes upon it by accident.
[[nodiscard]] Name usual_image(std::string_view device, std::string_view configuration);

/// Locks the image open as `fd`, for as long as this open file is open anywhere. Waits a moment for
/// one whose process has died, since its guard is about to let go. `record`: where in the file its
/// Owner stands. Error: who has it, and what to do.
[[nodiscard]] Result<void> own(std::string_view name, int fd, std::size_t record);

/// The refusal of an image of another user: who that is, whether it is in use, what to do.
[[nodiscard]] tl::unexpected<Error> of_another_user(std::string_view name,
                                                    const struct stat& status);

}  // namespace hild::sim
