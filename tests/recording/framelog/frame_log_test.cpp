// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is recorded comes back; what is not is told.
#include "recording/framelog/frame_log.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>

#include "runs.hpp"

namespace hild::framelog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(FrameLog, FramesComeBackBitForBit) {
  const Recording run;
  run.give(0, 9);
  Contents got;
  const auto scan = read(run.close(), got, {.verify = true});
  ASSERT_TRUE(scan) << scan.error().message;
  EXPECT_TRUE(scan->file.complete);
  EXPECT_THAT(scan->file.damages, IsEmpty());
  ASSERT_THAT(got.frames, SizeIs(10));
  const io::FrameHeader expected = header_of(7);
  EXPECT_EQ(std::memcmp(&got.frames[7].step, &expected.step, 64), 0) << "all times";
  EXPECT_EQ(got.frames[7].phases, expected.phases);
  EXPECT_EQ(got.frames[7].passes, 2);
  EXPECT_THAT(got.outputs[7], ElementsAre(output_of(7, 0), output_of(7, 1)));
  EXPECT_THAT(got.last_inputs[7], ElementsAre(input_of(7, 0) + 1, input_of(7, 1)));
  EXPECT_EQ(run.log->status().frames, 10);
  EXPECT_EQ(run.log->status().error, "");
  EXPECT_EQ(run.log->status().bytes, run.memory->bytes.size());
}

// Steps and instants of a run of 300 days at 10 kHz, and across 2^31: as exact as those at its
// beginning, and nothing is missing before the first.
TEST(FrameLog, FramesFarFromTheBeginningComeBack) {
  for (const std::int64_t first :
       {(std::int64_t{1} << 31) - 5, std::int64_t{300} * 86'400 * 10'000}) {
    LogOptions options = Recording::one_each();
    options.first_step = first;
    const Recording run(everything(), options);
    run.give(first, first + 2);
    run.give(first + 5, first + 9);  // two did not come out of the ring
    Contents got;
    const auto scan = read(run.close(), got, {.verify = true});
    ASSERT_TRUE(scan) << scan.error().message;
    EXPECT_TRUE(scan->file.complete);
    ASSERT_THAT(got.frames, SizeIs(8));
    const io::FrameHeader expected = header_of(first + 9);
    EXPECT_EQ(std::memcmp(&got.frames[7].step, &expected.step, 64), 0) << "all times";
    EXPECT_THAT(got.gaps, ElementsAre(Gap{first + 3, first + 4, Gap::Reason::ring}));
    EXPECT_EQ(run.log->status().dropped, 2);
    EXPECT_EQ(got.of(LogPart::inputs)[7].tick, first + 9);
    EXPECT_DOUBLE_EQ(got.of(LogPart::inputs)[7].t, 1e-3 * static_cast<double>(first + 9));
  }
}

// Inputs belong to the start of a step, outputs and states to its end.
TEST(FrameLog, SignalsStandAtTheirTime) {
  const Recording run;
  run.give(0, 1);
  io::FrameHeader doubled = header_of(2);
  doubled.span = 2;
  doubled.deadline += 1_ms;
  run.give(doubled);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_EQ(got.of(LogPart::inputs)[1], (GotRow{1, 0.001, {input_of(1, 0), input_of(1, 1)}}));
  EXPECT_EQ(got.of(LogPart::outputs)[1], (GotRow{2, 0.002, {output_of(1, 0), output_of(1, 1)}}));
  EXPECT_EQ(got.of(LogPart::inputs)[2], (GotRow{2, 0.002, {input_of(2, 0), input_of(2, 1)}}));
  EXPECT_EQ(got.of(LogPart::states)[2], (GotRow{4, 0.004, {state_of(2)}}));
  EXPECT_EQ(got.head.columns[1], signals_of_run.inputs);
  EXPECT_EQ(got.head.columns[2], signals_of_run.outputs) << "names that are no identifiers too";
  EXPECT_EQ(got.head.columns[3], signals_of_run.states);
}

// The run's clock began at 5 s of the monotonic clock and 1.7e9 s of the world's: tick n is n ms
// after; a step stands where it begins.
TEST(FrameLog, TimeStampsAreThoseOfTheWorld) {
  const Recording run;
  run.give(0, 3);
  mcap::Memory file;
  ASSERT_TRUE(mcap::scan(run.close(), file));
  constexpr std::uint64_t start = 1'700'000'000'000'000'000;
  for (const mcap::Attachment& a : file.attachments) {
    const bool own = a.name.starts_with("calibration/");
    EXPECT_EQ(a.log_time, own ? 1 : start) << a.name;
    EXPECT_EQ(a.create_time, own ? 2 : start) << a.name;
  }
  EXPECT_THAT(file.attachments, SizeIs(3));
  std::map<std::string, std::vector<std::uint64_t>> times;
  std::map<std::uint16_t, std::string> topics;
  for (const mcap::Channel& c : file.channels) topics[c.id] = c.topic;
  for (const mcap::Got& m : file.messages) times[topics[m.channel]].push_back(m.time);
  const auto at_ticks = [](std::uint64_t first) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t n = first; n < first + 4; ++n) all.push_back(start + n * 1'000'000);
    return all;
  };
  EXPECT_EQ(times["/step"], at_ticks(0));
}

// A board without a clock of its own begins in 1970, and what was before is no time of the far
// future.
TEST(FrameLog, TimeStampsBeginIn1970) {
  const ClockBase clock{MonoTime{} + 5_s, 1'000'000};
  EXPECT_EQ(clock.log_time(MonoTime{} + 5_s), 1'000'000U);
  EXPECT_EQ(clock.log_time(MonoTime{} + 5_s - 1_ms), 0U);
  EXPECT_EQ(clock.log_time(MonoTime{} + 5_s - 2_ms), 0U);
}

// A step of which no two numbers are alike, and an ordinary one, by the names of the columns.
TEST(FrameLog, TimingTellsHowAStepWas) {
  const Recording run;
  run.give(0, 0);
  io::FrameHeader h = late(header_of(1), 150_us, io::Cause::device);
  h.frame = 21;
  h.t = SimTime{} + 21_ms;
  h.span = 2;
  h.slipped = 3;
  h.passes = 1;
  h.state_events = 4;
  h.external_events = 5;
  h.mark = 4'000'000'006U;  // more than a signed number holds
  h.late_wake = true;
  h.starter = true;
  h.early = true;
  h.error_ppb = 2'000'000;
  run.give(h);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  ASSERT_THAT(got.of(LogPart::timing), SizeIs(2));
  const auto told = [&](std::size_t row) {
    std::map<std::string, double> values;
    const auto& names = got.head.columns[static_cast<std::size_t>(LogPart::timing)];
    for (std::size_t i = 0; i < names.size(); ++i) {
      values[names[i].name] = got.of(LogPart::timing)[row].values.at(i);
    }
    return values;
  };
  // Times in microseconds; phases of 1, 2, 3 us and so on.
  const std::map<std::string, double> usual{
      {"step", 0},       {"lateness", -400}, {"start", 3},        {"wake", 1},
      {"device", 2},     {"commit", 3},      {"passes", 4},       {"workers", 5},
      {"wait", 6},       {"events", 7},      {"outputs", 8},      {"record", 9},
      {"slack", 10},     {"idle", 11},       {"span", 1},         {"slipped", 0},
      {"passes_run", 2}, {"mark", 0},        {"state_events", 0}, {"external_events", 0},
      {"cause", 0},      {"overrun", 0},     {"late_wake", 0},    {"starter", 0},
      {"frozen", 0},     {"early", 0},       {"error", 0}};
  EXPECT_EQ(told(0), usual);
  std::map<std::string, double> expected = usual;
  const std::map<std::string, double> other{{"step", 1},
                                            {"lateness", 150},
                                            {"span", 2},
                                            {"slipped", 3},
                                            {"passes_run", 1},
                                            {"state_events", 4},
                                            {"external_events", 5},
                                            {"mark", 4'000'000'006.0},
                                            {"cause", static_cast<double>(io::Cause::device)},
                                            {"overrun", 1},
                                            {"late_wake", 1},
                                            {"starter", 1},
                                            {"early", 1},
                                            {"error", 1e-9 * 1'966'080}};  // four binary digits
  for (const auto& [name, value] : other) expected[name] = value;
  EXPECT_EQ(told(1), expected);
  EXPECT_EQ(got.of(LogPart::timing)[1].tick, 21);
  EXPECT_EQ(got.of(LogPart::timing)[1].t, 0.021);
}

TEST(FrameLog, TheRunIsDescribedFromTheStart) {
  const Recording run;
  run.give(0, 0);
  run.log->flush();
  const std::string& file = run.memory->bytes;
  // Cut behind the first chunk: long before anything is written at the end.
  std::size_t cut = 0;
  for (const mcap::Raw& r : mcap::walk(file)) {
    if (r.opcode == 6 && cut == 0) cut = r.end;
  }
  Contents got;
  ASSERT_TRUE(read(file.substr(0, cut), got));
  const Description& d = got.head.description;
  EXPECT_EQ(got.head.format, format_version);
  EXPECT_EQ(value_of(d.run, "model"), "made");
  EXPECT_EQ(value_of(d.build, "version"), "test");
  EXPECT_EQ(d.machine, description_of_run().machine) << "the bits of a run hold for its CPU";
  EXPECT_EQ(d.models, description_of_run().models) << "a replay must have the same files";
  EXPECT_EQ(d.clock.monotonic, MonoTime{} + 5_s);
  EXPECT_EQ(d.clock.realtime_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(d.config, "frame: {period: 1 ms}\n");
  ASSERT_THAT(d.sources, SizeIs(1));
  EXPECT_EQ(d.sources[0].name, "rig.yaml");
  ASSERT_THAT(d.attachments, SizeIs(1));
  EXPECT_EQ(d.attachments[0].data, "gain 1.0001");
}

TEST(FrameLog, EqualRunsGiveEqualBytes) {
  const auto record = [](std::uint64_t filling) {
    const Recording run;
    io::FrameHeader one_pass = header_of(0);
    one_pass.passes = 1;  // what the second left in the slot is nobody's business
    run.log->frame(Record(one_pass, filling).view());
    return run.close();
  };
  EXPECT_EQ(record(0xABABABABU), record(0x12345678U));
}

TEST(FrameLog, DropsAreMarked) {
  const Recording run;
  run.give(2, 3);
  run.give(7, 7);
  Contents got;
  const auto scan = read(run.close(), got);
  EXPECT_THAT(got.steps(), ElementsAre(2, 3, 7));
  EXPECT_THAT(got.gaps, ElementsAre(Gap{0, 1, Gap::Reason::ring}, Gap{4, 6, Gap::Reason::ring}));
  EXPECT_EQ(run.log->status().dropped, 5);
  EXPECT_EQ(value_of(scan->totals, "dropped"), "5");
  EXPECT_EQ(value_of(scan->totals, "frames"), "3");
}

/// Frames in which the plant is held; they bear the number of the step that waits.
void hold(const Recording& run, std::int64_t step, int frames) {
  for (int i = 0; i < frames; ++i) {
    io::FrameHeader held = header_of(step);
    held.due += 1_ms * i;
    held.deadline += 1_ms * i;
    held.frozen = true;
    held.passes = 0;
    run.give(held);
  }
}

TEST(FrameLog, HeldFramesAreNoGap) {
  const Recording run;
  run.give(0, 1);
  hold(run, 2, 3);
  run.give(2, 3);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.steps(), ElementsAre(0, 1, 2, 2, 2, 2, 3));
  EXPECT_THAT(got.gaps, IsEmpty());
  ASSERT_THAT(got.of(LogPart::inputs), SizeIs(4)) << "held frames sample nothing";
  ASSERT_THAT(got.of(LogPart::outputs), SizeIs(7));
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_EQ(got.of(LogPart::outputs)[i].t, 0.002) << "the plant is where it was";
    EXPECT_EQ(got.of(LogPart::outputs)[i].tick, 2);
    EXPECT_EQ(got.of(LogPart::states)[i].tick, 2);
  }
  EXPECT_EQ(got.of(LogPart::outputs)[5].tick, 3) << "the step that waited goes on from there";
  EXPECT_EQ(run.log->status().dropped, 0);
}

// That it was held does not stand for the step itself.
TEST(FrameLog, AStepThatWaitedAndWasDroppedIsMarked) {
  const Recording run;
  run.give(0, 1);
  hold(run, 2, 3);
  run.give(3, 3);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.steps(), ElementsAre(0, 1, 2, 2, 2, 3));
  EXPECT_THAT(got.gaps, ElementsAre(Gap{2, 2, Gap::Reason::ring}));
  EXPECT_EQ(run.log->status().dropped, 1);
}

TEST(FrameLog, DecimatedSignalsKeepInputsAndOutputsOfTheSameTick) {
  config::Record settings = everything();
  settings.decimate = 3;
  settings.all_frames = false;
  const Recording run(settings);
  run.give(0, 7);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  const auto ticks = [&](LogPart part) {
    std::vector<std::int64_t> all;
    for (const auto& row : got.of(part)) all.push_back(row.tick);
    return all;
  };
  EXPECT_THAT(ticks(LogPart::inputs), ElementsAre(0, 3, 6));
  EXPECT_THAT(ticks(LogPart::outputs), ElementsAre(3, 6));
  EXPECT_THAT(ticks(LogPart::timing), ElementsAre(0, 3, 6));
  EXPECT_THAT(got.frames, IsEmpty());
}

TEST(FrameLog, OnlyNotableFramesAndTheSixteenBefore) {
  config::Record settings = everything();
  settings.all_frames = false;
  const Recording run(settings);
  run.give(0, 29);
  run.give(late(header_of(30), 100_us, io::Cause::device));
  run.give(31, 32);
  io::FrameHeader marked = header_of(33);
  marked.mark = 9;
  run.give(marked);
  run.give(34, 40);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  std::vector<std::int64_t> expected(20);
  std::iota(expected.begin(), expected.end(), 14);
  EXPECT_EQ(got.steps(), expected) << "16 before 30, and what lies between it and 33";
  EXPECT_THAT(got.of(LogPart::outputs), SizeIs(41)) << "signals are not left out";
  EXPECT_THAT(got.of(LogPart::timing), SizeIs(41));
  EXPECT_THAT(got.gaps, IsEmpty());
  EXPECT_EQ(got.frames[3].phases, header_of(17).phases) << "with their phase times";
}

// The steps of a log without all frames, when the sixth of nine was like this.
std::vector<std::int64_t> whole_frames_around(const io::FrameHeader& sixth) {
  config::Record settings = everything();
  settings.all_frames = false;
  const Recording run(settings);
  run.give(0, 4);
  run.give(sixth);
  run.give(6, 8);
  Contents got;
  EXPECT_TRUE(read(run.close(), got));
  return got.steps();
}

TEST(FrameLog, EachThingByItselfMakesAFrameNotable) {
  EXPECT_THAT(whole_frames_around(header_of(5)), IsEmpty());
  const auto with = [](auto member, auto value) {
    io::FrameHeader h = header_of(5);
    h.*member = value;
    return whole_frames_around(h);
  };
  const auto six = ElementsAre(0, 1, 2, 3, 4, 5);
  EXPECT_THAT(with(&io::FrameHeader::lateness, 1_ns), six);
  EXPECT_THAT(with(&io::FrameHeader::late_wake, true), six);
  EXPECT_THAT(with(&io::FrameHeader::early, true), six);
  EXPECT_THAT(with(&io::FrameHeader::state_events, 1), six);
  EXPECT_THAT(with(&io::FrameHeader::external_events, 1), six);
  EXPECT_THAT(with(&io::FrameHeader::mark, 1U), six);
  EXPECT_THAT(with(&io::FrameHeader::span, 2), six);
  EXPECT_THAT(with(&io::FrameHeader::slipped, 1), six);
  EXPECT_THAT(with(&io::FrameHeader::frozen, true), six);
}

// A plant that is held for an hour is news once.
TEST(FrameLog, OfHeldFramesTheFirstIsNotable) {
  config::Record settings = everything();
  settings.all_frames = false;
  const Recording run(settings);
  run.give(0, 1);
  hold(run, 2, 40);
  run.give(2, 3);
  hold(run, 4, 40);
  run.give(4, 5);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  ASSERT_THAT(got.frames, SizeIs(3 + 17)) << "the first held one, and the sixteen before";
  std::vector<std::int64_t> expected{0, 1};
  expected.resize(3 + 14, 2);  // 14 held ones, the rest of the sixteen, wait behind the first
  expected.insert(expected.end(), {2, 3, 4});
  EXPECT_EQ(got.steps(), expected);
  EXPECT_THAT(got.of(LogPart::outputs), SizeIs(86)) << "signals are not left out";
}

// What a trigger let through does not wait in memory for the next one.
TEST(FrameLog, WhatATriggerLetThroughIsWritten) {
  config::Record settings = everything();
  settings.all_frames = false;
  settings.trigger = config::Trigger{
      .overrun = true, .state_event = false, .command = false, .before = 0, .after = 3};
  const Recording run(settings);
  run.give(late(header_of(0), 100_us, io::Cause::device));
  run.give(1, 4);  // the last is beyond it
  EXPECT_EQ(run.log->status().frames, 4) << "on their way before it is closed";
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.of(LogPart::outputs), SizeIs(4));
}

// Steps that are kept back are old when they are written: a block's age counts from then.
TEST(FrameLog, StepsOfALowRateShareBlocks) {
  config::Record settings = everything();
  settings.all_frames = false;
  LogOptions options;
  options.wait = true;
  const Recording run(settings, options);
  for (std::int64_t step = 0; step < 200; ++step) {
    io::FrameHeader h = header_of(step);
    for (MonoTime* at : {&h.due, &h.start, &h.end, &h.deadline}) *at += 19_ms * step;
    run.give(h);
  }
  std::size_t chunks = 0;
  for (const mcap::Raw& r : mcap::walk(run.close())) chunks += r.opcode == 6 ? 1U : 0U;
  EXPECT_LE(chunks, 20U) << "of 4 s, a quarter of a second each";
  EXPECT_GE(chunks, 10U);
}

TEST(FrameLog, SelectedSignalsOnly) {
  config::Record settings = everything();
  settings.inputs = {false, true};
  settings.outputs = {false, false};
  const Recording run(settings);
  run.give(0, 0);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.head.columns[1], ElementsAre(SignalName{"load", "N m"}));
  EXPECT_EQ(got.of(LogPart::inputs)[0].values, std::vector{input_of(0, 1)});
  EXPECT_THAT(got.head.columns[2], IsEmpty());
  EXPECT_THAT(got.of(LogPart::outputs), IsEmpty());
  EXPECT_EQ(got.head.frame_signals.outputs, signals_of_run.outputs) << "frames hold all";
}

TEST(FrameLog, AFileThatCannotBeBegunIsAnError) {
  auto full = std::make_unique<mcap::MemoryOutput>(10);
  const auto log =
      FrameLog::create(std::move(full), description_of_run(), layout_of_run, everything());
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error().message, HasSubstr("no room"));
}

}  // namespace
}  // namespace hild::framelog
