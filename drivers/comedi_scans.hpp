// SPDX-License-Identifier: Apache-2.0
/// \file
/// Analog inputs that a card samples by its own clock: a Comedi command that goes on until the run
/// ends. Each scan has all of these inputs; the kernel keeps them until they are read. The order of
/// the samples is that of the lines.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "drivers/comedi_lines.hpp"
#include "drivers/comedi_scan_times.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/clock.hpp"

namespace hild::comedi {

/// As asked for.
struct CommandSettings {
  Duration period;                  ///< from scan to scan
  std::optional<Duration> convert;  ///< from channel to channel within one; else as the card has it
  std::int64_t scans = 64;          ///< the most that are read by a device call
};

/// Reads `command: {rate: 1 kHz}` or `{period: 1 ms, convert: 5 us, scans: 64}` of the device,
/// where there is one.
[[nodiscard]] std::optional<CommandSettings> read_command(io::Options& device);

/// What became of scans. Written by the thread that exchanges, read by any.
struct ScanCounts {
  rt::Counter scans{};
  rt::Counter skipped{};
  rt::Counter full{};

  /// All of them in words; they live as long as these counts.
  [[nodiscard]] std::array<io::DeviceCounter, 3> all() const noexcept {
    return {{{"scans", "Scans that were read.", &scans},
             {"skipped", "Scans of which a newer one was read at once, and which were not taken.",
              &skipped},
             {"full", "Device calls that read as many scans as they may: more may have waited.",
              &full, true}}};
  }
};

class Scans {
 public:
  Scans() = default;
  /// Makes the command and has the card look at it, which starts nothing. The error says what the
  /// card cannot do, or what it would do instead.
  [[nodiscard]] static Result<Scans> prepare(comedi_t* card, const CommandSettings& settings,
                                             std::span<const Line> lines);

  /// Starts it; there is an image of `image` until the first scan. 0, or an errno.
  [[nodiscard]] int start(comedi_t* card, rt::Clock& clock, MonoTime image) noexcept;
  /// Ends it, where it was started.
  void stop(comedi_t* card) noexcept;
  [[nodiscard]] bool started() const noexcept { return started_; }

  enum class Read {
    image,     ///< there is a new one
    nothing,   ///< not since the last call
    ended,     ///< the card has ended the command
    overflow,  ///< the same, since the kernel had no room for a scan
    stopped,   ///< the same, for another error
    failed     ///< errno
  };
  /// Reads what there is, by one call that does not wait, and no more than there is room for.
  /// Real-time safe.
  [[nodiscard]] Read read(rt::Clock& clock, ScanCounts& counts) noexcept;
  /// After a read that found nothing more: waits until there is something, and no longer than
  /// `until`.
  void wait(rt::Clock& clock, MonoTime until) noexcept;
  /// The newest whole scan, and the middle of its conversions. Real-time safe.
  [[nodiscard]] std::span<const lsampl_t> samples() const noexcept { return samples_; }
  [[nodiscard]] MonoTime sampled() const noexcept { return sampled_; }
  /// When it was complete.
  [[nodiscard]] MonoTime complete() const noexcept { return times_.newest(); }
  /// How long after that middle a scan is complete.
  [[nodiscard]] Duration middle() const noexcept { return middle_; }

 private:
  [[nodiscard]] Read nothing_read(int error, MonoTime began, rt::Clock& clock) noexcept;
  void take(const std::byte* scan) noexcept;
  [[nodiscard]] std::size_t scan_bytes() const noexcept { return samples_.size() * sample_bytes_; }

  comedi_cmd command_{};
  std::vector<unsigned> channels_;
  std::vector<lsampl_t> samples_;
  std::size_t sample_bytes_ = sizeof(sampl_t);
  std::vector<std::byte> bytes_;  // as read: the beginning of a scan from before, then what is new
  std::size_t begun_ = 0;         // bytes of that
  std::size_t room_ = 0;          // bytes that one call reads
  std::size_t kept_ = 0;          // that were read since the kernel had none left
  bool emptied_ = true;           // the last call left it none
  std::size_t buffer_ = 0;        // bytes for which it has room
  int file_ = -1;
  bool started_ = false;
  Duration middle_{};  // of a scan, before its end
  ScanTimes times_;
  MonoTime sampled_{};
};

}  // namespace hild::comedi
