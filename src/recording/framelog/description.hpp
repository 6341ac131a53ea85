// SPDX-License-Identifier: Apache-2.0
/// \file
/// The description of the run that a log was made of: all that is needed to judge it later, or to
/// run it again.
#pragma once

#include <optional>

#include "config/write_yaml.hpp"
#include "hild/core/grid.hpp"
#include "hild/core/time.hpp"
#include "hild/io/frame_record.hpp"
#include "recording/framelog/branch.hpp"
#include "recording/framelog/format.hpp"
#include "recording/framelog/image_rules.hpp"
#include "recording/mcap/format.hpp"

namespace hild::framelog {

/// Relates the clocks of a run: the same instant on the monotonic clock and in real time, of which
/// log times are; and the grid of the frames.
struct ClockBase {
  MonoTime monotonic{};
  std::int64_t realtime_ns = 0;  ///< since 1970 UTC
  Grid grid{1'000'000, 1};       ///< of simulated time: when its frames start
  /// How far CLOCK_TAI was ahead of the monotonic clock; none: it is not known.
  std::optional<Duration> tai_ahead{};

  [[nodiscard]] SimTime t_of(std::int64_t frame) const noexcept {
    return SimTime{} + grid.tick(frame);
  }
  /// The end of a step, by the grid of simulated time. The grid of the clock may have moved against
  /// it, and its frames may be a nanosecond longer or shorter.
  [[nodiscard]] SimTime end_of(const io::FrameHeader& h) const noexcept {
    return h.t + (grid.tick(h.frame + h.span) - grid.tick(h.frame));
  }

  [[nodiscard]] std::uint64_t log_time(MonoTime t) const noexcept {
    const std::int64_t ns = realtime_ns + (t - monotonic).ns;
    return ns > 0 ? static_cast<std::uint64_t>(ns) : 0;
  }
  /// The inverse of log_time().
  [[nodiscard]] MonoTime monotonic_of(std::uint64_t log_time) const noexcept;
};

/// The entry of Description::run of a log that does not begin with the run.
inline constexpr std::string_view run_begins = "begins";
inline constexpr std::string_view begins_mid_run = "mid-run";

struct Description {
  std::string program;  ///< "hild 0.3.0"
  mcap::Map run;        ///< model, method, sampling, rate_hz, period_ns, ...
  mcap::Map build;      ///< version, compiler, flags, binary
  mcap::Map machine;    ///< cpu, cpu_class, kernel
  mcap::Map models;     ///< file_fingerprint() of each model that came from a file
  ClockBase clock;
  Signals signals;
  ImageRules images{};
  std::string config;                       ///< the resolved configuration, as YAML
  std::vector<config::SourceText> sources;  ///< the texts it was read from
  /// What else belongs to the run: calibrations, what the machine offered.
  std::vector<mcap::Attachment> attachments;
  std::optional<Branch> branch{};  ///< what it branches off; none: it is a run from its start
};

/// How this program was built; `version` is its own.
[[nodiscard]] mcap::Map this_build(std::string_view version);
/// The machine this program runs on. The same bits are to be expected of the same binary on CPUs of
/// the same `cpu_class`: they run the same code, that of the mathematical library included.
[[nodiscard]] mcap::Map this_machine();

/// "SIZE bytes, CRC-32 HEX" of a file; for one that cannot be read, why.
[[nodiscard]] std::string file_fingerprint(const std::string& path);

/// Convert the description into the records a log begins with, and back.
[[nodiscard]] std::vector<mcap::Metadata> metadata_of(const Description& description);
[[nodiscard]] std::vector<mcap::Attachment> attachments_of(const Description& description);
void take(const mcap::Metadata& metadata, Description& description);
void take(const mcap::Attachment& attachment, Description& description);

/// The value of a key; empty where there is none.
[[nodiscard]] std::string_view value_of(const mcap::Map& map, std::string_view key);
/// The entries of a value that is a list, "motor, arm".
[[nodiscard]] std::vector<std::string> listed(std::string_view value);

}  // namespace hild::framelog
