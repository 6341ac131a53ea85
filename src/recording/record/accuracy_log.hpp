// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs steps whose estimated error is larger than it may be: the first, then how many more, now
/// and then. Fed by whoever looks at the counters of the run now and then.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <vector>

#include "exec/settings.hpp"
#include "exec/statistics.hpp"

namespace hild::record {

class AccuracyLog {
 public:
  /// `statistics` outlives the log; `states` are the names of the model's states.
  AccuracyLog(std::shared_ptr<spdlog::logger> logger, const exec::Statistics& statistics,
              const exec::Accuracy& allowed, std::vector<std::string> states);

  /// Logs what is new: at once the first such step, later ones every `between`.
  void look(MonoTime now);
  /// To be called when the run is over: logs what was kept back.
  void finish();

  static constexpr Duration between = 10'000'000'000_ns;

 private:
  void tell();

  std::shared_ptr<spdlog::logger> logger_;
  const exec::Statistics* statistics_;
  exec::Accuracy allowed_;
  std::vector<std::string> states_;
  std::int64_t told_ = 0;  // steps
  MonoTime last_{};        // when they were
};

}  // namespace hild::record
