// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant that stands still, in words: no frame began, or its model does not answer, or never
/// will. Fed by whoever looks at the counters of the run now and then.
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <string>

#include "exec/overrun.hpp"
#include "exec/statistics.hpp"

namespace hild::record {

/// "no frame began for 4.1 s, and overrun.standstill allows 1 s". `ending` is how the process of
/// the model ended, where that is known.
[[nodiscard]] std::string why_it_stood(exec::Limit limit, Duration stood, Duration allowed,
                                       const std::string& ending);
/// The same of the last time it stood.
[[nodiscard]] std::string why_it_stood(const exec::Statistics& statistics, Duration allowed,
                                       const std::string& ending);
/// "gone", "silent", "standstill", "missed"
[[nodiscard]] std::string_view to_string(exec::Limit limit) noexcept;

class StandstillLog {
 public:
  /// How the process of the model ended; empty: not known.
  using Ending = std::function<std::string()>;

  /// `statistics` outlives the log.
  StandstillLog(std::shared_ptr<spdlog::logger> logger, const exec::Statistics& statistics,
                const exec::OverrunSettings& settings, Ending ending);

  /// Tells what is new; where a process has just ended it waits some looks for how.
  void look();
  /// The run is over: what is new is told as it is.
  void finish();

 private:
  void tell();

  std::shared_ptr<spdlog::logger> logger_;
  const exec::Statistics* statistics_;
  exec::OverrunSettings settings_;
  Ending ending_;
  std::int64_t seen_ = 0;  // times it stood still
  int waited_ = 0;         // looks, for how a process ended
  bool silent_ = false;    // as was told last
};

}  // namespace hild::record
