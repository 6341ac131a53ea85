// SPDX-License-Identifier: Apache-2.0
/// \file
/// Causes put right by evidence: what at least half of the lateness went into, else what the loop
/// found.
#include "recording/record/overrun_attribution.hpp"

#include <gtest/gtest.h>

#include "recording/record/overrun_log.hpp"
#include "recording/record/recorder.hpp"
#include "records.hpp"

namespace hild::record {
namespace {

using Kind = rt::ThreadEvent::Kind;

rt::ThreadEvents script(std::vector<rt::ThreadEvent> events) {
  return [events = std::move(events)](std::vector<rt::ThreadEvent>& into) mutable {
    into.insert(into.end(), events.begin(), events.end());
    events.clear();
  };
}

constexpr std::int64_t frame = 7;

/// Late by 200 us after work of 1197 us, by what the loop took for a long pass.
io::FrameHeader late_step(io::Cause cause = io::Cause::pass) {
  io::FrameHeader h = late(frame, 200_us, cause);
  h.slept = true;
  return h;
}
/// An event that far into the step.
rt::ThreadEvent event(Kind kind, Duration from, Duration length) {
  const MonoTime at = late_step().start + from;
  return {kind, at, at + length};
}
io::Cause found(std::vector<rt::ThreadEvent> events, const io::FrameHeader& h = late_step()) {
  OverrunAttribution attribution;
  attribution.begin(script(std::move(events)));
  return attribution.cause_of(h);
}

TEST(OverrunAttribution, APreemptionThatExplainsHalfOfIt) {
  EXPECT_EQ(found({event(Kind::preempted, 300_us, 100_us)}), io::Cause::preemption);
  EXPECT_EQ(found({event(Kind::preempted, 300_us, 99_us)}), io::Cause::pass);
}

TEST(OverrunAttribution, PageFaultsAddUp) {
  EXPECT_EQ(found({event(Kind::page_fault, 10_us, 60_us), event(Kind::page_fault, 500_us, 50_us)}),
            io::Cause::page_fault);
  EXPECT_EQ(found({event(Kind::page_fault, 10_us, 60_us)}), io::Cause::pass);
}

TEST(OverrunAttribution, TheLargerOfTwoIsNamed) {
  EXPECT_EQ(found({event(Kind::page_fault, 0_us, 150_us), event(Kind::preempted, 200_us, 120_us)}),
            io::Cause::page_fault);
  EXPECT_EQ(found({event(Kind::page_fault, 0_us, 120_us), event(Kind::preempted, 200_us, 150_us)}),
            io::Cause::preemption);
}

TEST(OverrunAttribution, SleepsExplainNothing) {
  EXPECT_EQ(found({event(Kind::slept, 0_us, 900_us)}), io::Cause::pass);
}

TEST(OverrunAttribution, OnlyWhatFellIntoTheStepCounts) {
  EXPECT_EQ(found({event(Kind::preempted, -150_us, 200_us)}), io::Cause::pass)
      << "50 us of it lie within";
  EXPECT_EQ(found({event(Kind::preempted, 2_ms, 900_us)}), io::Cause::pass);
  // A step that did not sleep was held up from its tick on: 3 us earlier than it began.
  io::FrameHeader h = late_step(io::Cause::unknown);
  h.slept = false;
  h.start = h.due + 150_us;
  const rt::ThreadEvent between{Kind::preempted, h.due, h.due + 120_us};
  EXPECT_EQ(found({between}, h), io::Cause::preemption);
  h.slept = true;
  EXPECT_EQ(found({between}, h), io::Cause::unknown);
}

TEST(OverrunAttribution, WhatTheLoopKnowsForSureStays) {
  const auto whole = event(Kind::preempted, 0_us, 900_us);
  EXPECT_EQ(found({whole}, late_step(io::Cause::late_wake)), io::Cause::late_wake);
  EXPECT_EQ(found({whole}, late_step(io::Cause::carried)), io::Cause::carried);
  for (const io::Cause cause :
       {io::Cause::device, io::Cause::state_event, io::Cause::external_event, io::Cause::unknown}) {
    EXPECT_EQ(found({whole}, late_step(cause)), io::Cause::preemption);
  }
}

TEST(OverrunAttribution, WithoutEvidenceNothingIsGuessed) {
  OverrunAttribution none;
  EXPECT_EQ(none.cause_of(late_step(io::Cause::unknown)), io::Cause::unknown);
  EXPECT_EQ(found({}, late_step(io::Cause::unknown)), io::Cause::unknown);
}

TEST(OverrunAttribution, ManyEventsBeforeDoNotHideTheOneThatMatters) {
  std::vector<rt::ThreadEvent> events(20'000, event(Kind::preempted, -900_ms, 1_us));
  events.push_back(event(Kind::preempted, 0_us, 150_us));
  EXPECT_EQ(found(std::move(events)), io::Cause::preemption);
}

class Causes final : public Sink {
 public:
  void frame(const io::FrameView& record) override { all.push_back(record.header().cause); }
  std::vector<io::Cause> all;
};

TEST(OverrunAttribution, SinksSeeTheCauseThatWasFound) {
  rt::SlotRing ring(one_output.bytes(), 4);
  const auto put = [&](const io::FrameHeader& h) {
    write(ring.claim(), h, 0);
    ring.publish();
  };
  put(header(frame - 1));
  put(late_step());
  put(late(frame + 1, 50_us, io::Cause::carried));
  OverrunAttribution attribution;
  attribution.begin(script({event(Kind::page_fault, 20_us, 190_us)}));
  Causes sink;
  Recorder(ring, one_output, {&sink}, &attribution).stop();
  EXPECT_EQ(sink.all, (std::vector{io::Cause::none, io::Cause::page_fault, io::Cause::carried}));
  const CauseCorrections& moved = attribution.corrections();
  EXPECT_EQ(moved.of(static_cast<std::size_t>(io::Cause::pass)), -1);
  EXPECT_EQ(moved.of(static_cast<std::size_t>(io::Cause::page_fault)), 1);
  EXPECT_EQ(moved.of(static_cast<std::size_t>(io::Cause::carried)), 0);
}

}  // namespace
}  // namespace hild::record
