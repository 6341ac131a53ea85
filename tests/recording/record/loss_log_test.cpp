// SPDX-License-Identifier: Apache-2.0
#include "recording/record/loss_log.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

namespace hild::record {
namespace {

class LossLogTest : public testing::Test {
 protected:
  LossLogTest() { logger_->set_pattern("%L %v"); }
  std::string lines() {
    std::string text = out_.str();
    out_.str({});
    return text;
  }
  void look(std::int64_t ms) { log_.look(at(ms)); }
  static MonoTime at(std::int64_t ms) { return MonoTime{} + 5_s + 1_ms * ms; }

  std::ostringstream out_;
  std::shared_ptr<spdlog::logger> logger_ = std::make_shared<spdlog::logger>(
      "hild", std::make_shared<spdlog::sinks::ostream_sink_mt>(out_));
  std::vector<exec::LostInputs::Lost> lost_;
  LossLog log_{logger_,
               {{"voltage", "daq", "V", {2_ms, io::OnLoss::hold, 0}},
                {"load", "bus", "N m", {100_ms, io::OnLoss::substitute, 0.25}},
                {"wave", "net", "N m", {3_ms, io::OnLoss::disarm, 0}}},
               [this] { return lost_; }};
};

TEST_F(LossLogTest, SaysNothingOfInputsThatAreThere) {
  for (std::int64_t ms = 0; ms < 5000; ms += 100) look(ms);
  log_.finish(at(5000));
  EXPECT_EQ(lines(), "");
}

TEST_F(LossLogTest, ALossForWhichOutputsAreDisarmedSaysSo) {
  lost_ = {{2, 5, true}};
  look(100);
  EXPECT_THAT(lines(), testing::HasSubstr("its last value stands, and outputs are disarmed\n"));
}

TEST_F(LossLogTest, ALossIsToldOnceWithWhatStandsInAndThatItIsOver) {
  lost_ = {{1, 17}};
  look(100);
  EXPECT_EQ(lines(),
            "W frame 17: input `load` of device bus is lost: its newest image is older than "
            "max_latency 100.000 ms; 0.25 N m stands in for it\n");
  look(200);
  EXPECT_EQ(lines(), "");
  lost_ = {};
  look(300);
  EXPECT_EQ(lines(), "I input `load` is back: it has images again\n");
}

// One that was back and was lost again between two looks is lost again.
TEST_F(LossLogTest, ASecondLossIsTold) {
  lost_ = {{0, 17}};
  look(100);
  lines();
  lost_ = {{0, 40}};
  look(200);
  EXPECT_EQ(lines(),
            "W frame 40: input `voltage` of device daq is lost: its newest image is older than "
            "max_latency 2.000 ms; its last value stands\n");
}

TEST_F(LossLogTest, MoreThanAPersonCanBearIsCounted) {
  for (std::int64_t ms = 0; ms < 900; ms += 10) {
    lost_ = ms % 20 == 0 ? std::vector<exec::LostInputs::Lost>{{0, ms}}
                         : std::vector<exec::LostInputs::Lost>{};
    look(ms);
  }
  const std::string told = lines();
  EXPECT_EQ(std::ranges::count(told, '\n'), LossLog::lines_per_second);
  log_.finish(at(3000));
  EXPECT_EQ(lines(), "W inputs were lost or came back 86 more times; lost now: none\n");
}

TEST_F(LossLogTest, WhatIsLostIsToldThoughItsLineWasLeftOut) {
  for (std::int64_t ms = 0; ms < 40; ms += 10) {
    lost_ = {{0, ms}};
    look(ms);
  }
  lost_ = {{0, 30}, {1, 50}, {2, 50}};
  look(50);
  lines();
  look(1100);
  EXPECT_EQ(lines(),
            "W inputs were lost or came back 2 more times; lost now: `voltage`, `load`, `wave`\n");
}

TEST(WhyLost, NamesInputDeviceAgeAndLimit) {
  EXPECT_EQ(
      why_lost({"voltage", "daq", "V", {2_ms}}, 3'200_us),
      "input `voltage` of device daq: its newest image is 3.200 ms old, more than max_latency "
      "2.000 ms");
}

}  // namespace
}  // namespace hild::record
