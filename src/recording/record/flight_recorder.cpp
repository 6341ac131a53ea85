// SPDX-License-Identifier: Apache-2.0
#include "recording/record/flight_recorder.hpp"

#include <algorithm>

namespace hild::record {

Duration work_of(const std::array<Duration, io::phase_count>& phases) noexcept {
  Duration work{};
  for (const io::Phase p : {io::Phase::device, io::Phase::commit, io::Phase::passes,
                            io::Phase::events, io::Phase::outputs}) {
    work += phases[static_cast<std::size_t>(p)];
  }
  return work;
}

void FlightRecorder::note(const io::FrameHeader& h) {
  if (h.frozen) return;
  steps_[noted_++ % steps_.size()] = {.step = h.step,
                                      .frame = h.frame,
                                      .lateness = h.lateness,
                                      .length = h.deadline - h.due,
                                      .phases = h.phases};
}

std::vector<StepTimes> FlightRecorder::steps() const {
  const std::size_t n = std::min(noted_, steps_.size());
  std::vector<StepTimes> all;
  all.reserve(n);
  for (std::size_t i = noted_ - n; i < noted_; ++i) all.push_back(steps_[i % steps_.size()]);
  return all;
}

double FlightRecorder::utilisation() const noexcept {
  const std::size_t n = std::min(noted_, steps_.size());
  double work = 0;
  double length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    work += seconds(work_of(steps_[i].phases));
    length += seconds(steps_[i].length);
  }
  return length > 0 ? work / length : 0;
}

}  // namespace hild::record
