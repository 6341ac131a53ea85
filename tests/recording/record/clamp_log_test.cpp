// SPDX-License-Identifier: Apache-2.0
#include "recording/record/clamp_log.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

namespace hild::record {
namespace {

class ClampLogTest : public testing::Test {
 protected:
  ClampLogTest() { logger_->set_pattern("%L %v"); }

  std::string lines() {
    std::string text = out_.str();
    out_.str({});
    return text;
  }
  void begins(std::int64_t frame) {
    statistics_.clamp_stretches.add();
    statistics_.clamped_since.set(frame);
    statistics_.clamped_frames.add();
    cuts_[0].values += 1;
  }
  void ends() { statistics_.clamped_since.set(-1); }
  /// A look so many ms after the start.
  void look(std::int64_t ms) { log_.look(at(ms)); }
  static MonoTime at(std::int64_t ms) { return MonoTime{} + 5_s + 1_ms * ms; }

  std::ostringstream out_;
  std::shared_ptr<spdlog::logger> logger_ = std::make_shared<spdlog::logger>(
      "hild", std::make_shared<spdlog::sinks::ostream_sink_mt>(out_));
  exec::Statistics statistics_;
  std::vector<io::CutOutput> cuts_{{0, 0, 486, {-200, 200}}};
  ClampLog log_{logger_,
                statistics_,
                [this] { return cuts_[0].values > 0 ? cuts_ : std::vector<io::CutOutput>{}; },
                {"shaft_speed", "ratio"},
                {"rad/s", "1"}};
};

TEST_F(ClampLogTest, SaysNothingOfOutputsWithinTheirLimits) {
  for (std::int64_t ms = 0; ms < 5000; ms += 100) look(ms);
  log_.finish(at(5000));
  EXPECT_EQ(lines(), "");
}

TEST_F(ClampLogTest, AStretchIsToldOnceWhileItLastsAndWhenItIsOver) {
  begins(12);
  look(100);
  EXPECT_EQ(lines(),
            "W frame 12: outputs are cut to their limits, and do not follow the model: "
            "`shaft_speed` (486 rad/s wanted, -200 ... 200 there)\n");
  statistics_.clamped_frames.add(40);
  cuts_[0].values += 40;
  look(200);
  look(2000);
  EXPECT_EQ(lines(), "");
  ends();
  look(2100);
  EXPECT_EQ(lines(), "I outputs follow the model again, 41 frames were cut\n");
}

TEST_F(ClampLogTest, OnlyWhatWasCutSinceIsNamed) {
  begins(12);
  ends();
  look(100);
  lines();
  cuts_.push_back({1, 1, -3, {-1, 1}});
  statistics_.clamp_stretches.add();
  statistics_.clamped_since.set(90);
  look(200);
  EXPECT_EQ(lines(),
            "W frame 90: outputs are cut to their limits, and do not follow the model: "
            "`ratio` (-3 wanted, -1 ... 1 there)\n");
}

TEST_F(ClampLogTest, ManyStretchesAreSummedUp) {
  for (std::int64_t n = 0; n < 10; ++n) {
    begins(10 * n);
    ends();
    look(10 * n);
  }
  std::string text = lines();
  EXPECT_EQ(std::ranges::count(text, 'W'), ClampLog::lines_per_second) << text;
  look(1100);
  EXPECT_EQ(lines(), "W outputs were cut to their limits 6 more times\n")
      << "ten, less four that were told";
}

// A stretch may come and go between two looks.
TEST_F(ClampLogTest, WhatNobodySawIsCounted) {
  for (int n = 0; n < 3; ++n) {
    begins(n);
    ends();
  }
  log_.finish(at(100));
  EXPECT_EQ(lines(),
            "W outputs are cut to their limits, and do not follow the model: `shaft_speed` (486 "
            "rad/s wanted, -200 ... 200 there)\n"
            "I outputs follow the model again, 3 frames were cut\n"
            "W outputs were cut to their limits 2 more times\n");
}

}  // namespace
}  // namespace hild::record
