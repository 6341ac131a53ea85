// SPDX-License-Identifier: Apache-2.0
/// \file
/// The D/A image: the voltages the output lines hold, in POSIX shared memory, so that they outlive
/// the process as those of real hardware do. One process owns an image and sets it; other processes
/// of the same user may read it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/rt/seqlock.hpp"

namespace hild::sim {

class SimImage {
 public:
  SimImage() = default;
  SimImage(const SimImage&) = delete;
  SimImage& operator=(const SimImage&) = delete;
  ~SimImage();

  /// Finds or makes /dev/shm/NAME, and owns it (sim_owner.hpp) until this object and its copies in
  /// forked processes are gone. `configuration` is the path of the owner's configuration, for
  /// messages to others who are refused. It then has `channels` at least: one that had fewer grows,
  /// one that had more keeps them. Error: another process has it, it cannot be made, it belongs to
  /// another user, or something else has that name.
  [[nodiscard]] Result<void> open(std::string_view name, std::string_view configuration,
                                  std::size_t channels);
  /// Opens /dev/shm/NAME for reading, whoever owns it, with the channels it has now; write() then
  /// does nothing. If there is none, opens a private one with `channels`. Error: it belongs to
  /// another user, or is something else.
  [[nodiscard]] Result<void> look(std::string_view name, std::size_t channels);
  /// Opens an image that no other process sees.
  [[nodiscard]] Result<void> open_private(std::size_t channels);

  /// Sets the voltages of the first channels; the others keep theirs. One thread at a time.
  /// Real-time safe.
  void write(std::span<const double> voltages) noexcept;
  /// Reads a consistent image of the first channels; what the image has not is left as it is. False
  /// when none could be read. Real-time safe.
  [[nodiscard]] bool read(std::span<double> voltages) const noexcept;
  /// The channels it has.
  [[nodiscard]] std::size_t channels() const noexcept { return lock_->size(); }

 private:
  struct Head;
  friend Result<std::vector<double>> read_sim_image(std::string_view name);
  [[nodiscard]] Result<void> look_at(std::string_view name, int fd);
  [[nodiscard]] Result<void> map(std::string_view name, int fd, std::size_t channels);
  void unmap() noexcept;

  Head* head_ = nullptr;  // the mapping keeps the file open, and so its lock
  std::optional<rt::SeqlockView> lock_;
  bool writable_ = false;
};

/// The voltages kept under a name, by D/A channel; for tests and tools that only read.
[[nodiscard]] Result<std::vector<double>> read_sim_image(std::string_view name);

}  // namespace hild::sim
