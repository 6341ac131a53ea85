// SPDX-License-Identifier: Apache-2.0
/// \file
/// Describes records in short sentences for logs and reports.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hild/io/frame_record.hpp"

namespace hild::record {

[[nodiscard]] std::string in_words(io::Cause cause);  ///< "late wake"
/// "214 us", from 10 ms "12.3 ms", from 10 s "12.3 s".
[[nodiscard]] std::string in_words(Duration d);
/// A unit as it stands behind a number: " rad/s"; nothing for "1".
[[nodiscard]] std::string behind_number(std::string_view unit);
/// "1 overrun", "2 overruns".
[[nodiscard]] std::string counted(std::int64_t n, std::string_view one);

/// Whether the step was an overrun. A frozen frame does no work that could be late.
[[nodiscard]] inline bool is_overrun(const io::FrameHeader& h) noexcept {
  return h.lateness.ns > 0 && !h.frozen;
}

[[nodiscard]] inline Duration time_of(const io::FrameHeader& h, io::Phase phase) noexcept {
  return h.phases[static_cast<std::size_t>(phase)];
}

/// What else a line about an overrun can tell.
struct Circumstances {
  std::string_view devices{};  ///< names of the devices; empty: not known
  double utilisation = 0;      ///< of the steps before; 0: not known
  bool evidence = false;       ///< evidence of the kernel was asked for: no hint how to get it
  std::span<const std::string> models{};  ///< names of several models; empty: not known
};

/// The hint given where a cause is unknown.
inline constexpr std::string_view learn_more =
    "`--set overrun.evidence=true` has the kernel tell what it did";

/// The line about an overrun: "frame 48211: +214 us late, cause device (device daq 198 us, passes
/// 12 us, wake 3 us); next step covers 2 frames; utilisation before 31.0 %". The next step is
/// mentioned only where `next_span` says so (0: not known). A late wake says whether it was at a
/// release within the step, a worker which of several models it ran; an unknown cause how to learn
/// more.
[[nodiscard]] std::string overrun_line(const io::FrameHeader& late, int next_span,
                                       const Circumstances& circumstances = {});

/// The line about a late wake: "frame 512: woke 340 us late, in time all the same", or "late for a
/// release" within the step.
[[nodiscard]] std::string late_wake_line(const io::FrameHeader& h, Duration late_wake);

/// The line about all caps that the step reached: "frame 512: update discrete states: an event the
/// model was not done with; gone on without"; of several `models` it says which.
[[nodiscard]] std::string cap_line(const io::FrameHeader& h,
                                   std::span<const std::string> models = {});
/// Those of several models that reached a cap in the step: "pump, valve".
[[nodiscard]] std::string cappers(const io::FrameHeader& h, std::span<const std::string> models);
/// Whether a step reached a cap.
[[nodiscard]] inline bool reached(const io::FrameHeader& h, io::Cap cap) noexcept {
  return (h.capped >> static_cast<unsigned>(cap) & 1U) != 0;
}

/// Frames given up between two records that follow each other.
[[nodiscard]] std::int64_t frames_given_up(const io::FrameHeader& before,
                                           const io::FrameHeader& h) noexcept;

}  // namespace hild::record
