// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs lost inputs: a line when one is lost, a line when it is back, and no more lines than a
/// person can read. Fed by whoever looks at the loop now and then, not by the records.
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/lost_inputs.hpp"
#include "recording/record/log_lines.hpp"

namespace hild::record {

/// What the log says of an input of the run.
struct LosableInput {
  std::string name;
  std::string device;
  std::string unit;
  io::LossRule rule;
};

/// "input `u` of device daq: its newest image is 3.200 ms old, more than max_latency 2.000 ms"
[[nodiscard]] std::string why_lost(const LosableInput& input, Duration age);

class LossLog {
 public:
  /// Returns what is lost at present: LostInputs::at_present.
  using Look = std::function<std::vector<exec::LostInputs::Lost>()>;

  /// `inputs` are those of the run, in their order.
  LossLog(std::shared_ptr<spdlog::logger> logger, std::vector<LosableInput> inputs, Look lost);

  /// Logs what is new.
  void look(MonoTime now);
  /// To be called when the run is over: logs what was kept back.
  void finish(MonoTime now);

  static constexpr int lines_per_second = 4;

 private:
  void tell(MonoTime now, std::size_t input, std::int64_t since);
  void sum_up(MonoTime now);

  std::shared_ptr<spdlog::logger> logger_;
  std::vector<LosableInput> inputs_;
  Look lost_;
  RateLimit limit_{lines_per_second};
  // for each input, the frame since which it was lost at the last look; -1: it is not
  std::vector<std::int64_t> since_;
};

}  // namespace hild::record
