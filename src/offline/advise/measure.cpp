// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/measure.hpp"

#include <cstring>

#include "exec/frame_loop.hpp"
#include "hild/rt/ring.hpp"

namespace hild::advise {
namespace {

// A step's meters read the clock once a phase; its record is written into the ring.
plan::Spread time_record(const model::Stepper& plant, rt::Clock& clock) {
  const std::size_t bytes = exec::FrameLoop::layout(plant).bytes();
  rt::SlotRing ring(bytes, 2);
  const std::vector<std::byte> record(bytes);
  return plan::time_each(clock, 200, [&](int) {
    for (std::size_t i = 0; i < io::phase_count; ++i) [[maybe_unused]] const auto t = clock.now();
    if (std::byte* const slot = ring.claim()) {
      std::memcpy(slot, record.data(), bytes);
      ring.publish();
    }
    if (ring.front() != nullptr) ring.release();
  });
}

}  // namespace

std::unique_ptr<model::Stepper> plant_of(const plan::Assembly& assembly,
                                         const Candidate& candidate) {
  if (candidate.rates) return assembly.another_plant(*candidate.rates);
  return assembly.another_plant(candidate.method);
}

std::vector<plan::Measured> measure(std::span<const Job> jobs, io::Bus* bus, rt::Clock& clock,
                                    Duration frame) {
  std::vector<plan::Measured> all;
  if (jobs.empty()) return all;
  plan::Measured common = plan::rehearse(*jobs.front().plant, bus, clock, frame);
  const plan::Spread record = time_record(*jobs.front().plant, clock);
  common.median.outputs += record.median;
  common.p99.outputs += record.p99;
  for (const Job& job : jobs) {
    const plan::Spread pass = plan::time_passes(clock, *job.plant, job.step);
    all.push_back(common);
    all.back().median.pass = pass.median;
    all.back().p99.pass = pass.p99;
  }
  return all;
}

}  // namespace hild::advise
