// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keyframes in a log: as messages, where they stand, and how they are found.
#include "recording/framelog/keyframe.hpp"

#include <gmock/gmock.h>

#include <random>

#include "core/archive_sections.hpp"
#include "recording/framelog/log_index.hpp"
#include "recording/framelog/summary.hpp"
#include "recording/mcap/recover.hpp"
#include "runs.hpp"

namespace hild::framelog {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A keyframe whose second section holds `bytes` of noise.
exec::Keyframe keyframe_of(std::int64_t step, std::size_t bytes = 40) {
  exec::Keyframe keyframe;
  const io::FrameHeader at = header_of(step);
  keyframe.head = {.step = step,
                   .frame = at.frame,
                   .time = at.t,
                   .tick = at.due,
                   .transactions = step / 2,
                   .bytes = 0};
  std::mt19937_64 noise(static_cast<std::uint64_t>(step));
  std::vector<std::byte> state(bytes);
  for (std::byte& byte : state) byte = static_cast<std::byte>(noise());
  append({"run", {}}, keyframe.state);
  append({"step runner", state}, keyframe.state);
  keyframe.head.bytes = keyframe.state.size();
  return keyframe;
}

void expect_same(const exec::Keyframe& got, const exec::Keyframe& expected) {
  EXPECT_EQ(got.head.step, expected.head.step);
  EXPECT_EQ(got.head.frame, expected.head.frame);
  EXPECT_EQ(got.head.time, expected.head.time);
  EXPECT_EQ(got.head.tick, expected.head.tick);
  EXPECT_EQ(got.head.transactions, expected.head.transactions);
  EXPECT_EQ(got.head.bytes, expected.head.bytes);
  EXPECT_EQ(got.state, expected.state);
}

const ClockBase clock_of_keyframes = description_of_run().clock;

std::string message_of(const exec::Keyframe& keyframe) {
  std::string message;
  write_keyframe(keyframe.view(), message);
  return message;
}
std::optional<exec::Keyframe> read_back(const std::string& message, MonoTime tick) {
  return read_keyframe(mcap::bytes_of(message), clock_of_keyframes.log_time(tick),
                       clock_of_keyframes);
}

TEST(Keyframe, ComesBackFromItsMessage) {
  for (const std::int64_t step : {0, 1, 77'777}) {
    const exec::Keyframe keyframe = keyframe_of(step);
    const auto got = read_back(message_of(keyframe), keyframe.head.tick);
    ASSERT_TRUE(got);
    expect_same(*got, keyframe);
  }
}

TEST(Keyframe, CutAnywhereIsNoMessageOrOneOfLess) {
  const exec::Keyframe keyframe = keyframe_of(9);
  const std::string whole = message_of(keyframe);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const auto got = read_back(whole.substr(0, bytes), keyframe.head.tick);
    if (got) {
      EXPECT_LT(got->state.size(), keyframe.state.size()) << bytes;
    }
  }
}

TEST(Keyframe, OfATimeThatCannotBeIsRefused) {
  const auto refused = [](auto change) {
    exec::Keyframe keyframe = keyframe_of(9);
    change(keyframe.head);
    return !read_back(message_of(keyframe), header_of(9).due);
  };
  EXPECT_FALSE(refused([](exec::KeyframeHead&) {}));
  EXPECT_TRUE(refused([](exec::KeyframeHead& head) { head.step = -1; }));
  EXPECT_TRUE(refused([](exec::KeyframeHead& head) { head.step = INT64_MAX; }));
  EXPECT_TRUE(refused([](exec::KeyframeHead& head) { head.frame = -1; }));
  EXPECT_TRUE(refused([](exec::KeyframeHead& head) { head.frame = INT64_MAX / 1000; }));
  EXPECT_TRUE(refused([](exec::KeyframeHead& head) { head.transactions = -1; }));
  EXPECT_TRUE(refused([](exec::KeyframeHead& head) { head.transactions = INT64_MAX; }));
}

/// What a log tells of keyframes and steps, in its order.
class Told final : public LogVisitor {
 public:
  void frame(const io::FrameView& record) override { steps.push_back(record.header().step); }
  void change(Effect& effect) override { changes.push_back(effect.number); }
  void keyframe(exec::Keyframe& keyframe) override {
    at.push_back(steps.size());
    keyframes.push_back(std::move(keyframe));
  }
  std::vector<std::int64_t> steps, changes;
  std::vector<exec::Keyframe> keyframes;
  std::vector<std::size_t> at;  ///< steps told before each
};

std::vector<std::int64_t> steps_of(const std::vector<exec::Keyframe>& keyframes) {
  std::vector<std::int64_t> steps;
  steps.reserve(keyframes.size());
  for (const exec::Keyframe& keyframe : keyframes) steps.push_back(keyframe.head.step);
  return steps;
}

/// A log of so many steps with a keyframe before every n-th.
std::string log_of(std::int64_t steps, std::int64_t every, std::size_t bytes = 40,
                   LogOptions options = Recording::one_each()) {
  const Recording run(everything(), std::move(options));
  for (std::int64_t step = 0; step < steps; ++step) {
    if (step % every == 0) run.log->keyframe(keyframe_of(step, bytes).view());
    run.give(header_of(step));
  }
  return run.close();
}

TEST(KeyframesOfALog, StandBeforeTheirSteps) {
  for (const bool of_a_block : {true, false}) {
    LogOptions options = Recording::one_each();
    if (!of_a_block) options.block_bytes = 1U << 20U;
    Told told;
    ASSERT_TRUE(read(log_of(10, 3, 40, options), told, {.verify = true}));
    ASSERT_THAT(steps_of(told.keyframes), ElementsAre(0, 3, 6, 9));
    for (std::size_t k = 0; k < told.keyframes.size(); ++k) {
      EXPECT_LE(told.at[k], 3 * k);
      expect_same(told.keyframes[k], keyframe_of(3 * static_cast<std::int64_t>(k)));
    }
    EXPECT_THAT(told.steps, SizeIs(10));
  }
}

TEST(KeyframesOfALog, AreThoseOfTheRangeThatIsRead) {
  Told told;
  ASSERT_TRUE(read(log_of(20, 3), told, {.from = 0.005, .to = 0.012}));
  EXPECT_THAT(steps_of(told.keyframes), ElementsAre(6, 9, 12));
}

TEST(KeyframesOfALog, AreCountedInItsSummary) {
  const std::string file = log_of(10, 3);
  mcap::MemorySource source(file);
  const auto summary = summarise(source);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ((*summary)->keyframes, 4);
  EXPECT_EQ((*summary)->frames, 10);
}

// Who lacks steps cannot go on from a keyframe.
TEST(KeyframesOfALog, AreLeftOutWhereStepsAreMissing) {
  config::Record notable = everything();
  notable.all_frames = false;
  config::Record triggered = everything();
  triggered.trigger = config::Trigger{.overrun = true, .before = 5, .after = 5};
  for (const config::Record& settings : {notable, triggered}) {
    const Recording run(settings);
    run.log->keyframe(keyframe_of(0).view());
    run.give(0, 3);
    Told told;
    ASSERT_TRUE(read(run.close(), told));
    EXPECT_THAT(told.keyframes, IsEmpty());
  }
}

TEST(KeyframesOfALog, AreStillThereInARecoveredOne) {
  const std::string whole = log_of(40, 3);
  const std::string cut = whole.substr(0, whole.size() * 2 / 3);
  Told before;
  ASSERT_TRUE(read(cut, before));
  ASSERT_THAT(before.keyframes, SizeIs(testing::Gt(3U)));
  mcap::MemorySource source(cut);
  mcap::MemoryOutput recovered;
  ASSERT_TRUE(mcap::recover(source, recovered));
  Told after;
  ASSERT_TRUE(read(recovered.bytes, after, {.verify = true}));
  ASSERT_EQ(steps_of(after.keyframes), steps_of(before.keyframes));
  for (const exec::Keyframe& keyframe : after.keyframes) {
    expect_same(keyframe, keyframe_of(keyframe.head.step));
  }
}

// A keyframe says how many there were before it: that is the number of one.
TEST(KeyframesOfALog, ChangesAreNumberedFromOneOn) {
  const Recording run;
  exec::Transaction mark;
  ASSERT_TRUE(mark.add(exec::Mark{1}));
  std::int64_t changes = 0;
  for (std::int64_t step = 0; step < 6; ++step) {
    exec::Reply reply;
    reply.frame = step;
    reply.time = header_of(step).t;
    for (std::int64_t n = 0; n < step % 3; ++n) {
      run.log->changed({++changes, write_effect(mark, reply)});
    }
    run.give(header_of(step));
  }
  Told told;
  ASSERT_TRUE(read(run.close(), told));
  EXPECT_THAT(told.changes, ElementsAre(1, 2, 3, 4, 5, 6));
}

std::int64_t found_before(const LogIndex& index, mcap::ByteSource& source, SimTime time) {
  const auto found = index.keyframe_before(source, time);
  if (!found) {
    ADD_FAILURE() << found.error().message;
    return -2;
  }
  return found->last ? found->last->head.step : -1;
}

TEST(LogIndex, FindsTheLastKeyframeBeforeATime) {
  LogOptions several = Recording::one_each();
  several.block_bytes = 3000;
  for (const LogOptions& options : {Recording::one_each(), several}) {
    const std::string whole = log_of(64, 5, 40, options);
    const std::string cut = whole.substr(0, whole.size() - whole.size() / 10);
    for (const std::string& file : {whole, cut}) {
      Told all;
      ASSERT_TRUE(read(file, all));
      const std::int64_t last = all.keyframes.back().head.step;
      mcap::MemorySource source(file);
      const auto index = LogIndex::of(source);
      ASSERT_TRUE(index) << index.error().message;
      EXPECT_EQ(index->head().frame_signals.outputs, signals_of_run.outputs);
      for (std::int64_t step = 0; step < 80; ++step) {
        const SimTime at = header_of(step).t;
        EXPECT_EQ(found_before(*index, source, at), std::min(step / 5 * 5, last)) << step;
        EXPECT_EQ(found_before(*index, source, at - 1_ns),
                  step == 0 ? -1 : std::min((step - 1) / 5 * 5, last))
            << step;
      }
    }
  }
}

TEST(LogIndex, ReadsFewKeyframesOfMany) {
  const std::string file = log_of(256, 1, 10'000);
  CountingSource source(file);
  const auto index = LogIndex::of(source);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(found_before(*index, source, header_of(99).t), 99);
  // Halved eight times; each with what stands at the beginning of the file.
  EXPECT_LT(source.read_bytes, file.size() / 10);
}

// To reach the last of forty thousand steps: the head and the end of the file, a keyframe of forty
// and those looked at on the way, and the steps behind it.
TEST(LogIndex, ReachesTheEndOfALongLogByReadingLittle) {
  constexpr std::int64_t steps = 40'000;
  LogOptions options = Recording::one_each();
  options.block_bytes = 64U << 10U;
  const std::string file = log_of(steps, 1000, 600, options);
  CountingSource source(file);
  const auto index = LogIndex::of(source);
  ASSERT_TRUE(index) << index.error().message;
  const auto found = index->keyframe_before(source, header_of(steps - 1).t);
  ASSERT_TRUE(found && found->last);
  EXPECT_EQ(found->last->head.step, steps - 1000);
  const std::uint64_t from = clock_of_keyframes.log_time(found->last->head.tick);
  const auto chunks = index->chunks({Topic::step, Topic::keyframe}, from);
  Told told;
  ASSERT_TRUE(read_log(source, told, {.chunks = &chunks}));
  EXPECT_EQ(told.steps.back(), steps - 1);
  EXPECT_LE(told.steps.front(), steps - 1000);
  EXPECT_LT(told.steps.size(), 1500U);
  EXPECT_LT(source.read_bytes, file.size() / 15);
}

TEST(LogIndex, PassesOverDamagedKeyframes) {
  const std::string whole = log_of(64, 4, 2000);
  mcap::MemorySource source_of_whole(whole);
  const auto places = LogIndex::of(source_of_whole)->chunks({Topic::keyframe});
  ASSERT_THAT(places, SizeIs(16));
  for (std::size_t damaged = 0; damaged < places.size(); ++damaged) {
    std::string file = whole;
    file[places[damaged] + 500] ^= 1;
    mcap::MemorySource source(file);
    const auto index = LogIndex::of(source);
    ASSERT_TRUE(index) << index.error().message;
    for (std::int64_t step = 0; step < 64; ++step) {
      std::int64_t expected = step / 4 * 4;
      if (expected == 4 * static_cast<std::int64_t>(damaged)) expected -= 4;
      const auto found = index->keyframe_before(source, header_of(step).t);
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(found->last ? found->last->head.step : -1, std::max<std::int64_t>(expected, -1))
          << "damaged " << damaged;
      EXPECT_EQ(found->passed_over, expected >= 0 && expected != step / 4 * 4)
          << "damaged " << damaged << ", step " << step;
    }
  }
}

TEST(LogIndex, OfALogWithoutKeyframesHasNone) {
  const Recording run;
  run.give(0, 9);
  const std::string& file = run.close();
  mcap::MemorySource source(file);
  const auto index = LogIndex::of(source);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(found_before(*index, source, header_of(9).t), -1);
}

TEST(LogIndex, TellsTheChunksOfStreamsFromATimeOn) {
  const std::string file = log_of(12, 4);
  mcap::MemorySource source(file);
  const auto index = LogIndex::of(source);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_THAT(index->chunks({Topic::keyframe}), SizeIs(3));
  EXPECT_THAT(index->chunks({Topic::step}), SizeIs(12));
  EXPECT_THAT(index->chunks({Topic::step, Topic::keyframe}), SizeIs(15));
  EXPECT_THAT(index->chunks({Topic::change}), IsEmpty());
  const std::vector<std::uint64_t> later =
      index->chunks({Topic::step}, clock_of_keyframes.log_time(header_of(9).due));
  ASSERT_THAT(later, SizeIs(3));
  Told told;
  ASSERT_TRUE(read(file, told, {.chunks = &later}));
  EXPECT_THAT(told.steps, ElementsAre(9, 10, 11));
}

TEST(LogIndex, OfAnotherFileIsRefusedInWords) {
  const std::string file = mcap::small_file();
  mcap::MemorySource source(file);
  const auto index = LogIndex::of(source);
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().message, testing::HasSubstr("not a frame log of hild"));
}

}  // namespace
}  // namespace hild::framelog
