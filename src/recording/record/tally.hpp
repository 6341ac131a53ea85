// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counts what a log has not written, to sum it up in one line.
#pragma once

#include <array>
#include <string>

#include "hild/io/frame_record.hpp"

namespace hild::record {

struct Tally {
  std::int64_t overruns = 0;
  std::array<std::int64_t, io::cause_count> by_cause{};
  Duration worst{};
  std::int64_t late_wakes = 0;
  std::int64_t slips = 0;
  std::int64_t capped = 0;      ///< steps that reached a cap
  std::int64_t recoveries = 0;  ///< times the run was in step again after doubled steps

  void overrun(const io::FrameHeader& h) noexcept;
  [[nodiscard]] bool empty() const noexcept {
    return overruns == 0 && late_wakes == 0 && slips == 0 && capped == 0 && recoveries == 0;
  }
  /// "and 312 more overruns in 1.0 s: device 300, pass 12; worst +214 us"
  [[nodiscard]] std::string line(Duration within) const;
};

}  // namespace hild::record
