// SPDX-License-Identifier: Apache-2.0
/// \file
/// A recorder that begins, ends and goes on in new files while the run goes on: no step is missing
/// between two files, each begins with what a replay needs, and what fails is told.
#include "recording/framelog/roll.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "core/archive_sections.hpp"
#include "recording/framelog/changes.hpp"
#include "recording/framelog/file_series.hpp"
#include "recording/mcap/file.hpp"
#include "runs.hpp"

namespace hild::framelog {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// What a file of a recorder holds.
class RollContents final : public LogVisitor {
 public:
  explicit RollContents(const std::string& file) {
    auto source = mcap::FileSource::open(file);
    EXPECT_TRUE(source) << file;
    if (!source) return;
    const auto scan = read_log(*source, *this, {.verify = true});
    EXPECT_TRUE(scan) << file;
    whole = scan && scan->file.complete && scan->file.damages.empty();
  }
  void begin(const LogHead& head) override {
    mid_run = value_of(head.description.run, run_begins) == begins_mid_run;
  }
  void frame(const io::FrameView& record) override { steps.push_back(record.header().step); }
  void gap(const Gap& gap) override { gaps.push_back(gap); }
  void change(Effect& effect) override { changes.push_back(effect.number); }
  void keyframe(exec::Keyframe& keyframe) override { keyframes.push_back(keyframe.head.step); }

  bool whole = false;
  bool mid_run = false;
  std::vector<std::int64_t> steps, changes, keyframes;
  std::vector<Gap> gaps;
};

exec::Keyframe keyframe_at(std::int64_t step, std::int64_t transactions) {
  exec::Keyframe keyframe;
  const io::FrameHeader at = header_of(step);
  keyframe.head = {
      .step = step, .frame = at.frame, .time = at.t, .tick = at.due, .transactions = transactions};
  append({"run", {}}, keyframe.state);
  keyframe.head.bytes = keyframe.state.size();
  return keyframe;
}

/// A recorder in a folder of its own, and the run that it records.
struct RolledRun {
  explicit RolledRun(config::Record with = everything()) : settings(std::move(with)) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    settings.file = path("run.mcap");
  }
  ~RolledRun() {
    roll.reset();
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
  }
  RolledRun(const RolledRun&) = delete;
  RolledRun& operator=(const RolledRun&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (fs::path(folder) / name).string();
  }
  void make(bool keyframes = true) {
    settings.keyframes = keyframes;
    RollOptions options;
    options.wait = true;
    options.patience = 200_ms;
    options.again = 40_ms;
    options.tell = [this](const std::string& words) { told.push_back(words); };
    options.ask_keyframe = [this] { asked = true; };
    options.open = [this](const std::string& file, bool mid_run) { return open(file, mid_run); };
    roll = std::make_unique<Roll>(settings, std::move(options));
  }
  Result<std::unique_ptr<FrameLog>> open(const std::string& file, bool mid_run) const {
    auto output = mcap::FileOutput::create(file, mcap::FileOutput::Existing::refuse);
    if (!output) return tl::make_unexpected(output.error());
    Description about = description_of_run();
    if (mid_run) about.run.emplace_back(run_begins, begins_mid_run);
    config::Record own = settings;
    own.file = file;
    return FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)), about,
                            layout_of_run, own, Recording::one_each());
  }
  /// Ordinary steps; the loop makes the keyframes that it is asked for, so many steps later.
  void give(std::int64_t first, std::int64_t last, std::int64_t later = 1) {
    for (std::int64_t step = first; step <= last; ++step) {
      if (asked.exchange(false)) due = step + later;
      if (due == step) roll->keyframe(keyframe_at(step, transactions).view());
      roll->frame(Record(header_of(step)).view());
    }
  }
  /// A change that took effect at the start of a step.
  void change(std::int64_t step, const exec::Change& what = exec::Mark{1}) {
    exec::Transaction t;
    t.id = static_cast<std::uint64_t>(step) + 1;
    ASSERT_TRUE(t.add(what));
    roll->changed(t, {.id = t.id, .frame = step, .time = header_of(step).t});
  }
  /// Until what has ended is whole on the disk.
  void await_closed() const {
    while (roll->status().closing > 0) std::this_thread::yield();
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& one : fs::directory_iterator(folder)) {
      names.push_back(one.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  std::string folder = fs::temp_directory_path() / fmt::format("hild-roll-{}", ::getpid());
  config::Record settings;
  std::atomic<bool> asked{false};
  std::int64_t due = -1;
  std::int64_t transactions = 0;
  std::vector<std::string> told;
  std::unique_ptr<Roll> roll;
};

config::Record rotated(Duration time, std::size_t keep = 0) {
  config::Record settings = everything();
  settings.rotation = {.bytes = 0, .time = time, .keep = keep};
  return settings;
}

std::vector<std::int64_t> from_to(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(last - first + 1));
  for (std::int64_t n = first; n <= last; ++n) all.push_back(n);
  return all;
}

TEST(Roll, OneThatBeginsWithTheRunIsOneFileByItsName) {
  RolledRun run;
  run.make();
  ASSERT_TRUE(run.roll->begin());
  run.give(0, 9);
  EXPECT_EQ(run.roll->status().state, Roll::State::recording);
  run.roll->flush();
  EXPECT_THAT(run.files(), ElementsAre("run.mcap"));
  const RollContents got(run.path("run.mcap"));
  EXPECT_TRUE(got.whole);
  EXPECT_FALSE(got.mid_run);
  EXPECT_EQ(got.steps, from_to(0, 9));
  ASSERT_TRUE(run.roll->total());
  EXPECT_EQ(run.roll->total()->frames, 10);
  EXPECT_EQ(run.roll->total()->files, 1);
}

// A file is over with the first frame 20 ms after its first, at 1 ms a frame; the next begins with
// the step of the keyframe, which comes a step later.
TEST(Roll, GoesOnInANewFileAtAKeyframeAndMissesNoStep) {
  RolledRun run(rotated(20_ms));
  run.make();
  ASSERT_TRUE(run.roll->begin());
  run.give(0, 49);
  run.roll->flush();
  ASSERT_THAT(run.files(), ElementsAre("run-0001.mcap", "run-0002.mcap", "run-0003.mcap"));
  const RollContents first(run.path("run-0001.mcap"));
  const RollContents second(run.path("run-0002.mcap"));
  const RollContents third(run.path("run-0003.mcap"));
  EXPECT_FALSE(first.mid_run);
  EXPECT_TRUE(second.mid_run);
  EXPECT_EQ(first.steps, from_to(0, 21));
  EXPECT_EQ(second.steps, from_to(22, 43));
  EXPECT_EQ(third.steps, from_to(44, 49));
  EXPECT_THAT(second.keyframes, ElementsAre(22));
  EXPECT_THAT(third.keyframes, ElementsAre(44));
  for (const RollContents* one : {&first, &second, &third}) {
    EXPECT_TRUE(one->whole);
    EXPECT_THAT(one->gaps, IsEmpty()) << "of no step before its first";
  }
  EXPECT_EQ(run.roll->total()->frames, 50);
  EXPECT_EQ(run.roll->total()->files, 3);
  EXPECT_THAT(run.told, IsEmpty());
}

TEST(Roll, GoesOnInANewFileOnceTheOldOneIsLargeEnough) {
  config::Record settings = everything();
  settings.rotation.bytes = 20'000;
  RolledRun run(settings);
  run.make();
  ASSERT_TRUE(run.roll->begin());
  std::int64_t step = 0;
  // Blocks are written by a thread that may be slow.
  std::uint64_t most = 0;
  for (; run.roll->status().files < 3 && step < 1'000'000; ++step) {
    run.give(step, step);
    const Roll::Status now = run.roll->status();
    if (now.files == 1) most = std::max(most, now.bytes);
  }
  EXPECT_GE(most, 20'000U) << "told while it is written";
  run.roll->flush();
  std::vector<std::int64_t> steps;
  for (const std::string& name : run.files()) {
    const RollContents one(run.path(name));
    steps.insert(steps.end(), one.steps.begin(), one.steps.end());
    if (name < "run-0003.mcap") {
      EXPECT_GE(fs::file_size(run.path(name)), 20'000U) << name;
    }
  }
  EXPECT_THAT(run.files(), SizeIs(3));
  EXPECT_EQ(steps, from_to(0, step - 1));
}

TEST(Roll, BeginsAndEndsWhenAsked) {
  config::Record settings = everything();
  settings.with_run = false;
  RolledRun run(settings);
  run.make();
  run.give(0, 4);
  EXPECT_EQ(run.roll->status().state, Roll::State::idle);
  EXPECT_EQ(run.roll->status().bytes, 0U);
  EXPECT_THAT(run.files(), IsEmpty());
  EXPECT_THAT(run.roll->stop().error().message, HasSubstr("recorder record does not record"));
  ASSERT_TRUE(run.roll->start());
  EXPECT_EQ(run.roll->status().state, Roll::State::beginning);
  EXPECT_THAT(run.roll->start().error().message, HasSubstr("recorder record records already"));
  run.give(5, 14);
  EXPECT_EQ(run.roll->status().state, Roll::State::recording);
  EXPECT_EQ(run.roll->status().file, run.path("run-0001.mcap"));
  ASSERT_TRUE(run.roll->stop());
  run.give(15, 19);
  EXPECT_EQ(run.roll->status().state, Roll::State::idle);
  run.await_closed();
  EXPECT_EQ(run.roll->status().bytes, fs::file_size(run.path("run-0001.mcap")));
  const RollContents first(run.path("run-0001.mcap"));
  EXPECT_TRUE(first.whole) << "while the run goes on";
  EXPECT_TRUE(first.mid_run);
  EXPECT_THAT(first.gaps, IsEmpty());
  ASSERT_FALSE(first.keyframes.empty());
  EXPECT_EQ(first.steps, from_to(first.keyframes.front(), 14));
  EXPECT_LE(first.keyframes.front(), 7);
  ASSERT_TRUE(run.roll->start());
  run.give(20, 29);
  run.roll->flush();
  EXPECT_THAT(run.files(), ElementsAre("run-0001.mcap", "run-0002.mcap"));
  EXPECT_EQ(RollContents(run.path("run-0002.mcap")).steps.back(), 29);
  EXPECT_EQ(run.roll->total()->files, 2);
}

// As where the run is asked to record and not to at once, or ends meanwhile.
TEST(Roll, NothingIsLeftOfAFileThatNoFrameCameTo) {
  config::Record settings = everything();
  settings.with_run = false;
  RolledRun run(settings);
  run.make();
  ASSERT_TRUE(run.roll->start());
  run.give(0, 2, 1'000);
  EXPECT_THAT(run.files(), ElementsAre("run-0001.mcap"));
  ASSERT_TRUE(run.roll->stop());
  run.give(3, 5, 1'000);
  run.await_closed();
  EXPECT_THAT(run.files(), IsEmpty());
  run.roll->flush();
  EXPECT_FALSE(run.roll->total());
}

// It is told of sooner than the record of its step comes out of the ring.
TEST(Roll, AChangeOfTheStepThatAFileBeginsWithIsInIt) {
  config::Record settings = everything();
  settings.with_run = false;
  RolledRun run(settings);
  run.make();
  ASSERT_TRUE(run.roll->start());
  run.give(0, 3, 1'000);
  run.roll->keyframe(keyframe_at(4, 0).view());
  run.change(4);
  run.give(4, 9, 1'000);
  run.roll->flush();
  const RollContents got(run.path("run-0001.mcap"));
  EXPECT_EQ(got.steps.front(), 4);
  EXPECT_THAT(got.changes, ElementsAre(1));
}

// The step of the first keyframe did not come out of the ring: another one is asked for.
TEST(Roll, BeginsWithTheStepOfItsKeyframeAlone) {
  config::Record settings = everything();
  settings.with_run = false;
  RolledRun run(settings);
  run.make();
  ASSERT_TRUE(run.roll->start());
  run.give(0, 3, 1'000);
  run.asked = false;
  run.roll->keyframe(keyframe_at(4, 0).view());
  run.give(5, 9, 2);
  run.roll->flush();
  const RollContents got(run.path("run-0001.mcap"));
  EXPECT_THAT(got.keyframes, ElementsAre(8));
  EXPECT_EQ(got.steps, from_to(8, 9));
}

TEST(Roll, BeginsWithoutAKeyframeWhereNoneComesAndSaysSo) {
  RolledRun run(rotated(20_ms));
  run.make();
  ASSERT_TRUE(run.roll->begin());
  // So many frames of patience as there are milliseconds.
  run.give(0, 230, 100'000);
  run.roll->flush();
  ASSERT_THAT(run.files(), ElementsAre("run-0001.mcap", "run-0002.mcap"));
  const RollContents second(run.path("run-0002.mcap"));
  EXPECT_TRUE(second.mid_run);
  EXPECT_THAT(second.keyframes, IsEmpty());
  EXPECT_THAT(second.gaps, IsEmpty());
  EXPECT_EQ(second.steps, from_to(221, 230));
  ASSERT_THAT(run.told, SizeIs(1));
  EXPECT_THAT(run.told.front(), HasSubstr("run-0002.mcap begins without a keyframe"));
}

TEST(Roll, OneThatRecordsNotableStepsNeedsNoKeyframe) {
  config::Record settings = rotated(20_ms);
  settings.all_frames = false;
  RolledRun run(settings);
  run.make(false);
  ASSERT_TRUE(run.roll->begin());
  run.give(0, 45);
  run.roll->flush();
  EXPECT_THAT(run.files(), ElementsAre("run-0001.mcap", "run-0002.mcap", "run-0003.mcap"));
  EXPECT_FALSE(run.asked);
}

TEST(Roll, KeepsSoManyFilesAndTouchesNoOthers) {
  RolledRun run(rotated(20_ms, 2));
  const std::vector<std::string> others{"other-0001.mcap", "run-0001.txt", "run-1.mcap",
                                        "run-00x1.mcap", "run.mcap"};
  for (const std::string& name : others) std::ofstream(run.path(name)) << "kept";
  std::ofstream(run.path("run-0007.mcap")) << "of an earlier run";
  run.make();
  ASSERT_TRUE(run.roll->begin());
  run.give(0, 99);
  run.roll->flush();
  std::vector<std::string> expected = others;
  expected.insert(expected.end(), {"run-0011.mcap", "run-0012.mcap"});
  std::ranges::sort(expected);
  EXPECT_EQ(run.files(), expected) << "0007 of an earlier run, then 0008 to 0012 of this one";
  EXPECT_EQ(run.roll->total()->files, 5);
}

// The number of a change among all of the run says which file it is of, however late it is told of.
TEST(Roll, AChangeIsInTheFileOfItsStep) {
  RolledRun run(rotated(20_ms));
  run.make();
  ASSERT_TRUE(run.roll->begin());
  run.give(0, 10);
  run.change(3);         // 1
  run.change(9);         // 2
  run.transactions = 3;  // by the time of the keyframe, of step 22; the last is told of after it
  run.give(11, 23);
  run.change(20);  // 3
  run.change(23);  // 4
  run.give(24, 30);
  run.roll->flush();
  EXPECT_THAT(RollContents(run.path("run-0001.mcap")).changes, ElementsAre(1, 2, 3));
  EXPECT_THAT(RollContents(run.path("run-0002.mcap")).changes, ElementsAre(1, 2, 3, 4))
      << "and of those before, for who goes on from there";
}

// What a playback plays is in the change that began it, and in no keyframe.
TEST(Roll, AFileHasTheTablesThatAreInForceWhenItBegins) {
  RolledRun run(rotated(20_ms));
  run.make();
  ASSERT_TRUE(run.roll->begin());
  // More than is kept of what was before.
  std::vector<double> times(100'000);
  std::iota(times.begin(), times.end(), 0.5);
  const exec::Stimulus playback{.input = 1,
                                .shape = exec::Shape::playback,
                                .amplitude = 1,
                                .table = {times.data(), times.data(), times.size()}};
  exec::Stimulus ended = playback;
  ended.input = 0;
  run.give(0, 5);
  run.change(1, ended);                  // 1
  run.change(2, playback);               // 2
  run.change(3, exec::StopStimulus{0});  // 3
  run.transactions = 3;
  run.give(6, 30);
  run.roll->flush();
  EXPECT_THAT(RollContents(run.path("run-0001.mcap")).changes, ElementsAre(1, 2, 3));
  EXPECT_THAT(RollContents(run.path("run-0002.mcap")).changes, ElementsAre(2));
}

TEST(Roll, WhereNoFileCanBeMadeTheOldOneIsGoneOnWithAndItIsTold) {
  RolledRun run(rotated(20_ms));
  run.make();
  ASSERT_TRUE(run.roll->begin());
  // A folder that is gone: root may write anywhere else.
  const std::string moved = run.folder + "-moved";
  fs::rename(run.folder, moved);
  run.give(0, 60);
  EXPECT_EQ(run.roll->status().state, Roll::State::recording);
  EXPECT_THAT(run.roll->status().error, HasSubstr("cannot write"));
  ASSERT_THAT(run.told, testing::Not(IsEmpty()));
  EXPECT_THAT(run.told.back(), HasSubstr("it goes on in the file before"));
  fs::rename(moved, run.folder);
  run.give(61, 100);  // it is tried again 40 frames after the frame that learnt of it
  run.roll->flush();
  ASSERT_THAT(run.files(), SizeIs(testing::Ge(2U)));
  EXPECT_EQ(RollContents(run.path("run-0001.mcap")).steps.front(), 0);
  EXPECT_EQ(run.roll->total()->frames, 101);
}

TEST(Roll, OneThatIsAskedForAndCannotBeMadeIsToldAndRecordsNothing) {
  config::Record settings = everything();
  settings.with_run = false;
  RolledRun run(settings);
  run.make();
  fs::remove_all(run.folder);
  ASSERT_TRUE(run.roll->start());
  run.give(0, 3);
  EXPECT_EQ(run.roll->status().state, Roll::State::idle);
  EXPECT_THAT(run.roll->status().error, HasSubstr("No such file or directory"));
  ASSERT_THAT(run.told, SizeIs(1));
  EXPECT_THAT(run.told.front(), HasSubstr("the run goes on"));
  fs::create_directories(run.folder);
  ASSERT_TRUE(run.roll->start()) << "and may be asked again";
  run.give(4, 9);
  EXPECT_EQ(run.roll->status().error, "");
  run.roll->flush();
  EXPECT_THAT(run.files(), ElementsAre("run-0001.mcap"));
}

TEST(FileSeries, NamesAreInTheirOrder) {
  EXPECT_EQ(numbered("/data/run.mcap", 1), "/data/run-0001.mcap");
  EXPECT_EQ(numbered("run.of.today.mcap", 12'345), "run.of.today-12345.mcap");
  EXPECT_THAT(numbers_of("/no/such/folder/run.mcap"), IsEmpty());
}

}  // namespace
}  // namespace hild::framelog
