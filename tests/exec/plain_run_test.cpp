// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run that has nothing of what most runs have not takes a shorter way through a frame
/// (FrameLoop::plain), which must not be seen.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

/// All records of a run that is late now and then, whose images are late always, and that is
/// steered from outside; byte for byte.
std::vector<std::byte> records_of_run(const numerics::Method& method, exec::Sampling sampling,
                                      std::vector<exec::Interlock> interlocks, Duration& latest) {
  rt::VirtualClock clock;
  exec::ExternalEvents events;
  FakeSampler sampler(clock, {[](double t) { return std::sin(40 * t); }});
  sampler.origin = Rig::start;
  sampler.cost = 20_us;
  sampler.image_after = 7_us;
  sampler.on_call = [&](int call) {
    if (call % 17 == 0) clock.advance(call % 34 == 0 ? 2'300_us : 950_us);
    if (call != 60) return;
    const exec::Override stuck{exec::Side::input, 0, exec::OverrideKind::stuck, 0.25, 0, 20};
    EXPECT_EQ(events.submit(transaction(1, stuck)), exec::Refusal::none);
  };
  const auto plant = model::make_stepper<Tracker>(method);
  exec::Settings settings;
  settings.sampling = sampling;
  settings.overrun.consecutive.reset();
  settings.overrun.limit_percent.reset();
  const io::FrameLayout layout = exec::FrameLoop::layout(*plant);
  rt::SlotRing ring(layout.bytes(), 256);
  exec::FrameLoop loop(
      settings,
      {clock, sampler, *plant, plain_inputs(1), {0.0}, &events, &ring, std::move(interlocks)});
  const rt::Flag stop;
  EXPECT_EQ(loop.run(Rig::start, 200, stop).end, exec::End::duration);
  std::vector<std::byte> all;
  while (const std::byte* slot = ring.front()) {
    latest = std::max(latest, io::FrameView(layout, slot).header().lateness);
    all.insert(all.end(), slot, slot + layout.bytes());
    ring.release();
  }
  return all;
}

// With an interlock that never trips it is no plain one.
TEST(PlainRun, IsAsAnyOtherToTheByte) {
  for (const numerics::Method* method : {&numerics::rtam2, &numerics::rtrk2}) {
    for (const auto sampling : {exec::Sampling::frame, exec::Sampling::stage}) {
      Duration latest{};
      const auto without = records_of_run(*method, sampling, {}, latest);
      EXPECT_GT(latest, 1_ms);
      EXPECT_GT(without.size(), 100 * sizeof(io::FrameHeader));
      EXPECT_EQ(without, records_of_run(*method, sampling, {{exec::Interlock::Of::input, 0, -9, 9}},
                                        latest));
    }
  }
}

}  // namespace
}  // namespace hild::testing
