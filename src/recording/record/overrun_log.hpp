// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs overruns, late wakes, slips, recoveries and the freeze, each in one line, and no more lines
/// a second than a person can read and a disk can take.
#pragma once

#include <spdlog/logger.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/record/flight_recorder.hpp"
#include "recording/record/log_lines.hpp"
#include "recording/record/sink.hpp"

namespace hild::record {

struct OverrunLogOptions {
  int lines_per_second = 10;          ///< including those that sum up the rest
  Duration late_wake = 100'000_ns;    ///< as in the settings of the run
  std::string devices{};              ///< names of the devices
  bool evidence = false;              ///< the configuration asks for evidence of the kernel
  std::vector<std::string> models{};  ///< names of several models; empty: there is one
};

/// Counts what the log has not written, to sum it up in one line.
struct Tally {
  std::int64_t overruns = 0;
  std::array<std::int64_t, io::cause_count> by_cause{};
  Duration worst{};
  std::int64_t late_wakes = 0;
  std::int64_t slips = 0;
  std::int64_t capped = 0;      ///< steps that reached a cap
  std::int64_t recoveries = 0;  ///< times the run was in step again after doubled steps

  void overrun(const io::FrameHeader& h) noexcept;
  /// "and 312 more overruns in 1.0 s: device 300, pass 12; worst +214 us"
  [[nodiscard]] std::string line(Duration within) const;
};

class OverrunLog final : public Sink {
 public:
  explicit OverrunLog(std::shared_ptr<spdlog::logger> logger, OverrunLogOptions options = {});

  void frame(const io::FrameView& record) override;
  void flush() override;

 private:
  void sum_up(MonoTime now);
  /// Whether there may be one more line; else it is counted.
  [[nodiscard]] bool admit(MonoTime now, std::int64_t& kept_back, std::int64_t count = 1);
  void tell(spdlog::level::level_enum level, std::string_view event, const io::FrameHeader& h,
            std::string_view line, std::vector<LogField> more = {});
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
  // the step before: its line waits for the span of the next
  std::optional<io::FrameHeader> before_;
  double used_before_ = 0;  // utilisation before it
  FlightRecorder flight_{100};
  std::int64_t doubled_ = 0;  // doubled steps since the run was last in step
};

}  // namespace hild::record
