// SPDX-License-Identifier: Apache-2.0
/// \file
/// The daemon serves its control interface: it says where, only one does, and a run can be ended by
/// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/main/call.hpp"
#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A motor that is served, and its run once its first value has been put out.
struct Served {
  explicit Served(const std::string& more = {}) : file(served_by(motor, socket, more)) {
    EXPECT_EQ(hild({"safe", file}).code, 0);
  }
  void run() {
    const double before = motor.held().at(0);
    program.emplace(std::vector<std::string>{"run", file, "--report", report_file});
    EXPECT_TRUE(leaves(motor.rig, before));
  }
  static std::string served_by(const Motor& m, const std::string& at, const std::string& more) {
    return m.folder.file("served.yaml", "include: " + m.file + "\ncontrol: {socket: " + at +
                                            ", http: '127.0.0.1:0'" + more + "}\n");
  }
  [[nodiscard]] json::value call(const std::string& method,
                                 const std::string& params = "{}") const {
    return test::call(socket, method, params);
  }

  Motor motor;
  std::string socket = motor.folder.path("control.sock");
  std::string report_file = motor.folder.path("report.json");
  std::string file;
  std::optional<Program> program;
};

TEST(Control, IsServedUntilTheRunEnds) {
  Served served;
  served.run();
  const json::value status = served.call("status").at("result");
  EXPECT_EQ(status.at("model"), "dc-motor");
  EXPECT_EQ(status.at("method"), "rtam-2");
  EXPECT_EQ(status.at("sampling"), "stage");
  const json::value list = served.call("list").at("result");
  EXPECT_THAT(list.at("inputs").at(0).at("from").as_string().c_str(), HasSubstr("rig "));
  EXPECT_TRUE(list.at("inputs").at(1).at("from").is_null());
  EXPECT_EQ(list.at("outputs").at(0).at("safe"), 60.0) << "3 V of 20 rad/s/V";
  EXPECT_TRUE(
      served.call("set", R"({"values": {"inertia": "2 kg cm2"}})").as_object().contains("result"));
  served.program->signal(SIGTERM);
  const Ended ended = served.program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("hild: control: unix " + served.socket + ", http://"),
                               HasSubstr("http://127.0.0.1:")));
  EXPECT_FALSE(std::filesystem::exists(served.socket));
}

TEST(Control, CanStopTheRun) {
  Served served;
  served.run();
  EXPECT_TRUE(served.call("stop").at("result").as_object().contains("frame"));
  const Ended ended = served.program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(served.motor.held(),
              ElementsAre(DoubleNear(safe_speed, one_step), DoubleNear(safe_current, one_step)));
  EXPECT_EQ(json::parse(read_file(served.report_file)).at_pointer("/outcome/end"), "requested");
}

TEST(Control, ASecondDaemonIsRefusedBeforeItDrivesAnything) {
  Served first;
  first.run();
  Motor other;
  const std::string same = Served::served_by(other, first.socket, {});
  EXPECT_EQ(hild({"safe", same}).code, 0);
  const std::vector<double> before = other.held();
  const Ended ended = hild({"run", same, "--duration", "10"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("another daemon answers on " + first.socket),
                               HasSubstr("hildctl stop")));
  EXPECT_EQ(other.held(), before);
  EXPECT_EQ(first.call("status").at("result").at("state"), "running");
}

TEST(Control, WhatAKilledDaemonLeftIsReplaced) {
  Served served;
  served.run();
  served.program->signal(SIGKILL);
  static_cast<void>(served.program->wait());
  EXPECT_TRUE(std::filesystem::exists(served.socket));
  EXPECT_EQ(hild({"safe", served.file, "--wait", "30"}).code, 0);  // its guard is at it still
  served.run();
  json::value state;
  for (int tries = 0; tries < 600 && state != "running"; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    state = served.call("status").at("result").at("state");
  }
  EXPECT_EQ(state, "running");
}

TEST(Control, IsLeftOutOffline) {
  const Served served;
  const Ended ended = hild({"run", served.file, "--offline", "--duration", "1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("control: is left out of an offline run"),
                               Not(HasSubstr("control: unix"))));
  EXPECT_FALSE(std::filesystem::exists(served.socket));
}

}  // namespace
}  // namespace hild::test
