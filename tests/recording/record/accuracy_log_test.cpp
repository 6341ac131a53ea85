// SPDX-License-Identifier: Apache-2.0
#include "recording/record/accuracy_log.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

namespace hild::record {
namespace {

class AccuracyLogTest : public testing::Test {
 protected:
  AccuracyLogTest() { logger_->set_pattern("%L %v"); }

  std::string lines() {
    std::string text = out_.str();
    out_.str({});
    return text;
  }
  void inaccurate(std::int64_t frame, std::int64_t steps = 1) {
    statistics_.inaccurate_frame.set(frame);
    statistics_.inaccurate_state.set(1);
    statistics_.inaccurate_ppb.set(32'000'000);
    statistics_.inaccurate_steps.add(steps);
  }
  void look(std::int64_t s) { log_.look(MonoTime{} + 5_s + 1_s * s); }

  std::ostringstream out_;
  std::shared_ptr<spdlog::logger> logger_ = std::make_shared<spdlog::logger>(
      "hild", std::make_shared<spdlog::sinks::ostream_sink_mt>(out_));
  exec::Statistics statistics_;
  AccuracyLog log_{logger_, statistics_, {.limit = 1e-4}, {"current", "speed"}};
};

TEST_F(AccuracyLogTest, SaysNothingOfStepsWithinTheLimit) {
  look(0);
  log_.finish();
  EXPECT_EQ(lines(), "");
}

TEST_F(AccuracyLogTest, TellsTheFirstAtOnceAndLaterOnesNowAndThen) {
  inaccurate(12);
  look(0);
  EXPECT_EQ(lines(),
            "W frame 12: the estimated error of a step is 0.032 of the size of `speed`, "
            "accuracy.limit allows 0.0001; take a shorter step or another method (hild advise)\n");
  inaccurate(500, 400);
  look(1);
  look(9);
  EXPECT_EQ(lines(), "");
  look(10);
  EXPECT_EQ(lines().find("W frame 500: the estimated error of 400 steps, the last one's, is 0.032"),
            0U);
  look(30);
  EXPECT_EQ(lines(), "");
}

TEST_F(AccuracyLogTest, TellsAtTheEndWhatItKeptBack) {
  inaccurate(12);
  look(0);
  lines();
  inaccurate(13);
  look(1);
  EXPECT_EQ(lines(), "");
  log_.finish();
  EXPECT_EQ(lines().find("W frame 13: the estimated error of a step is"), 0U);
}

}  // namespace
}  // namespace hild::record
