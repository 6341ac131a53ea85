// SPDX-License-Identifier: Apache-2.0
/// \file
/// Overruns, late wakes, slips, recoveries and the freeze, each in one line of words, and no more
/// lines a second than a person and a disk can bear.
#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/record/flight_recorder.hpp"
#include "recording/record/rate_limit.hpp"
#include "recording/record/sink.hpp"
#include "recording/record/tally.hpp"

namespace hild::record {

struct OverrunLogOptions {
  int lines_per_second = 10;          ///< those that sum up the rest included
  Duration late_wake = 100'000_ns;    ///< as in the settings of the run
  std::string devices{};              ///< their names
  bool evidence = false;              ///< was asked for
  std::vector<std::string> models{};  ///< of several their names, else none
};

class OverrunLog final : public Sink {
 public:
  explicit OverrunLog(std::shared_ptr<spdlog::logger> logger, OverrunLogOptions options = {});

  void frame(const io::FrameView& record) override;
  void flush() override;

 private:
  void sum_up(MonoTime now);
  void tell_overrun(const io::FrameHeader& late, int next_span, MonoTime now);
  void tell_slip(const io::FrameHeader& h);
  void tell_recovery(const io::FrameHeader& h);
  void tell_caps(const io::FrameHeader& h);
  void tell_late_wake(const io::FrameHeader& h);
  void tell_freeze(const io::FrameHeader& h);

  std::shared_ptr<spdlog::logger> logger_;
  OverrunLogOptions options_;
  RateLimit limit_;
  Tally kept_back_;
  std::optional<io::FrameHeader> before_;  // its line waits for the span of the step after it
  double used_before_ = 0;                 // utilisation before it
  FlightRecorder flight_{100};
  std::int64_t doubled_ = 0;  // steps, since the run was last in step
};

}  // namespace hild::record
