// SPDX-License-Identifier: Apache-2.0
/// \file
/// Disks that are full, that come back, that are slow: the run goes on, and the loss is told.
#include <gmock/gmock.h>

#include <array>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "recording/mcap/file.hpp"
#include "runs.hpp"

namespace hild::framelog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST(Disk, FullFromSomeFrameOnWhatWasWrittenStays) {
  std::vector<std::string> told;
  LogOptions options = Recording::one_each();
  options.tell = [&](const std::string& text) { told.push_back(text); };
  config::Record record = everything();
  record.compress = false;  // a smaller block might fit where one did not
  const Recording run(record, options);
  run.memory->room = run.memory->bytes.size() + 20'000;
  run.give(0, 99);
  Contents got;
  const auto scan = read(run.close(), got);
  ASSERT_TRUE(scan);
  const LogStatus& status = run.log->status();
  EXPECT_FALSE(scan->file.complete);
  EXPECT_EQ(scan->file.damage_count, 0U);
  EXPECT_GT(status.frames, 0);
  EXPECT_GT(status.lost, 0);
  EXPECT_EQ(status.frames + status.lost, 100);
  EXPECT_THAT(got.frames, SizeIs(status.frames));
  EXPECT_EQ(got.frames.back().step, status.frames - 1) << "the first of them, none is missing";
  EXPECT_THAT(status.error, HasSubstr("no room"));
  EXPECT_THAT(status.error, HasSubstr(fmt::format("{} of 100 frames", status.lost)));
  EXPECT_THAT(status.error, HasSubstr("--recover"));
  ASSERT_THAT(told, SizeIs(1)) << "said once, not for each block";
  EXPECT_THAT(told[0], HasSubstr("the run goes on"));
}

/// Refuses what comes while `broken`; counts what it was asked, so that a test can wait.
class Breakable final : public mcap::Output {
 public:
  explicit Breakable(std::shared_ptr<mcap::MemoryOutput> to) : to_(std::move(to)) {}
  Result<void> append(std::span<const std::string_view> parts) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !stalled_; });
    ++asked_;
    changed_.notify_all();
    if (broken_) return fail("the disk is broken");
    return to_->append(parts);
  }
  Result<void> sync() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !syncs_held_; });
    ++synced_;
    changed_.notify_all();
    if (syncs_broken_) return fail("the disk forgets");
    return {};
  }

  void set(bool broken, bool stalled) {
    const std::lock_guard lock(mutex_);
    broken_ = broken;
    stalled_ = stalled;
    changed_.notify_all();
  }
  void hold_syncs(bool hold) {
    const std::lock_guard lock(mutex_);
    syncs_held_ = hold;
    changed_.notify_all();
  }
  void break_syncs(bool broken) {
    const std::lock_guard lock(mutex_);
    syncs_broken_ = broken;
  }
  int synced() {
    const std::lock_guard lock(mutex_);
    return synced_;
  }
  /// Until it was synced so often.
  void wait_for_syncs(int synced) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return synced_ >= synced; });
  }
  /// Until it was asked so often.
  void wait_for(int asked) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_ >= asked; });
  }
  int asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  std::shared_ptr<mcap::MemoryOutput> to_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool broken_ = false;
  bool stalled_ = false;
  bool syncs_held_ = false;
  bool syncs_broken_ = false;
  int synced_ = 0;
  int asked_ = 0;
};

struct BreakableRun {
  explicit BreakableRun(LogOptions options, const config::Record& settings = everything()) {
    auto output = std::make_unique<Breakable>(memory);
    disk = output.get();
    log = *FrameLog::create(std::move(output), description_of_run(), layout_of_run, settings,
                            std::move(options));
  }
  void give(std::int64_t step) const { log->frame(Record(header_of(step)).view()); }
  std::shared_ptr<mcap::MemoryOutput> memory = std::make_shared<mcap::MemoryOutput>();
  Breakable* disk;
  std::unique_ptr<FrameLog> log;
};

TEST(Disk, ThatComesBackLeavesAMarkedGap) {
  const BreakableRun run(Recording::one_each());
  const int begun = run.disk->asked();
  run.give(0);
  run.disk->wait_for(begun + 1);
  run.disk->set(true, false);
  run.give(1);
  run.give(2);
  run.disk->wait_for(begun + 3);
  run.disk->set(false, false);
  run.give(3);  // its block may have been taken before the loss was known
  run.disk->wait_for(begun + 4);
  run.give(4);
  run.log->flush();
  Contents got;
  const auto scan = read(run.memory->bytes, got, {.verify = true});
  ASSERT_TRUE(scan);
  EXPECT_TRUE(scan->file.complete);
  EXPECT_THAT(got.steps(), ElementsAre(0, 3, 4));
  // In one gap or in two: the second block may have been lost with the word of the first in it.
  const Gap one{1, 1, Gap::Reason::disk};
  const Gap two{2, 2, Gap::Reason::disk};
  EXPECT_THAT(got.gaps,
              testing::AnyOf(ElementsAre(one, two), ElementsAre(Gap{1, 2, Gap::Reason::disk})));
  EXPECT_EQ(run.log->status().lost, 2);
  EXPECT_THAT(run.log->status().error, HasSubstr("the disk is broken; 2 of 5 frames"));
}

// Each write is taken and forgotten: said once, for as long as it lasts, and counted.
TEST(Disk, ThatForgetsWhatItTook) {
  std::vector<std::string> told;
  LogOptions options = Recording::one_each();
  options.tell = [&](const std::string& text) { told.push_back(text); };
  const BreakableRun run(std::move(options));
  int syncs = run.disk->synced();
  const auto give = [&](std::int64_t step) {
    run.give(step);
    run.disk->wait_for_syncs(++syncs);
  };
  give(0);
  run.disk->break_syncs(true);
  for (std::int64_t step = 1; step <= 3; ++step) give(step);
  run.disk->break_syncs(false);
  give(4);
  run.log->flush();
  EXPECT_THAT(told,
              ElementsAre(HasSubstr("the disk forgets; the run goes on"), "recording goes on"));
  EXPECT_EQ(run.log->status().lost, 0);
  EXPECT_THAT(run.log->status().error,
              HasSubstr("the disk forgets; 3 frames were written, but may not be on the disk"));
}

// At the end there is time: what was kept back until then waits for the disk.
TEST(Disk, ThatStallsAtTheEndIsWaitedFor) {
  LogOptions options = Recording::one_each();
  options.wait = false;
  options.blocks = 2;
  config::Record settings = everything();
  settings.all_frames = false;
  const BreakableRun run(std::move(options), settings);
  run.disk->set(false, true);
  for (std::int64_t step = 0; step < 18; ++step) run.give(step);  // sixteen of them kept back
  std::thread later([&] {
    // Long enough for the end to have begun, mostly; the outcome does not depend on it.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run.disk->set(false, false);
  });
  run.log->flush();
  later.join();
  EXPECT_EQ(run.log->status().lost, 0);
  Contents got;
  ASSERT_TRUE(read(run.memory->bytes, got, {.verify = true}));
  EXPECT_THAT(got.of(LogPart::outputs), SizeIs(18));
}

// Two blocks are all there is: while the disk holds one, one is filled, and the rest is counted.
TEST(Disk, ThatStallsCostsFramesAndNoTime) {
  LogOptions options = Recording::one_each();
  options.wait = false;
  options.blocks = 2;
  const BreakableRun run(std::move(options));
  const int begun = run.disk->asked();
  run.disk->set(false, true);
  for (std::int64_t step = 0; step < 10; ++step) run.give(step);
  run.disk->set(false, false);
  run.disk->wait_for(begun + 2);
  // Blocks come back a moment after they are written.
  std::int64_t step = 10;
  for (; run.disk->asked() < begun + 3; ++step) run.give(step);
  run.log->flush();
  Contents got;
  ASSERT_TRUE(read(run.memory->bytes, got, {.verify = true}));
  const LogStatus& status = run.log->status();
  ASSERT_GE(got.frames.size(), 3U);
  EXPECT_EQ(got.frames[0].step, 0);
  EXPECT_EQ(got.frames[1].step, 1);
  EXPECT_GE(status.lost, 8);
  EXPECT_EQ(status.lost + status.frames, step);
  ASSERT_FALSE(got.gaps.empty());
  EXPECT_EQ(got.gaps[0].first, 2);
  EXPECT_EQ(got.gaps[0].last, got.frames[2].step - 1);
  EXPECT_EQ(got.gaps[0].reason, Gap::Reason::disk);
  EXPECT_THAT(status.error, HasSubstr("too slow"));
}

// 64 blocks there may be, and up to 16 that wait are compressed. The first is with the disk while
// 39 are given, so 38 wait behind the second: those with more than 16 behind them are written as
// they are.
TEST(Disk, ThatFallsBehindGetsBlocksAsTheyAre) {
  LogOptions options = Recording::one_each();
  options.wait = false;
  options.blocks = 64;
  const BreakableRun run(std::move(options));
  run.disk->set(false, true);
  for (std::int64_t step = 0; step < 40; ++step) run.give(step);
  run.disk->set(false, false);
  run.log->flush();
  EXPECT_EQ(run.log->status().lost, 0);
  // The first may be taken before or after others have come.
  EXPECT_THAT(run.log->status().uncompressed, testing::AnyOf(22, 23));
  Contents got;
  const auto scan = read(run.memory->bytes, got, {.verify = true});
  ASSERT_TRUE(scan);
  EXPECT_EQ(scan->file.damage_count, 0U);
  EXPECT_THAT(got.frames, SizeIs(40));
}

// Who waits for the disk has the same file of the same run, however long the disk takes.
TEST(Disk, GetsTheSameBytesWhereTheRunWaitsForIt) {
  std::array<std::string, 2> files;
  for (const bool stalls : {false, true}) {
    LogOptions options = Recording::one_each();
    options.blocks = 64;
    const BreakableRun run(std::move(options));
    run.disk->set(false, stalls);
    for (std::int64_t step = 0; step < 40; ++step) run.give(step);
    run.disk->set(false, false);
    run.log->flush();
    EXPECT_EQ(run.log->status().uncompressed, 0);
    files[stalls ? 1 : 0] = run.memory->bytes;
  }
  EXPECT_EQ(files[0], files[1]);
}

TEST(Disk, IsGivenWhatIsSmallerUnlessAskedNotTo) {
  config::Record plain = everything();
  plain.compress = false;
  const Recording as_it_is(plain);
  const Recording packed(everything());
  for (const Recording* run : {&as_it_is, &packed}) run->give(0, 99);
  const std::string& large = as_it_is.close();
  const std::string& small = packed.close();
  EXPECT_EQ(large.find("zstd"), std::string::npos);
  EXPECT_NE(small.find("zstd"), std::string::npos);
  EXPECT_LT(small.size(), large.size());
  EXPECT_EQ(as_it_is.log->status().uncompressed, 0) << "as it was asked to be";
  Contents one;
  Contents other;
  ASSERT_TRUE(read(large, one, {.verify = true}));
  ASSERT_TRUE(read(small, other, {.verify = true}));
  EXPECT_EQ(one.steps(), other.steps());
  EXPECT_EQ(one.outputs, other.outputs);
}

// Two blocks, and every frame waits for one: were writing to wait for a sync, this would not end.
TEST(Disk, ThatStallsWhileItSyncsIsWrittenBesideIt) {
  LogOptions options = Recording::one_each();
  options.wait = true;
  options.blocks = 2;
  const BreakableRun run(std::move(options));
  const int begun = run.disk->asked();
  run.disk->hold_syncs(true);
  for (std::int64_t step = 0; step < 10; ++step) run.give(step);
  run.disk->wait_for(begun + 10);
  run.disk->hold_syncs(false);
  run.log->flush();
  EXPECT_EQ(run.log->status().frames, 10);
  EXPECT_EQ(run.log->status().lost, 0);
}

/// A recording in a file that others get at.
class ExposedFile : public testing::Test {
 protected:
  ExposedFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "hild-exposed-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    file_ = folder_ + "/run.mcap";
    LogOptions options = Recording::one_each();
    options.look = 1_ms;
    options.tell = [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      told_.push_back(text);
      changed_.notify_all();
    };
    config::Record settings = everything();
    settings.file = file_;
    auto output = mcap::FileOutput::create(file_, mcap::FileOutput::Existing::refuse);
    log_ = *FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)),
                             description_of_run(), layout_of_run, settings, std::move(options));
  }
  ~ExposedFile() override {
    log_.reset();
    std::filesystem::remove_all(folder_);
  }
  void give(std::int64_t first, std::int64_t last) const {
    for (std::int64_t step = first; step <= last; ++step) {
      log_->frame(Record(header_of(step)).view());
    }
  }
  // Blocks come back when they are written: one that waits for all of them has seen them written.
  void give_and_wait(std::int64_t first, std::int64_t last) {
    give(first, last);
    std::uintmax_t size = 0;
    while (size < 2000 || size != std::filesystem::file_size(file_)) {
      size = std::filesystem::file_size(file_);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  /// Until so much was told; no frame comes meanwhile.
  std::vector<std::string> wait_for_told(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return told_.size() >= count; });
    return told_;
  }

  std::string folder_;
  std::string file_;
  std::unique_ptr<FrameLog> log_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> told_;
};

TEST_F(ExposedFile, DeletedIsLostAndToldWhileNoFrameComes) {
  give_and_wait(0, 9);
  std::filesystem::remove(file_);
  EXPECT_THAT(wait_for_told(1),
              ElementsAre(HasSubstr("was deleted, or replaced, by another program: 10 frames")));
  EXPECT_EQ(log_->lost(), 10);
  EXPECT_THAT(log_->error(), HasSubstr("was deleted"));
  give(10, 12);
  log_->flush();
  EXPECT_EQ(log_->status().frames, 0);
  EXPECT_EQ(log_->status().lost, 13);
  EXPECT_THAT(log_->status().error, HasSubstr("13 of 13 frames are not in the file"));
  EXPECT_THAT(wait_for_told(1), SizeIs(1)) << "said once";
}

TEST_F(ExposedFile, CutKeepsWhatIsLeftOfIt) {
  give_and_wait(0, 4);
  const auto half = std::filesystem::file_size(file_) + 10;
  give_and_wait(5, 9);
  std::filesystem::resize_file(file_, half);
  EXPECT_THAT(wait_for_told(1), ElementsAre(HasSubstr("was cut by another program")));
  give(10, 12);
  log_->flush();
  EXPECT_EQ(std::filesystem::file_size(file_), half) << "nothing is added to a ruin";
  auto source = mcap::FileSource::open(file_);
  ASSERT_TRUE(source);
  Contents got;
  ASSERT_TRUE(read_log(*source, got, {}));
  EXPECT_THAT(got.frames, SizeIs(5));
  EXPECT_EQ(log_->status().frames, 5);
  EXPECT_EQ(log_->status().frames + log_->status().lost, 13);
}

TEST_F(ExposedFile, RenamedGoesOnUnderItsNewName) {
  give_and_wait(0, 4);
  const std::string moved = folder_ + "/moved.mcap";
  std::filesystem::rename(file_, moved);
  EXPECT_THAT(wait_for_told(1), ElementsAre(HasSubstr("renamed, and goes on as " + moved)));
  EXPECT_EQ(log_->file(), moved);
  give(5, 9);
  log_->flush();
  EXPECT_EQ(log_->status().file, moved);
  EXPECT_EQ(log_->status().error, "");
  auto source = mcap::FileSource::open(moved);
  ASSERT_TRUE(source);
  Contents got;
  const auto scan = read_log(*source, got, {.verify = true});
  ASSERT_TRUE(scan);
  EXPECT_TRUE(scan->file.complete);
  EXPECT_THAT(got.frames, SizeIs(10));
}

// At the end of a run nobody would look again.
TEST_F(ExposedFile, DeletedAtTheLastMomentIsTold) {
  give(0, 9);
  std::filesystem::remove(file_);
  log_->flush();
  EXPECT_EQ(log_->status().lost, 10);
  EXPECT_THAT(log_->status().error, HasSubstr("was deleted"));
}

}  // namespace
}  // namespace hild::framelog
