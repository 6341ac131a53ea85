// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs of other versions, parts of logs, cut logs.
#include "recording/framelog/reader.hpp"

#include <gmock/gmock.h>

#include "recording/framelog/encoder.hpp"
#include "recording/framelog/summary.hpp"
#include "runs.hpp"

namespace hild::framelog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::string log_of(std::int64_t steps) {
  const Recording run;
  run.give(0, steps - 1);
  return run.close();
}

std::string error_of(const std::string& file) {
  Contents got;
  const auto scan = read(file, got);
  return scan ? "read" : scan.error().message;
}

TEST(Reader, ANewerFormatIsRefusedInWords) {
  mcap::MemoryOutput output;
  mcap::Writer writer(output);
  ASSERT_TRUE(writer.begin({.profile = "", .library = "hild 9.1"}));
  ASSERT_TRUE(writer.write(
      mcap::Metadata{std::string(meta_format), {{"format", std::to_string(format_version + 1)}}}));
  ASSERT_TRUE(writer.finish());
  EXPECT_THAT(error_of(output.bytes),
              HasSubstr("a log of format 6, recorded by hild 9.1; this program "
                        "reads format 5: take a newer one"));
}

TEST(Reader, RawCountsStandBesideTheValues) {
  const std::string file = log_of(3);
  Contents got;
  ASSERT_TRUE(read(file, got));
  EXPECT_EQ(got.head.columns[static_cast<std::size_t>(LogPart::counts)], signals_of_run.counts);
  ASSERT_THAT(got.of(LogPart::counts), SizeIs(3));
  EXPECT_EQ(got.of(LogPart::counts)[2], (GotRow{2, 0.002, {4'000'000'002.0}}));
}

TEST(Reader, CountsOfInputsThatAreNotRecordedAreLeftOut) {
  config::Record settings = everything();
  settings.inputs = {true, false};
  const Recording run(settings);
  run.give(0, 1);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  EXPECT_THAT(got.of(LogPart::inputs), SizeIs(2));
  EXPECT_THAT(got.of(LogPart::counts), IsEmpty());
}

// A motor of 40 frames, as the first version of hild recorded it.
TEST(Reader, AnOlderFormatIsRefusedWithTheVersionThatReadsIt) {
  auto source =
      mcap::FileSource::open(HILD_SOURCE_DIR "/tests/recording/framelog/logs/format_1.mcap");
  ASSERT_TRUE(source) << source.error().message;
  Contents got;
  const auto scan = read_log(*source, got, {.verify = true});
  ASSERT_FALSE(scan);
  EXPECT_THAT(scan.error().message,
              HasSubstr("a log of format 1, recorded by hild 0.1.0; this program reads format 5: "
                        "read it with that version"));
}

TEST(Reader, AnMcapFileOfAnotherProgramIsRefusedInWords) {
  EXPECT_THAT(error_of(mcap::small_file()), HasSubstr("not a frame log of hild"));
}

TEST(Reader, ARangeOfTime) {
  const std::string file = log_of(10);
  Contents got;
  ASSERT_TRUE(read(file, got, {.from = 0.003, .to = 0.005}));
  EXPECT_THAT(got.steps(), ElementsAre(3, 4, 5));
  std::vector<std::int64_t> ticks;
  for (const auto& row : got.of(LogPart::outputs)) ticks.push_back(row.tick);
  EXPECT_THAT(ticks, ElementsAre(3, 4, 5));
  Contents none;
  ASSERT_TRUE(read(file, none, {.from = 1}));
  EXPECT_THAT(none.frames, IsEmpty());
  EXPECT_EQ(none.head.format, format_version) << "the head comes all the same";
}

/// How far it was read, and which changes it told of.
class Follower final : public LogVisitor {
 public:
  void frame(const io::FrameView& record) override { last = record.header().step; }
  void change(Effect& effect) override { changes.push_back(effect.frame); }
  bool go_on(double part) override { return furthest = std::max(furthest, part), true; }

  std::int64_t last = -1;
  std::vector<std::int64_t> changes;
  double furthest = 0;
};

// Both ends belong to it, and beyond the far one there is nothing to be looked for.
TEST(Reader, ARangeEndsTheReading) {
  const Recording run;
  exec::Transaction mark;
  ASSERT_TRUE(mark.add(exec::Mark{1}));
  for (std::int64_t step = 0; step < 200; ++step) {
    exec::Reply reply;
    reply.frame = step;
    reply.time = header_of(step).t;
    run.log->changed({step + 1, write_effect(mark, reply)});
    run.give(header_of(step));
  }
  const std::string file = run.close();
  Follower some;
  ASSERT_TRUE(read(file, some, {.from = 0.003, .to = 0.006}));
  EXPECT_EQ(some.last, 6);
  EXPECT_THAT(some.changes, ElementsAre(3, 4, 5, 6));
  EXPECT_LT(some.furthest, 0.1);
  Follower all;
  ASSERT_TRUE(read(file, all));
  EXPECT_EQ(all.last, 199);
  EXPECT_THAT(all.changes, SizeIs(200));
  EXPECT_GT(all.furthest, 0.5);
}

// However many steps a block holds.
TEST(Reader, WhatHappenedWithinARangeIsToldThoughItEndsWithinABlock) {
  LogOptions options;
  options.wait = true;
  const Recording run(everything(), options);
  exec::Transaction mark;
  ASSERT_TRUE(mark.add(exec::Mark{1}));
  exec::Reply reply;
  reply.frame = 5;
  reply.time = header_of(5).t;
  run.log->changed({1, write_effect(mark, reply)});
  run.give(0, 89);
  run.give(96, 300);
  const std::string file = run.close();
  Follower some;
  ASSERT_TRUE(read(file, some, {.to = 0.15}));
  EXPECT_EQ(some.last, 150);
  EXPECT_THAT(some.changes, ElementsAre(5));
  Contents got;
  ASSERT_TRUE(read(file, got, {.to = 0.15}));
  EXPECT_THAT(got.gaps, ElementsAre(Gap{90, 95, Gap::Reason::ring}));
}

class OnlyGaps final : public LogVisitor {
 public:
  [[nodiscard]] bool wants(LogPart part) const override { return part == LogPart::gap; }
};

TEST(Reader, WhatIsNotWantedIsNotRead) {
  LogOptions options;
  options.wait = true;
  const Recording run(everything(), options);
  run.give(0, 7999);
  CountingSource source(run.close());
  OnlyGaps none;
  const auto scan = read_log(source, none);
  ASSERT_TRUE(scan) << scan.error().message;
  EXPECT_LT(source.read_bytes, source.size() / 10);
}

class OnlyInputs final : public LogVisitor {
 public:
  [[nodiscard]] bool wants(LogPart part) const override { return part == LogPart::inputs; }
  void frame(const io::FrameView& /*record*/) override { ++frames; }
  void row(LogPart part, const Row& /*row*/) override { ++rows[static_cast<std::size_t>(part)]; }
  int frames = 0;
  std::array<int, part_count> rows{};
};

TEST(Reader, WhatIsNotWantedIsNotTold) {
  OnlyInputs got;
  ASSERT_TRUE(read(log_of(3), got));
  EXPECT_EQ(got.frames, 0);
  EXPECT_THAT(got.rows, ElementsAre(0, 3, 0, 0, 0, 0, 0, 0, 0));
}

// t is not stored: it follows from the frame, at every rate.
TEST(Reader, TimesAreThoseOfTheGridOfTheRun) {
  Description of_3_khz = description_of_run();
  of_3_khz.clock.grid = Grid::of_rate_hz(3000);
  const Recording run(everything(), Recording::one_each(), of_3_khz);
  io::FrameHeader h = header_of(2);
  h.t.ns = 666'666;
  run.give(h);
  Contents got;
  ASSERT_TRUE(read(run.close(), got));
  ASSERT_THAT(got.frames, SizeIs(1));
  EXPECT_EQ(got.frames[0].t.ns, 666'666);
  EXPECT_EQ(got.head.description.clock.grid.denominator(), 3);
  // Ticks of the clock may lie a nanosecond off those of simulated time, after a slip.
  ASSERT_THAT(got.of(LogPart::outputs), SizeIs(1));
  EXPECT_EQ(got.of(LogPart::outputs)[0].t, 0.001);
}

// In chunks that are whole: made so, by a program that was wrong.
TEST(Reader, MessagesThatAreNoneAreCountedAndPassedOver) {
  mcap::MemoryOutput output;
  mcap::Writer writer(output);
  ASSERT_TRUE(writer.begin({}));
  ASSERT_TRUE(writer.write(
      mcap::Metadata{std::string(meta_format), {{"format", std::to_string(format_version)}}}));
  const StepShape shape = shape_of(layout_of_run, signals_of_run, {}, everything());
  writer.declare(mcap::Schema{channel_of(Topic::step), "hild.Step", std::string(protobuf),
                              proto::describe(step_file(shape))});
  writer.declare(mcap::Channel{channel_of(Topic::step),
                               channel_of(Topic::step),
                               std::string(to_string(Topic::step)),
                               std::string(protobuf),
                               {{std::string(step_signals), to_json(shape)}}});
  Encoder encoder(description_of_run(), layout_of_run, everything());
  Block block;
  mcap::Chunk chunk;
  for (std::int64_t n = 0; n < 3; ++n) {
    block.clear();
    Record record(header_of(n));
    encoder.step(record.view(), {}, block);
    std::string_view data = block.steps.records().substr(31);
    if (n == 1) data.remove_suffix(1);  // ends within its last value
    std::memcpy(chunk.add(channel_of(Topic::step), 0, static_cast<std::uint64_t>(n) * 1'000'000,
                          data.size()),
                data.data(), data.size());
  }
  const mcap::Chunk* const chunks[] = {&chunk};
  ASSERT_TRUE(writer.write(chunks));
  ASSERT_TRUE(writer.finish());
  Contents got;
  const auto scan = read(output.bytes, got, {.verify = true});
  ASSERT_TRUE(scan) << scan.error().message;
  EXPECT_EQ(scan->bad_messages, 1U);
  EXPECT_EQ(scan->file.damage_count, 0U);
  EXPECT_THAT(got.steps(), ElementsAre(0, 2));
}

// The read frames are always the first of them, and all whole blocks are there.
TEST(Reader, CutAtEveryByteTheFirstFramesAreThere) {
  const std::string file = log_of(4);
  std::size_t most = 0;
  for (std::size_t cut = 8; cut < file.size(); ++cut) {
    Contents got;
    const auto scan = read(file.substr(0, cut), got, {.verify = true});
    if (!scan) {
      EXPECT_THAT(scan.error().message, HasSubstr("not a frame log")) << cut;
      continue;
    }
    EXPECT_GE(got.frames.size(), most) << cut;
    most = std::max(most, got.frames.size());
    for (std::size_t i = 0; i < got.frames.size(); ++i) {
      EXPECT_EQ(got.frames[i].step, static_cast<std::int64_t>(i));
    }
  }
  EXPECT_EQ(most, 4U);
}

std::unique_ptr<Summary> summary_of(const std::string& file) {
  mcap::MemorySource source(file);
  auto summary = summarise(source);
  EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
  return summary ? std::move(*summary) : nullptr;
}

TEST(Summary, TellsWhichOfSeveralModelsReachedACap) {
  Description of_three = description_of_run();
  of_three.run.emplace_back("models", "pump, valve, pipe");
  const Recording run(everything(), Recording::one_each(), of_three);
  io::FrameHeader one = header_of(0);
  one.capped = 1U << static_cast<unsigned>(io::Cap::zero_advance);
  one.capped_by = 0b010;
  run.give(one);
  run.give(1, 2);
  io::FrameHeader both = header_of(3);
  both.capped = one.capped | 1U << static_cast<unsigned>(io::Cap::step_parts);
  both.capped_by = 0b110;
  run.give(both);
  const auto s = summary_of(run.close());
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->capped[static_cast<std::size_t>(io::Cap::zero_advance)], 2);
  EXPECT_EQ(s->capped[static_cast<std::size_t>(io::Cap::step_parts)], 1);
  EXPECT_EQ(s->capped[static_cast<std::size_t>(io::Cap::late_answers)], 0);
  EXPECT_THAT(s->capped_by, ElementsAre(Pair("pump", 0), Pair("valve", 2), Pair("pipe", 1)));
}

TEST(Summary, TellsWhichStepsWereMarkedAndWhatTheyWereCalled) {
  const Recording run;
  exec::Transaction marks;
  ASSERT_TRUE(marks.add(exec::Resume{}));
  ASSERT_TRUE(marks.add(exec::Mark{3}));
  ASSERT_TRUE(marks.add(exec::Mark{4}));
  exec::Reply reply;
  reply.frame = 1;
  reply.time = header_of(1).t;
  const std::array<std::string, 2> texts{"", "the load comes on"};
  run.log->changed({1, write_effect(marks, reply, texts)});
  run.give(0, 3);
  const auto s = summary_of(run.close());
  ASSERT_NE(s, nullptr);
  ASSERT_THAT(s->mark_list, SizeIs(2));
  EXPECT_EQ(s->mark_list[0].frame, 1);
  EXPECT_EQ(s->mark_list[0].time, header_of(1).t);
  EXPECT_EQ(s->mark_list[0].label, 3U);
  EXPECT_EQ(s->mark_list[0].text, "the load comes on");
  EXPECT_EQ(s->mark_list[1].label, 4U);
  EXPECT_EQ(s->mark_list[1].text, "");
}

// More names than there are bits: those that no bit tells of are left out.
TEST(Summary, TellsOfAsManyModelsAsARecordCan) {
  Description of_many = description_of_run();
  std::string names = "m0";
  for (int i = 1; i < 40; ++i) names += ", m" + std::to_string(i);
  of_many.run.emplace_back("models", names);
  const Recording run(everything(), Recording::one_each(), of_many);
  io::FrameHeader last = header_of(0);
  last.capped = 1;
  last.capped_by = 1U << 31;
  run.give(last);
  const auto s = summary_of(run.close());
  ASSERT_NE(s, nullptr);
  ASSERT_THAT(s->capped_by, SizeIs(io::most_cappers));
  EXPECT_THAT(s->capped_by.back(), Pair("m31", 1));
}

TEST(Summary, CountsWhatTheRunDid) {
  const Recording run;
  run.give(0, 1);
  run.give(late(header_of(2), 214_us, io::Cause::device));
  io::FrameHeader doubled = header_of(3);
  doubled.span = 2;
  doubled.deadline += 1_ms;
  doubled.state_events = 2;
  run.give(doubled);
  io::FrameHeader last = header_of(6);  // 4 and 5 are missing
  last.late_wake = true;
  last.mark = 3;
  run.give(last);
  const auto s = summary_of(run.close());
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->frames, 5);
  EXPECT_EQ(s->first_t, 0);
  EXPECT_EQ(s->last_t, 0.007);
  EXPECT_EQ(s->overruns, 1);
  EXPECT_EQ(s->by_cause[static_cast<std::size_t>(io::Cause::device)], 1);
  ASSERT_THAT(s->overrun_list, SizeIs(1));
  EXPECT_EQ(s->overrun_list[0].header.frame, 2);
  EXPECT_EQ(s->overrun_list[0].next_span, 2);
  // Of 1 ms: device 2, commit 3, passes 4, workers 5, ... events 7, outputs 8 us.
  EXPECT_NEAR(s->overrun_list[0].utilisation_before, 0.024, 1e-12);
  EXPECT_EQ(s->counts[&exec::Statistics::doubled_steps], 1);
  EXPECT_EQ(s->counts[&exec::Statistics::state_events], 2);
  EXPECT_EQ(s->counts[&exec::Statistics::late_wakes], 1);
  EXPECT_EQ(s->marks, 1);
  EXPECT_EQ(s->missing[0], 2);
  EXPECT_EQ(s->unexplained, 0);
  EXPECT_EQ(s->phases[0].max(), 1_us);
}

TEST(Summary, FramesOfADamagedChunkAreMissingWithoutAGap) {
  std::string file = log_of(5);
  int chunks = 0;
  for (const mcap::Raw& r : mcap::walk(file)) {
    if (r.opcode != 6) continue;
    char& middle = file[(r.offset + r.end) / 2];
    if (chunks++ == 2) middle = static_cast<char>(middle ^ 4);
  }
  const auto s = summary_of(file);
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->frames, 4);
  EXPECT_EQ(s->unexplained, 1);
  EXPECT_EQ(s->scan.file.damage_count, 1U);
}

}  // namespace
}  // namespace hild::framelog
