// SPDX-License-Identifier: Apache-2.0
/// \file
/// The D/A image: the voltages the output lines hold, in POSIX shared memory, so that they outlive
/// the process as those of real hardware do. One process owns an image and sets it, others of its
/// user may look at it.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::sim {

/// D/A and A/D channels a simulated device has.
inline constexpr int image_channels = 64;

class SimImage {
 public:
  SimImage() = default;
  SimImage(const SimImage&) = delete;
  SimImage& operator=(const SimImage&) = delete;
  ~SimImage();

  /// Finds or makes /dev/shm/NAME, and owns it (sim_owner.hpp) until this object and its copies in
  /// forked processes are gone. `configuration`: the path of the owner's, for who is refused.
  /// Error: another process has it, it cannot be made, it is another user's, or something else is
  /// kept under that name.
  [[nodiscard]] Result<void> open(std::string_view name, std::string_view configuration);
  /// Looks at /dev/shm/NAME, whoever owns it; write() does nothing. Where there is none: a private
  /// one. Error: it is another user's, or something else.
  [[nodiscard]] Result<void> look(std::string_view name);
  /// One that no other process sees.
  [[nodiscard]] Result<void> open_private();

  /// The voltages of the first channels; the others keep theirs. One thread at a time. Real-time
  /// safe.
  void write(std::span<const double> voltages) noexcept;
  /// A whole image of the first channels, or false when none came. Real-time safe.
  [[nodiscard]] bool read(std::span<double> voltages) const noexcept;

 private:
  struct Layout;
  friend Result<std::vector<double>> read_sim_image(std::string_view name);
  [[nodiscard]] Result<void> look(std::string_view name, int fd);

  Layout* shared_ = nullptr;  // the mapping keeps the file open, and so its lock
  bool writable_ = false;
};

/// The voltages kept under a name, by D/A channel; for tests and tools that only look.
[[nodiscard]] Result<std::vector<double>> read_sim_image(std::string_view name);

}  // namespace hild::sim
