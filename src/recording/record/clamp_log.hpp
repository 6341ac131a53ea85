// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs outputs that are cut to their limits: a line when it begins, a line when it is over, and no
/// more lines than a person can read. Fed by whoever looks at the counters of the run now and then,
/// not by the records, so that a stretch that lasts is logged while it lasts.
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/statistics.hpp"
#include "io/bus.hpp"
#include "recording/record/log_lines.hpp"

namespace hild::record {

class ClampLog {
 public:
  /// Returns what was cut so far: Bus::cut_outputs.
  using Cuts = std::function<std::vector<io::CutOutput>()>;

  /// `statistics` outlives the log; `names` and `units` are those of the model's outputs.
  ClampLog(std::shared_ptr<spdlog::logger> logger, const exec::Statistics& statistics, Cuts cuts,
           std::vector<std::string> names, std::vector<std::string> units);

  /// Logs what is new.
  void look(MonoTime now);
  /// To be called when the run is over: logs what was kept back.
  void finish(MonoTime now);

  static constexpr int lines_per_second = 4;

 private:
  void tell_begin();
  void tell_end();
  void sum_up(MonoTime now);
  [[nodiscard]] std::string newly_cut();

  std::shared_ptr<spdlog::logger> logger_;
  const exec::Statistics* statistics_;
  Cuts cuts_;
  std::vector<std::string> names_;
  std::vector<std::string> units_;
  RateLimit limit_{lines_per_second};
  std::int64_t stretches_ = 0;      // stretches seen
  std::int64_t frames_ = 0;         // clamped frames before the stretch logged last
  std::vector<std::int64_t> seen_;  // values cut, by output
  bool reported_ = false;           // the present stretch was logged
};

}  // namespace hild::record
