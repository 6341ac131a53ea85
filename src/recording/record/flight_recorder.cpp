// SPDX-License-Identifier: Apache-2.0
#include "recording/record/flight_recorder.hpp"

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
  if (steps_.size() == most_) steps_.pop_front();
  steps_.push_back({.step = h.step,
                    .frame = h.frame,
                    .lateness = h.lateness,
                    .length = h.deadline - h.due,
                    .phases = h.phases});
}

double FlightRecorder::utilisation() const noexcept {
  double work = 0;
  double length = 0;
  for (const StepTimes& s : steps_) {
    work += seconds(work_of(s.phases));
    length += seconds(s.length);
  }
  return length > 0 ? work / length : 0;
}

}  // namespace hild::record
