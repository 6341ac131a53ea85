// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run that was steered, in a log, and what is played of it: all, or from a time on, to another;
/// of a log that was closed and of one that was cut.
#include "offline/replay/log_source.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "exec/plants.hpp"
#include "exec/steering_rig.hpp"
#include "hild/numerics/catalogue.hpp"
#include "offline/replay/effects.hpp"
#include "offline/replay/recorded_run.hpp"
#include "recording/framelog/frame_log.hpp"

namespace hild::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t frames_steered = 300;

/// A run of 300 frames with a keyframe every twenty, steered all the while: what it plays back
/// began long before most of them.
struct SteeredRun : RecordedRun {
  SteeredRun() : RecordedRun([] { return model::make_stepper<Tracker>(numerics::ab3); }, {wobble}) {
    settings.keyframes.every = 20;
    cost_of = rough_costs(5);
    static const std::array times{0.0, 0.1, 0.6};
    static const std::array values{0.0, 4.0, -1.0};
    post_in[10] = transaction(0, exec::Stimulus{.shape = exec::Shape::playback,
                                                .amplitude = 2,
                                                .table = {times.data(), values.data(), 3}});
    for (std::int64_t step = 15; step < frames_steered - 30; step += 7) {
      post_in[step] = transaction(0, exec::SetParameter{0, 1.0 + 0.01 * static_cast<double>(step)});
    }
    run(frames_steered);
  }

  /// Its log. Changes are told of so many steps after they took effect, as by a server.
  std::string write(std::int64_t told_late, std::size_t block_bytes) {
    std::string file = (std::filesystem::temp_directory_path() /
                        ("hild-log-source-" + std::to_string(::getpid()) + ".mcap"))
                           .string();
    auto log = create_log(file, block_bytes);
    EXPECT_TRUE(log) << log.error().message;
    std::size_t told = 0;
    std::size_t keyframe = 0;
    for (std::size_t n = 0; n < source.records.size(); ++n) {
      const io::FrameHeader& h = source.header(n);
      for (; told < replies.size() && replies[told].frame + told_late <= h.frame; ++told) {
        (*log)->changed(noted(told));
      }
      for (; keyframe < source.keyframes.size() && source.keyframes[keyframe].head.tick <= h.due;
           ++keyframe) {
        (*log)->keyframe(source.keyframes[keyframe].view());
      }
      (*log)->frame(source.view(n));
    }
    for (; told < replies.size(); ++told) (*log)->changed(noted(told));
    (*log)->flush();
    return file;
  }

 private:
  [[nodiscard]] framelog::NotedChange noted(std::size_t change) const {
    return {static_cast<std::int64_t>(change) + 1,
            framelog::write_effect(source.accepted[change], replies[change])};
  }
  [[nodiscard]] framelog::Description description() const {
    framelog::Description of_run;
    of_run.program = "hild test";
    of_run.clock = {start, 1'700'000'000'000'000'000, settings.grid};
    of_run.signals.inputs = {{"u", ""}};
    for (std::size_t i = 0; i < source.frame_layout.outputs(); ++i) {
      of_run.signals.outputs.push_back({"y" + std::to_string(i), ""});
    }
    for (std::size_t i = 0; i < source.frame_layout.states(); ++i) {
      of_run.signals.states.push_back({"x" + std::to_string(i), ""});
    }
    return of_run;
  }

  [[nodiscard]] Result<std::unique_ptr<framelog::FrameLog>> create_log(
      const std::string& file, std::size_t block_bytes) const {
    config::Record record;
    record.file = file;
    record.inputs.assign(1, true);
    record.outputs.assign(source.frame_layout.outputs(), true);
    record.states.assign(source.frame_layout.states(), true);
    auto output = mcap::FileOutput::create(file, mcap::FileOutput::Existing::replace);
    EXPECT_TRUE(output);
    framelog::LogOptions options;
    options.wait = true;
    options.block_bytes = block_bytes;
    return framelog::FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)),
                                      description(), source.frame_layout, record,
                                      std::move(options));
  }
};

struct LogFile {
  explicit LogFile(std::string of) : name(std::move(of)) {}
  ~LogFile() { std::filesystem::remove(name); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  std::string name;
};

/// At a keyframe before this step, or at the start of the run, which has none.
void expect_to_begin_at(std::int64_t step, replay::StepSource& log) {
  ASSERT_EQ(log.begins_at() != nullptr, step > 0);
  if (step > 0) {
    EXPECT_EQ(log.begins_at()->head.step, step);
  }
}

/// Plays what a log has of the run, from a time on, and expects the record to the bit.
void expect_the_record(SteeredRun& run, const std::string& file, const replay::LogRange& range,
                       std::int64_t begins_at, std::int64_t steps) {
  auto opened = replay::LogSource::open(file, range);
  ASSERT_TRUE(opened) << opened.error().message;
  replay::LogSource& log = **opened;
  ASSERT_NO_FATAL_FAILURE(expect_to_begin_at(begins_at, log));
  const auto differences = run.replay_of(log);
  ASSERT_EQ(run.problem, "");
  EXPECT_EQ(log.problem(), "");
  EXPECT_TRUE(differences.empty()) << "in step " << differences.front().step;
  EXPECT_TRUE(run.states.empty()) << run.states.front().section;
  EXPECT_EQ(run.replayed, steps);
}

/// The number of the first step at or after a time, and of how many there are up to another.
std::int64_t steps_until(SteeredRun& run, SimTime time) {
  std::int64_t steps = 0;
  for (std::size_t n = 0; n < run.source.records.size(); ++n) {
    steps += run.source.header(n).t <= time ? 1 : 0;
  }
  return steps;
}

TEST(LogSource, PlaysFromTheLastKeyframeBeforeATime) {
  SteeredRun run;
  ASSERT_GT(run.source.keyframes.size(), 10U);
  const auto all = static_cast<std::int64_t>(run.source.records.size());
  for (const std::int64_t told_late : {0, 3, 45}) {
    for (const std::size_t block_bytes :
         {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 20U}) {
      const LogFile file(run.write(told_late, block_bytes));
      ASSERT_NO_FATAL_FAILURE(expect_the_record(run, file.name, {}, 0, all));
      const SimTime early = run.source.keyframes[0].head.time - 1_ns;
      ASSERT_NO_FATAL_FAILURE(expect_the_record(run, file.name, {.from = early}, 0, all));
      for (std::size_t k = 0; k < run.source.keyframes.size(); k += 3) {
        const exec::KeyframeHead& head = run.source.keyframes[k].head;
        const std::int64_t before = steps_until(run, head.time - 1_ns);
        ASSERT_NO_FATAL_FAILURE(
            expect_the_record(run, file.name, {.from = head.time}, head.step, all - before))
            << told_late << ", " << block_bytes;
        // To an instant a little later.
        const SimTime to = head.time + 7_ms;
        ASSERT_NO_FATAL_FAILURE(expect_the_record(run, file.name, {.from = head.time, .to = to},
                                                  head.step, steps_until(run, to) - before));
      }
    }
  }
}

// As by a power cut: there is no index at its end.
TEST(LogSource, PlaysFromAKeyframeOfALogThatWasCut) {
  SteeredRun run;
  const LogFile file(run.write(0, 1));
  std::filesystem::resize_file(file.name, std::filesystem::file_size(file.name) * 3 / 4);
  auto whole = replay::LogSource::open(file.name);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE(run.replay_of(**whole).empty());
  const std::int64_t all = run.replayed;
  ASSERT_GT(all, frames_steered / 2);
  const exec::KeyframeHead& head = run.source.keyframes[4].head;
  auto part = replay::LogSource::open(file.name, {.from = head.time});
  ASSERT_TRUE(part) << part.error().message;
  ASSERT_NE((*part)->begins_at(), nullptr);
  EXPECT_EQ((*part)->begins_at()->head.step, head.step);
  EXPECT_TRUE(run.replay_of(**part).empty());
  EXPECT_EQ(run.problem, "");
  EXPECT_EQ(run.replayed, all - steps_until(run, head.time - 1_ns));
}

// Steps up to there are played, since what follows comes of them.
TEST(LogSource, StepsBeforeATimeNeedNotBeCompared) {
  SteeredRun run;
  const LogFile file(run.write(0, 1));
  const exec::KeyframeHead& head = run.source.keyframes[4].head;
  run.compare_from = head.time + 5_ms;
  auto log = replay::LogSource::open(file.name, {.from = run.compare_from});
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_TRUE(run.replay_of(**log).empty());
  const std::int64_t before =
      steps_until(run, run.compare_from - 1_ns) - steps_until(run, head.time - 1_ns);
  ASSERT_GT(before, 0);
  EXPECT_EQ(run.compared, run.replayed - before);
}

// Whose id it has does not tell alone.
TEST(Effects, ATableIsOfItsTransactionItsChangeAndItsStart) {
  static const std::array times{0.0, 0.1};
  static const std::array values{1.0, 2.0};
  framelog::Effect effect;
  effect.time = SimTime{} + 30_ms;
  effect.transaction =
      transaction(7, exec::Mark{1},
                  exec::Stimulus{.shape = exec::Shape::playback,
                                 .table = {times.data(), values.data(), times.size()}});
  const exec::PlaybackTable* const table = replay::table_in(effect, 7, 1, effect.time);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->size, times.size());
  EXPECT_EQ(replay::table_in(effect, 8, 1, effect.time), nullptr);
  EXPECT_EQ(replay::table_in(effect, 7, 0, effect.time), nullptr) << "a mark";
  EXPECT_EQ(replay::table_in(effect, 7, 2, effect.time), nullptr);
  EXPECT_EQ(replay::table_in(effect, 7, 1, effect.time + 1_ms), nullptr);
}

TEST(LogSource, DamagedChangesAreToldOf) {
  SteeredRun run;
  const LogFile file(run.write(0, 1));
  auto opened = mcap::FileSource::open(file.name);
  ASSERT_TRUE(opened);
  const auto index = framelog::LogIndex::of(*opened);
  ASSERT_TRUE(index);
  const auto changes = index->chunks({framelog::Topic::change});
  ASSERT_GT(changes.size(), 20U);
  {
    std::fstream bytes(file.name, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(changes[20] + 100));
    bytes.put('\x55');
  }
  auto log = replay::LogSource::open(file.name);
  ASSERT_TRUE(log) << log.error().message;
  run.replay_of(**log);
  EXPECT_THAT((*log)->problem(), HasSubstr("the log is damaged"));
}

}  // namespace
}  // namespace hild::testing
