// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every driver owes (hild/io/device.hpp), as tests. hild's own drivers pass them, and a
/// project that `hild new-driver` writes has them:
///
///   struct Still {
///     static constexpr std::string_view driver = "still";
///     static hild::test::Texts device() { return {}; }                        // its keys
///     static std::vector<hild::test::Texts> inputs() { return {{{"channel", "0"}}}; }
///     static std::vector<hild::test::Texts> outputs() { return {}; }
///   };
///   INSTANTIATE_TYPED_TEST_SUITE_P(Still, DriverConformance, Still);
///
/// Further members, each where it is needed: `static std::string missing()`, what this machine
/// lacks to try it, empty where it lacks nothing; `static void fail(io::Device&)` makes the next
/// exchange fail; `static constexpr double resolution`, of outputs whose channels do not tell it;
/// `using Options`, another kind of TextOptions; `static std::unique_ptr<rt::Clock> clock()`, where
/// it is not to be the real one.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hild/io/device.hpp"
#include "hild/rt/thread.hpp"
#include "support/heap_trap.hpp"
#include "support/text_options.hpp"

namespace hild::test {

using Texts = TextOptions::Texts;

template <class Case>
struct OptionsOf {
  using type = TextOptions;
};
template <class Case>
requires requires { typename Case::Options; }
struct OptionsOf<Case> {
  using type = typename Case::Options;
};

template <class Case>
class DriverConformance : public ::testing::Test {
 protected:
  using Options = typename OptionsOf<Case>::type;

  void SetUp() override {
    if constexpr (requires { Case::missing(); }) {
      if (const std::string what = Case::missing(); !what.empty()) GTEST_SKIP() << what;
    }
    if constexpr (requires { Case::clock(); }) {
      clock_ = Case::clock();
    } else {
      clock_ = *rt::make_clock(rt::ClockKind::sleep, {});
    }
    make();
  }

  /// A device with all its channels, not open.
  void make() {
    device_.reset();
    channels_in_.clear();
    channels_out_.clear();
    const io::Driver* const driver = io::find_driver(Case::driver);
    ASSERT_NE(driver, nullptr) << "no driver " << Case::driver << ": HILD_DRIVER registers one";
    Options options(Case::device());
    device_ = driver->make("tried", options);
    ASSERT_NE(device_, nullptr);
    EXPECT_EQ(options.unknown(), std::set<std::string>{}) << "keys of the device never read";
    for (const Texts& texts : Case::inputs()) add(io::Direction::input, texts, channels_in_);
    for (const Texts& texts : Case::outputs()) add(io::Direction::output, texts, channels_out_);
    groups_ = std::max<std::size_t>(device_->groups(), 1);
  }
  void add(io::Direction direction, const Texts& texts, std::vector<io::Channel>& channels) {
    Options entry(texts);
    const auto channel = device_->add(direction, entry);
    ASSERT_TRUE(channel) << channel.error().message;
    EXPECT_EQ(entry.unknown(), std::set<std::string>{}) << "keys of a channel never read";
    channels.push_back(*channel);
  }
  void open() {
    const auto opened = device_->open(*clock_);
    ASSERT_TRUE(opened) << opened.error().message;
  }
  void open_and_start() {
    ASSERT_NO_FATAL_FAILURE(open());
    device_->start(clock_->now());
  }
  void TearDown() override {
    if (device_) device_->stop();
  }

  /// Values that the outputs can carry, others for each `n`.
  [[nodiscard]] std::vector<double> values(int n) const {
    std::vector<double> all;
    for (const io::Channel& c : channels_out_) {
      if (c.digital) {
        all.push_back((static_cast<int>(all.size()) + n) % 2);
        continue;
      }
      const double low = std::max(c.range.low, -1.0);
      const double high = std::min(c.range.high, 1.0);
      const double part = static_cast<double>((n + static_cast<int>(all.size())) % 5) / 4;
      all.push_back(low <= high ? low + part * (high - low) : c.range.low);
    }
    return all;
  }

  /// A call with everything, into an image with something before and behind it that must stay.
  [[nodiscard]] bool exchange(const std::vector<double>& outputs, bool reads = true) {
    constexpr double kept = -12345.678;
    constexpr MonoTime kept_time{987654321};
    const std::size_t inputs = reads ? channels_in_.size() : 0;
    const std::size_t groups = inputs == 0 ? 0 : groups_;
    read_.assign(inputs + 2, kept);
    std::fill_n(read_.begin() + 1, inputs, std::numeric_limits<double>::quiet_NaN());
    sampled_.assign(groups + 2, kept_time);
    const MonoTime before = clock_->now();
    std::fill_n(sampled_.begin() + 1, groups, before);
    const bool good = device_->exchange(outputs, std::span(read_).subspan(1, inputs),
                                        std::span(sampled_).subspan(1, groups));
    EXPECT_EQ(read_.front(), kept) << "wrote before the inputs";
    EXPECT_EQ(read_.back(), kept) << "wrote behind the inputs";
    EXPECT_EQ(sampled_.front().ns, kept_time.ns) << "wrote before the instants";
    EXPECT_EQ(sampled_.back().ns, kept_time.ns) << "wrote behind the instants";
    return good;
  }
  [[nodiscard]] double input(std::size_t i) const { return read_[i + 1]; }
  [[nodiscard]] MonoTime sampled(std::size_t g) const { return sampled_[g + 1]; }

  /// Reads back what was written; a converter that converts by itself takes its time.
  void expect_carried(const std::vector<double>& written) {
    std::vector<double> back(written.size());
    if (written.empty() || !device_->read_back(back)) return;  // it cannot tell
    const auto carries = [&](std::size_t i) {
      double step = std::max(channels_out_[i].resolution, 1e-6 * std::abs(written[i]));
      if constexpr (requires { Case::resolution; }) step = std::max(step, Case::resolution);
      return std::abs(back[i] - written[i]) <= step;
    };
    for (std::size_t i = 0; i < written.size(); ++i) {
      for (int n = 0; n < 5000 && !carries(i) && device_->read_back(back); ++n) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      EXPECT_TRUE(carries(i)) << channels_out_[i].where.view() << ": " << written[i]
                              << " was written, " << back[i] << " is read back";
    }
  }

  std::unique_ptr<rt::Clock> clock_;
  std::unique_ptr<io::Device> device_;
  std::vector<io::Channel> channels_in_;
  std::vector<io::Channel> channels_out_;
  std::size_t groups_ = 1;

 private:
  std::vector<double> read_;
  std::vector<MonoTime> sampled_;
};

/// The conversions that a call begins may end a little behind it.
inline constexpr Duration scan = 1_ms;

TYPED_TEST_SUITE_P(DriverConformance);

TYPED_TEST_P(DriverConformance, SaysWhatItsChannelsAre) {
  for (const auto* channels : {&this->channels_in_, &this->channels_out_}) {
    for (const io::Channel& c : *channels) {
      EXPECT_FALSE(c.where.view().empty()) << "a channel has words for its place";
      EXPECT_FALSE(c.unit.view().empty()) << c.where.view() << ": a unit, \"1\" for none";
      EXPECT_LT(c.range.low, c.range.high) << c.where.view();
      EXPECT_GE(c.resolution, 0) << c.where.view();
    }
  }
  for (const io::Channel& c : this->channels_in_) {
    EXPECT_LT(c.group, this->groups_) << c.where.view() << ": its image group is one of groups()";
  }
}

// Two signals that write one line would fight.
TYPED_TEST_P(DriverConformance, RefusesAnOutputThatAnotherSignalHas) {
  for (const Texts& texts : TypeParam::outputs()) {
    typename TestFixture::Options entry(texts);
    try {
      EXPECT_FALSE(this->device_->add(io::Direction::output, entry));
    } catch (const Rejected&) {  // told so by Options::reject()
    }
  }
}

TYPED_TEST_P(DriverConformance, OpensWithoutAThread) {
  if (!this->device_->unguardable().empty()) return;
  const int before = rt::threads_of_process();
  ASSERT_NO_FATAL_FAILURE(this->open());
  EXPECT_LE(rt::threads_of_process(), before)
      << "the guard is forked after open(), and has no threads of it: start() is for them";
}

TYPED_TEST_P(DriverConformance, ReadsAndWritesWholeImages) {
  ASSERT_NO_FATAL_FAILURE(this->open_and_start());
  std::vector<MonoTime> last(this->groups_, MonoTime{std::numeric_limits<std::int64_t>::min()});
  for (int n = 0; n < 50; ++n) {
    const auto outputs = this->values(n);
    ASSERT_TRUE(this->exchange(outputs)) << this->device_->failure();
    const MonoTime after = this->clock_->now();

    for (std::size_t i = 0; i < this->channels_in_.size(); ++i) {
      EXPECT_TRUE(std::isfinite(this->input(i))) << this->channels_in_[i].where.view();
    }
    if (this->channels_in_.empty()) last.clear();
    for (std::size_t g = 0; g < last.size(); ++g) {
      EXPECT_LE(this->sampled(g).ns, (after + scan).ns) << "an image of the future, of group " << g;
      EXPECT_GE(this->sampled(g).ns, last[g].ns) << "an older image than before, of group " << g;
      last[g] = this->sampled(g);
    }
    this->expect_carried(outputs);
    if (::testing::Test::HasFailure()) return;  // once is enough
  }
}

TYPED_TEST_P(DriverConformance, ReadsAloneAndWritesAlone) {
  ASSERT_NO_FATAL_FAILURE(this->open_and_start());
  const auto outputs = this->values(1);
  EXPECT_TRUE(this->exchange(outputs, false));
  EXPECT_TRUE(this->exchange({}));
  this->expect_carried(outputs);
  if (!this->device_->counts().empty()) {
    EXPECT_GE(this->device_->counts().size(), this->channels_in_.size());
  }
}

TYPED_TEST_P(DriverConformance, LatchesAFailure) {
  if constexpr (requires(io::Device & device) { TypeParam::fail(device); }) {
    ASSERT_NO_FATAL_FAILURE(this->open_and_start());
    ASSERT_TRUE(this->exchange(this->values(0)));
    TypeParam::fail(*this->device_);
    EXPECT_FALSE(this->exchange(this->values(1)));
    EXPECT_FALSE(this->device_->failure().empty()) << "words for a person";
    for (int n = 0; n < 3; ++n) EXPECT_FALSE(this->exchange(this->values(n))) << "not latched";
    for (std::size_t i = 0; i < this->channels_in_.size(); ++i) {
      EXPECT_TRUE(std::isnan(this->input(i))) << "an input was touched by a failed call";
    }
  }
}

TYPED_TEST_P(DriverConformance, UsesNoHeap) {
  if (!HeapTrap::counting) GTEST_SKIP() << "a sanitizer owns the heap";
  ASSERT_NO_FATAL_FAILURE(this->open_and_start());
  const auto outputs = this->values(1);
  std::vector<double> inputs(this->channels_in_.size());
  std::vector<MonoTime> sampled(inputs.empty() ? 0 : this->groups_);
  const HeapTrap trap;
  for (int n = 0; n < 1000; ++n) {
    for (MonoTime& instant : sampled) instant = this->clock_->now();
    if (!this->device_->exchange(outputs, inputs, sampled)) break;
  }
  const long calls = trap.calls();
  EXPECT_EQ(calls, 0) << trap.first_call();
}

// A call that sleeps, or waits for a lock, gives the CPU away.
TYPED_TEST_P(DriverConformance, NeverWaits) {
  ASSERT_NO_FATAL_FAILURE(this->open_and_start());
  const auto outputs = this->values(1);
  std::vector<double> inputs(this->channels_in_.size());
  std::vector<MonoTime> sampled(inputs.empty() ? 0 : this->groups_);
  const auto waits = [] {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
  };
  const auto run = [&] {
    const long before = waits();
    for (int n = 0; n < 200; ++n) {
      for (MonoTime& instant : sampled) instant = this->clock_->now();
      if (!this->device_->exchange(outputs, inputs, sampled)) break;
    }
    return waits() - before;
  };
  // A page that is fetched from the disk is waited for too, once.
  EXPECT_TRUE(run() == 0 || run() == 0 || run() == 0) << "in each of three times 200 calls";
}

// One that says so wakes whoever waits: by an image, and at the latest when it is told to.
TYPED_TEST_P(DriverConformance, WaitsForAnImageWhereItSaysSo) {
  ASSERT_NO_FATAL_FAILURE(this->open_and_start());
  if (!this->device_->wakes()) return;
  ASSERT_TRUE(this->exchange({}));
  const auto sampled = [&] {
    std::vector<MonoTime> all;
    for (std::size_t g = 0; g < this->groups_; ++g) all.push_back(this->sampled(g));
    return all;
  };
  const std::vector<MonoTime> before = sampled();
  long calls = 0;
  for (int n = 0; n < 10; ++n) {
    const HeapTrap trap;
    const MonoTime now = this->clock_->now();
    this->device_->await_image(now, now + 1_s);
    this->device_->await_image(now + 1_s, now);
    calls += trap.calls();
  }
  EXPECT_TRUE(calls == 0 || !HeapTrap::counting) << calls;
  ASSERT_TRUE(this->exchange({})) << this->device_->failure();
  const std::vector<MonoTime> after = sampled();
  for (std::size_t g = 0; g < before.size(); ++g) {
    EXPECT_GT(after[g].ns, before[g].ns) << "no image in ten seconds, of group " << g;
  }
  EXPECT_GE(this->device_->delivery().ns, 0);
}

// What the guard does when the run is dead: it has the open device, and writes.
TYPED_TEST_P(DriverConformance, AForkedCopyWritesItsOutputs) {
  if (this->channels_out_.empty() || !this->device_->unguardable().empty()) return;
  ASSERT_NO_FATAL_FAILURE(this->open());
  const auto safe = this->values(2);
  const pid_t copy = ::fork();
  ASSERT_GE(copy, 0);
  if (copy == 0) {
    ::alarm(60);
    ::_exit(this->device_->exchange(safe, {}, {}) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(copy, &status, 0), copy);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  this->expect_carried(safe);
  this->device_->start(this->clock_->now());
  EXPECT_TRUE(this->exchange(this->values(1))) << "the run itself goes on";
}

// stop() is always called, and returns when what start() began has ended.
TYPED_TEST_P(DriverConformance, StopsWhatItStarted) {
  this->device_->stop();
  ASSERT_NO_FATAL_FAILURE(this->open());
  std::thread([] {}).join();  // ThreadSanitizer begins one of its own with the first
  const int before = rt::threads_of_process();
  this->device_->start(this->clock_->now());
  EXPECT_TRUE(this->exchange(this->values(0)));
  this->device_->stop();
  this->device_->stop();
  if (!this->device_->unguardable().empty()) return;
  // The kernel lists a thread that has ended a little longer.
  for (int n = 0; n < 10'000 && rt::threads_of_process() > before; ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LE(rt::threads_of_process(), before);
}

// An offline run has a device to itself, on a clock that nobody waits for.
TYPED_TEST_P(DriverConformance, DetachedItRunsOnAVirtualClock) {
  if (!this->device_->detach()) return;
  auto virtual_clock = std::make_unique<rt::VirtualClock>(MonoTime{1'000'000'000});
  rt::VirtualClock& clock = *virtual_clock;
  this->clock_ = std::move(virtual_clock);  // it outlives the device
  const auto opened = this->device_->open(clock);
  ASSERT_TRUE(opened) << opened.error().message;
  this->device_->start(clock.now());
  std::vector<double> inputs(this->channels_in_.size());
  std::vector<MonoTime> sampled(inputs.empty() ? 0 : this->groups_);
  for (int n = 0; n < 20; ++n) {
    clock.advance(1_ms);
    for (MonoTime& instant : sampled) instant = clock.now();
    ASSERT_TRUE(this->device_->exchange(this->values(n), inputs, sampled));
    for (const double value : inputs) EXPECT_TRUE(std::isfinite(value));
    for (const MonoTime instant : sampled) EXPECT_LE(instant.ns, (clock.now() + scan).ns);
  }
}

REGISTER_TYPED_TEST_SUITE_P(DriverConformance, SaysWhatItsChannelsAre,
                            RefusesAnOutputThatAnotherSignalHas, OpensWithoutAThread,
                            ReadsAndWritesWholeImages, ReadsAloneAndWritesAlone, LatchesAFailure,
                            UsesNoHeap, NeverWaits, WaitsForAnImageWhereItSaysSo,
                            AForkedCopyWritesItsOutputs, StopsWhatItStarted,
                            DetachedItRunsOnAVirtualClock);

}  // namespace hild::test
