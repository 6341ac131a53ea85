// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild run --offline`: the demonstration, its report, and how runs end there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <regex>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;

/// The demonstration, on a D/A image of its own.
struct Demo {
  Folder folder;
  std::string image = folder.image();

  Ended run(const std::string& report) {
    return hild({"run", demo, "--duration", "10", "--offline", "--report", folder.path(report),
                 "--set", "devices.rig.image=" + image});
  }
};

double number(const json::value& report, std::string_view pointer) {
  const auto& v = report.at_pointer(pointer);
  return v.to_number<double>();
}

TEST(Offline, TheDemonstrationReportsTenThousandFramesInTime) {
  Demo d;
  const Ended ended = d.run("report.json");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value report = json::parse(read_file(d.folder.path("report.json")));
  EXPECT_EQ(number(report, "/frames"), 10'000);
  EXPECT_EQ(number(report, "/steps"), 10'000);
  EXPECT_EQ(number(report, "/sim_time_s"), 10);
  EXPECT_EQ(report.at("model"), "dc-motor");
  EXPECT_EQ(report.at("method"), "rtam-2");
  EXPECT_EQ(report.at_pointer("/outcome/exit_code"), 0);
  EXPECT_EQ(report.at_pointer("/outcome/outputs_safe"), true);
  for (const char* none :
       {"/overruns/total", "/overruns/percent", "/late_wakes", "/doubled_steps", "/slips",
        "/state_events", "/external_events/served", "/external_events/deferred",
        "/external_events/refused", "/records_dropped", "/wake_latency_us/max"}) {
    EXPECT_EQ(number(report, none), 0) << none;
  }
  EXPECT_EQ(report.at_pointer("/overruns/by_cause").as_object().size(), 11U);
  for (const auto& cause : report.at_pointer("/overruns/by_cause").as_object()) {
    EXPECT_EQ(cause.value(), 0) << cause.key();
  }
  for (const char* quantile : {"p50", "p99", "p999", "max"}) {
    EXPECT_TRUE(report.at("wake_latency_us").as_object().contains(quantile));
    for (const auto& phase : report.at("phases_us").as_object()) {
      EXPECT_TRUE(phase.value().as_object().contains(quantile)) << phase.key();
    }
  }
}

TEST(Offline, TwoRunsWriteTheSameReportToTheByte) {
  Demo d;
  ASSERT_EQ(d.run("first.json").code, 0);
  // What the first run left on the lines must not matter.
  ASSERT_EQ(
      hild({"io", demo, "--write", "shaft_speed=77", "--set", "devices.rig.image=" + d.image}).code,
      0);
  ASSERT_EQ(d.run("second.json").code, 0);
  const std::string first = read_file(d.folder.path("first.json"));
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first, read_file(d.folder.path("second.json")));
}

// 6 V of set point at 20 rad/s/V. The plot is of the shaft speed as it was put out.
TEST(Offline, TheControllerOfTheDemonstrationHoldsTheSetPoint) {
  Demo d;
  const Ended ended = d.run("report.json");
  std::smatch found;
  const std::regex last("shaft_speed.* last ([-0-9.]+) rad/s");
  ASSERT_TRUE(std::regex_search(ended.out, found, last)) << ended.out;
  EXPECT_NEAR(std::stod(found[1]), 120, 0.5);
}

// A time step of 10 ms at a stiffness far beyond its reach: the state grows until it is infinite.
// What is plausible of it would end the run long before.
TEST(Offline, AStateThatIsNoLongerFiniteEndsTheRunAsAFault) {
  const Motor motor;
  const Ended ended =
      hild({"run", motor.file, "--offline", "--duration", "100", "--set",
            "model.parameters.inductance=1 uH", "--set", "model.plausible.current=none", "--set",
            "model.plausible.speed=none", "--set", "integrator.method=forward-euler", "--report",
            motor.folder.path("report.json")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, HasSubstr("of dc-motor became"));
  const json::value report = json::parse(read_file(motor.folder.path("report.json")));
  EXPECT_EQ(report.at_pointer("/outcome/end"), "model_fault");
  EXPECT_EQ(report.at_pointer("/outcome/exit_code"), 2);
  // Euler on L di/dt = v - R i - k w with h R / L = 10^4: |i| grows by 9999 a step from
  // 0.05 A (5 V, 1 ohm, 10 ms, 1 uH: 5e4 A after one step), so it passes the largest double in step
  // 76 or so.
  const std::string words(report.at_pointer("/outcome/message").as_string());
  std::smatch found;
  ASSERT_TRUE(std::regex_search(words, found,
                                std::regex("state `(\\w+)` of dc-motor became "
                                           "(minus infinite|infinite|NaN) in frame "
                                           "([0-9]+)")))
      << words;
  EXPECT_EQ(found[1], "current");
  const double steps = std::log(1.79e308 / 5e4) / std::log(9999.0);
  EXPECT_NEAR(std::stod(found[3]), steps, 2);
  EXPECT_LT(number(report, "/frames"), 10'000);
  EXPECT_EQ(report.at_pointer("/outcome/outputs_safe"), true);
}

// Five exchanges: two a frame, so that the sixth is that of the second pass of the third frame.
TEST(Offline, ADeviceThatVanishesEndsTheRun) {
  const Motor motor;
  const Ended ended =
      hild({"run", motor.file, "--offline", "--duration", "1", "--set", "devices.rig.fail_after=5",
            "--report", motor.folder.path("report.json")});
  EXPECT_EQ(ended.code, 4);
  const json::value report = json::parse(read_file(motor.folder.path("report.json")));
  EXPECT_THAT(std::string(report.at_pointer("/outcome/message").as_string()),
              AllOf(HasSubstr("Stopped in frame 2: device rig: vanished after 5 exchanges"),
                    HasSubstr("Not every output took its safe value")));
  EXPECT_EQ(report.at_pointer("/outcome/end"), "device_failed");
  EXPECT_EQ(report.at_pointer("/outcome/outputs_safe"), false);
  EXPECT_EQ(number(report, "/frames"), 2);
}

TEST(Offline, ADeviceThatCannotBeMadeSafeAtTheEndIsAFailure) {
  const Motor motor;
  // 100 frames write the current a hundred times; making it safe is one too many.
  const Ended ended =
      hild({"run", motor.file, "--offline", "--duration", "1", "--set",
            "devices.meter.fail_after=100", "--report", motor.folder.path("report.json")});
  EXPECT_EQ(ended.code, 4);
  const json::value report = json::parse(read_file(motor.folder.path("report.json")));
  EXPECT_EQ(report.at_pointer("/outcome/end"), "duration");
  EXPECT_EQ(report.at_pointer("/outcome/outputs_safe"), false);
  EXPECT_THAT(std::string(report.at_pointer("/outcome/message").as_string()),
              HasSubstr("Not every output took its safe value"));
}

TEST(Offline, AReportThatCannotBeWrittenIsSaid) {
  const Motor motor;
  const Ended ended = hild({"run", motor.file, "--offline", "--duration", "1", "--report",
                            motor.folder.path("no/such/folder.json")});
  EXPECT_NE(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("no/such/folder.json"));
}

}  // namespace
}  // namespace hild::test
