// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild simulate`, as a user runs it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <sstream>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;

struct Table {
  std::string header;
  std::vector<std::vector<double>> rows;
};

Table parse(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  std::getline(lines, table.header);
  for (std::string line; std::getline(lines, line);) {
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    table.rows.push_back(row);
  }
  return table;
}

std::string with_model(const std::string& model, const std::string& rest = "") {
  return "frame: {period: 10 ms}\nmodel: " + model +
         "\nintegrator: {method: rtam-2, sampling: stage}\n" + rest;
}

constexpr const char* ball =
    "{type: bouncing-ball, parameters: {gravity: 9.81 m/s2, drag: 0.2 kg/m, restitution: 0.8}, "
    "initial: {height: 4 m}}";

// ---- rows --------------------------------------------------------------------------------------

// m x'' = F - k x with F = 3 N from 0.5 s on; the start is at rest. Every 50 ms a row.
TEST(Simulate, WritesInputsStatesAndOutputsAtFixedTimes) {
  const Folder folder;
  const auto file = folder.file(
      "spring.yaml",
      with_model("{type: spring-mass-damper, parameters: {damping: 0 N s/m, stiffness: 4 N/m}}",
                 "devices: {daq: {driver: sim}}\n"
                 "inputs: {force: {device: daq, channel: 0, resolution: 4, scale: 2 N/V, "
                 "offset: 1 N, source: {step: {before: -0.5 V, after: 1 V, at: 500 ms}}}}\n"));
  for (const char* method : {"jack", "ode-45"}) {
    const Ended ended =
        hild({"simulate", file, "--duration", "2", "--interval", "50 ms", "--method", method});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const Table table = parse(ended.out);
    EXPECT_EQ(table.header,
              "time [s],input.force [N],state.position [m],state.velocity [m/s],"
              "output.position [m],output.velocity [m/s]");
    ASSERT_EQ(table.rows.size(), 41U);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto& row = table.rows[i];
      ASSERT_EQ(row.size(), 6U);
      const double t = static_cast<double>(i) / 20;
      const double x = t < 0.5 ? 0 : 0.75 * (1 - std::cos(2 * (t - 0.5)));
      EXPECT_EQ(row[0], t);
      EXPECT_EQ(row[1], t < 0.5 ? 0 : 3) << "four bits would not hold it";
      EXPECT_NEAR(row[2], x, 1e-6);
      EXPECT_NEAR(row[3], t < 0.5 ? 0 : 1.5 * std::sin(2 * (t - 0.5)), 1e-6);
      EXPECT_EQ(row[4], row[2]);
      EXPECT_EQ(row[5], row[3]);
    }
    EXPECT_THAT(ended.err, AllOf(HasSubstr("spring-mass-damper by "), HasSubstr(method)));
  }
}

// u = sin(2 pi f t) on x' = (u - x) R/L of a motor that does not turn: known in closed form.
TEST(Simulate, AsksASineAtItsOwnInstants) {
  const Folder folder;
  const auto file = folder.file(
      "motor.yaml",
      with_model("{type: dc-motor, parameters: {constant: 0 N m/A, inductance: 0.1 H}}",
                 "devices: {daq: {driver: sim}}\n"
                 "inputs: {armature_voltage: {device: daq, channel: 0, noise: 1 V, delay: 5 ms, "
                 "scale: 1 V/V, source: {sine: {amplitude: 2 V, frequency: 7 Hz}}}}\n"));
  const Ended ended = hild({"simulate", file, "--duration", "1", "--rtol", "1e-10"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Table table = parse(ended.out);
  ASSERT_EQ(table.rows.size(), 101U);
  const double w = 14 * M_PI, a = 10;  // i' = a (u - i)
  for (const auto& row : table.rows) {
    const double t = row[0];
    const double i = 2 * a / (a * a + w * w) *
                     (a * std::sin(w * t) - w * std::cos(w * t) + w * std::exp(-a * t));
    EXPECT_NEAR(row[3], i, 1e-8) << t;
  }
}

// ---- events ------------------------------------------------------------------------------------

TEST(Simulate, FindsTheImpactsOfABallWithDrag) {
  const Folder folder;
  const auto file = folder.file("ball.yaml", with_model(ball));
  const Ended ended = hild({"simulate", file, "--duration", "5", "--json", "--output",
                            folder.path("rows.csv"), "--rtol", "1e-10"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value summary = json::parse(ended.out);
  // m = 1 kg, w^2 = g / d: fall in (w/g) acosh exp(g H / w^2), rise in (w/g) atan(v / w).
  const double g = 9.81, w = std::sqrt(g / 0.2);
  const auto fall_time = [&](double h) { return w / g * std::acosh(std::exp(g * h / (w * w))); };
  const auto fall_speed = [&](double h) {
    return w * std::sqrt(-std::expm1(-2 * g * h / (w * w)));
  };
  double t = fall_time(4);
  double v = fall_speed(4);
  const auto& events = summary.at_pointer("/state_events/first").as_array();
  ASSERT_GE(events.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    v *= 0.8;
    EXPECT_EQ(events[i].at("event"), "impact");
    EXPECT_NEAR(events[i].at("t_s").to_number<double>(), t, 1e-8);
    EXPECT_NEAR(events[i].at_pointer("/states/velocity").to_number<double>(), v, 1e-8);
    const double top = w * w / (2 * g) * std::log1p(v * v / (w * w));
    t += w / g * std::atan(v / w) + fall_time(top);
    v = fall_speed(top);
  }
  EXPECT_EQ(summary.at_pointer("/state_events/total"),
            summary.at_pointer("/state_events/by_name/impact"));
  EXPECT_EQ(summary.at("rows"), 501);
  EXPECT_EQ(summary.at("error"), nullptr);
  EXPECT_EQ(parse(read_file(folder.path("rows.csv"))).rows.size(), 501U);
  for (const auto& row : parse(read_file(folder.path("rows.csv"))).rows) EXPECT_GE(row[2], 0);
}

// ---- how it ends -------------------------------------------------------------------------------

TEST(Simulate, AnInputThatOnlyARealRunHasMustBeGiven) {
  const Folder folder;
  const Ended refused = hild({"simulate", demo, "--duration", "1"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, AllOf(HasSubstr("input `armature_voltage` comes from device rig"),
                                 HasSubstr("--input armature_voltage=")));
  const Ended given = hild({"simulate", demo, "--duration", "60", "--interval", "60", "--input",
                            "armature_voltage=12 V", "--input", "load_torque=0"});
  ASSERT_EQ(given.code, 0) << given.err;
  // At rest: v = R i + k w and k i = b w.
  const double w = 12 / (0.05 + 2e-5 / 0.05);
  EXPECT_NEAR(parse(given.out).rows.back()[4], w, 1e-4);
}

TEST(Simulate, AnInputFromHardwareMustBeGivenToo) {
  const Folder folder;
  const auto file = folder.file(
      "card.yaml",
      with_model("{type: pendulum}",
                 "devices: {card: {driver: comedi, path: /dev/hild-no-such-card}}\n"
                 "inputs: {torque: {device: card, subdevice: 0, channel: 0, range: -10 V..10 V, "
                 "scale: 1 N m/V}}\n"));
  const Ended ended = hild({"simulate", file, "--duration", "1"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("input `torque` comes from device card"));
  EXPECT_EQ(hild({"simulate", file, "--duration", "1", "--input", "torque=0.5 Nm"}).code, 0);
}

TEST(Simulate, WrongArgumentsAreRefusedWithWhatIsWrong) {
  const Folder folder;
  const auto file = folder.file("ball.yaml", with_model(ball));
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"simulate", file, "--duration", "1"});
    const Ended ended = hild(more);
    EXPECT_EQ(ended.code, 1);
    return ended.err;
  };
  EXPECT_THAT(refused({"--json"}), HasSubstr("--json needs --output"));
  EXPECT_THAT(refused({"--interval", "0"}), HasSubstr("--interval 0: expected more than 0 s"));
  EXPECT_THAT(refused({"--method", "euler"}), HasSubstr("jack"));
  EXPECT_THAT(refused({"--rtol", "0", "--atol", "0"}), HasSubstr("tolerances"));
  EXPECT_THAT(refused({"--input", "wind=3"}), AllOf(HasSubstr("wind"), HasSubstr("force")));
  EXPECT_THAT(refused({"--input", "force=3 V"}), HasSubstr("--input force=3 V"));
  EXPECT_THAT(refused({"--min-step", "1 V"}), HasSubstr("--min-step 1 V"));
  EXPECT_THAT(refused({"--output", folder.path("no/such/rows.csv")}),
              HasSubstr("no/such/rows.csv"));
  EXPECT_EQ(hild({"simulate", file}).code, 1);
}

// The rows until then are there, and so is the summary.
TEST(Simulate, ALimitOfStepsIsAFaultThatSaysWhere) {
  const Folder folder;
  const auto file =
      folder.file("stiff.yaml", with_model("{type: van-der-pol, parameters: {mu: 1e5 1/s}}"));
  const Ended ended = hild({"simulate", file, "--duration", "1", "--interval", "100 us", "--output",
                            folder.path("rows.csv"), "--json", "--max-steps", "2000"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("2000 steps were not enough at t = "), HasSubstr("state `")));
  const json::value summary = json::parse(ended.out);
  EXPECT_THAT(std::string(summary.at("error").as_string()), HasSubstr("2000 steps"));
  EXPECT_EQ(summary.at_pointer("/steps/accepted").as_int64() +
                summary.at_pointer("/steps/rejected").as_int64(),
            2000);
  const auto rows = parse(read_file(folder.path("rows.csv"))).rows;
  EXPECT_EQ(static_cast<std::int64_t>(rows.size()), summary.at("rows").as_int64());
  ASSERT_GT(rows.size(), 10U);
  EXPECT_NEAR(rows.back()[0], summary.at("sim_time_s").to_number<double>(), 1.1e-4);
}

TEST(Simulate, AFullDiskIsAFault) {
  const Folder folder;
  const auto file = folder.file("ball.yaml", with_model(ball));
  const Ended ended = hild({"simulate", file, "--duration", "100", "--output", "/dev/full"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("cannot write /dev/full"));
}

// What an event changed stays changed between rows: the ball counts its impacts, and the slope of
// the stairs grows by 1 every 0.1 s.
TEST(Simulate, AnFmuKeepsWhatItsEventsHaveChanged) {
  for (const char* version : {"2", "3"}) {
    const auto rows = [&](const char* fmu) {
      const Ended ended = hild({"simulate", fmt::format("{}/{}_{}.fmu", HILD_FMUS, fmu, version),
                                "--duration", "1", "--interval", "50 ms"});
      EXPECT_EQ(ended.code, 0) << ended.err;
      return parse(ended.out).rows;
    };
    // From 1 m, with 0.8 of its speed after every impact.
    const double fall = std::sqrt(2 / 9.80665);
    for (const auto& row : rows("bouncing_ball")) {
      double impacts = 0;
      for (double t = fall, flight = 1.6 * fall; t <= row[0]; t += flight, flight *= 0.8) ++impacts;
      EXPECT_EQ(row.back(), impacts) << row[0];
    }
    for (const auto& row : rows("stairs")) {
      double x = 0;
      for (int step = 1; 0.1 * step < row[0]; ++step) x += row[0] - 0.1 * step;
      EXPECT_NEAR(row[1], x, 1e-9) << row[0];
    }
  }
}

}  // namespace
}  // namespace hild::test
