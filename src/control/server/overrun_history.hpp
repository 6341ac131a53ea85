// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the newest overruns of a run with their causes. Filled on the recorder's thread, read on
/// any.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "recording/record/flight_recorder.hpp"
#include "recording/record/sink.hpp"

namespace hild::server {

class OverrunHistory final : public record::Sink {
 public:
  static constexpr std::size_t kept = 1000;
  static constexpr std::size_t steps_before = 16;  ///< steps kept before each overrun

  struct Overrun {
    io::FrameHeader header;
    int next_span = 0;  ///< frames the step after it covers; 0: not known
    double utilisation_before = 0;
    std::vector<record::StepTimes> before{};  ///< the steps before it, the oldest first
  };

  void frame(const io::FrameView& record) override;

  /// The newest `last` of the overruns at step `since_step` or later; oldest first.
  [[nodiscard]] std::vector<Overrun> newest(std::size_t last, std::int64_t since_step) const;
  /// How many were seen so far. The loop may have counted more, whose records are still under way.
  [[nodiscard]] std::int64_t seen() const;

 private:
  void keep(const io::FrameHeader& h, bool late);

  mutable std::mutex mutex_;
  std::deque<Overrun> overruns_;
  record::FlightRecorder flight_{steps_before};
  std::int64_t seen_ = 0;
  bool open_ = false;  // the span of the step after the newest overrun is not known yet
};

}  // namespace hild::server
