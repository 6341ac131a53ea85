// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs that the plant stands still: no frame began, or its model does not answer, or never will.
/// Fed by whoever looks at the counters of the run now and then.
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <string>

#include "exec/overrun.hpp"
#include "exec/statistics.hpp"

namespace hild::record {

/// Why the plant stood still: "no frame began for 4.1 s, and overrun.standstill allows 1 s".
/// `ending` is how the process of the model ended, where that is known.
[[nodiscard]] std::string why_it_stood(exec::Limit limit, Duration stood, Duration allowed,
                                       const std::string& ending);
/// Likewise, for the last time it stood still.
[[nodiscard]] std::string why_it_stood(const exec::Statistics& statistics, Duration allowed,
                                       const std::string& ending);
/// "gone", "silent", "standstill", "missed"
[[nodiscard]] std::string_view to_string(exec::Limit limit) noexcept;

class StandstillLog {
 public:
  /// Returns how the process of the model ended; empty: not known.
  using Ending = std::function<std::string()>;

  /// `statistics` outlives the log.
  StandstillLog(std::shared_ptr<spdlog::logger> logger, const exec::Statistics& statistics,
                const exec::OverrunSettings& settings, Ending ending);

  /// Logs what is new; where a process has just ended it waits some looks to learn how.
  void look();
  /// To be called when the run is over: logs what is new with what is known.
  void finish();

 private:
  void tell();

  std::shared_ptr<spdlog::logger> logger_;
  const exec::Statistics* statistics_;
  exec::OverrunSettings settings_;
  Ending ending_;
  std::int64_t seen_ = 0;  // times it stood still
  int waited_ = 0;         // looks spent waiting to learn how a process ended
  bool silent_ = false;    // what was logged last
};

}  // namespace hild::record
