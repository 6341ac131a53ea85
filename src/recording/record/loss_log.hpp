// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inputs that are lost, in words: a line when one is, a line when it is back, and no more lines
/// than a person can bear. Fed by whoever looks at the loop now and then, and not by the records.
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/lost_inputs.hpp"
#include "recording/record/rate_limit.hpp"

namespace hild::record {

/// An input of a run, for its words.
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
  /// What is lost at present: LostInputs::at_present.
  using Look = std::function<std::vector<exec::LostInputs::Lost>()>;

  /// `inputs` are those of the run, in their order.
  LossLog(std::shared_ptr<spdlog::logger> logger, std::vector<LosableInput> inputs, Look lost);

  /// Tells what is new.
  void look(MonoTime now);
  /// The run is over: what was kept back is told.
  void finish(MonoTime now);

  static constexpr int lines_per_second = 4;

 private:
  void tell(MonoTime now, std::size_t input, std::int64_t since);
  void sum_up(MonoTime now);

  std::shared_ptr<spdlog::logger> logger_;
  std::vector<LosableInput> inputs_;
  Look lost_;
  RateLimit limit_{lines_per_second};
  std::vector<std::int64_t> since_;  // of each: the frame that was seen, -1 while it is there
  std::int64_t kept_back_ = 0;       // lines
};

}  // namespace hild::record
