// SPDX-License-Identifier: Apache-2.0
/// \file
/// Drivers from files, in runs as a user starts them.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>

#include "cli/main/call.hpp"
#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string config_by(const std::string& driver, const std::string& more = {}) {
  return "frame: {period: 10 ms, priority: 0}\n"
         "model: {type: dc-motor}\n"
         "integrator: {method: rtam-2}\n"
         "devices: {it: {driver: " +
         driver +
         "}}\n"
         "inputs: {armature_voltage: {device: it, channel: 0, scale: -1 V/V, offset: 5 V}}\n"
         "outputs: {shaft_speed: {device: it, channel: 0, scale: 10 rad/s/V, safe: 0 V}}\n" +
         more;
}

/// Waits until the run answers.
bool listens(const std::string& socket) {
  for (int tries = 0; tries < 12'000; ++tries, ::usleep(5000)) {
    boost::asio::local::stream_protocol::iostream stream;
    stream.connect(boost::asio::local::stream_protocol::endpoint(socket));
    if (stream) return true;
  }
  return false;
}

const std::string wires = "{plugin: " HILD_PLUGINS "/wires.so}";
const std::string threaded = "{plugin: " HILD_PLUGINS "/threaded.so}";
const std::string declared = threaded + ", declared: true";

TEST(DriverFromAFile, IsRunAndReplayed) {
  const Folder folder;
  const std::string file = folder.file("run.yaml", config_by(wires, "record: {file: run.mcap}\n"));
  const Ended ended = hild({"run", file, "--offline", "--duration", "0.5"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(hild({"replay", folder.path("run.mcap")}).code, 0);
  EXPECT_EQ(
      hild({"run", file, "--duration", "0.1", "--set", "record.file=" + folder.path("live.mcap")})
          .code,
      0);
}

// What is recorded has the same signals, and a replay asks the driver what they are.
TEST(DriverFromAFile, IsSimulatedWhereItIsToBe) {
  const Folder folder;
  const std::string file =
      folder.file("run.yaml", config_by(declared, "record: {file: run.mcap}\n"));
  const Ended ended =
      hild({"run", file, "--offline", "--duration", "0.5", "--set", "devices.it.driver=sim",
            "--set", "inputs.armature_voltage.source={constant: 2 V}"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(hild({"replay", folder.path("run.mcap")}).code, 0);
  const Ended rows = hild({"export", folder.path("run.mcap"), "--format", "csv"});
  EXPECT_THAT(rows.out, HasSubstr("armature_voltage"));
}

// A card that is not there.
TEST(DriverFromAFile, ACardIsSimulatedTheSame) {
  const Folder folder;
  const std::string file = folder.file(
      "run.yaml",
      "frame: {period: 10 ms, priority: 0}\n"
      "model: {type: dc-motor}\n"
      "integrator: {method: rtam-2}\n"
      "devices: {daq: {driver: comedi, path: /dev/comedi9}}\n"
      "inputs: {armature_voltage: {device: daq, subdevice: 0, channel: 3, range: -5 V..5 V, "
      "aref: diff, scale: 2 V/V}}\n"
      "outputs: {shaft_speed: {device: daq, subdevice: 1, channel: 0, scale: 10 rad/s/V, safe: 0 "
      "V}}\n");
  EXPECT_EQ(hild({"run", file, "--duration", "0.1"}).code, 4);
  const Ended ended = hild({"run", file, "--duration", "0.1", "--set", "devices.daq.driver=sim"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(DriverFromAFile, ItsPathAloneIsToldWhereItGoes) {
  const Folder folder;
  const Ended ended =
      hild({"check", folder.file("run.yaml", config_by("wires.so")), "--no-measure"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("run.yaml:4: devices.it.driver: found \"wires.so\", expected "
                                   "{plugin: wires.so} for a driver of one's own"));
}

TEST(DriverFromAFile, WhatIsWrongWithItIsToldWithItsLine) {
  const Folder folder;
  const std::string model = "{plugin: " HILD_PLUGINS "/van_der_pol.so}";
  const Ended no_driver =
      hild({"check", folder.file("run.yaml", config_by(model)), "--no-measure"});
  EXPECT_EQ(no_driver.code, 1);
  EXPECT_THAT(no_driver.err, AllOf(HasSubstr("run.yaml:4: devices.it.driver.plugin: plug-in "),
                                   HasSubstr("not a hild driver")));
  const Ended unknown =
      hild({"check", folder.file("run.yaml", config_by(wires + ", spped: 3")), "--no-measure"});
  EXPECT_THAT(unknown.err, HasSubstr("run.yaml:4: devices.it.spped"));
}

// The guard is forked behind open(), and would not have the thread.
TEST(DriverFromAFile, AThreadThatBeginsInOpenIsRefused) {
  const Folder folder;
  const Ended ended =
      hild({"run", folder.file("run.yaml", config_by(threaded)), "--duration", "0.1"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("device it: its driver starts 1 thread in open()"),
                               HasSubstr("unguardable()")));
}

TEST(DriverFromAFile, WhatNobodyGuardsIsToldBeforeTheRun) {
  const Folder folder;
  const std::string file = folder.file("run.yaml", config_by(declared));
  const std::string told = "device it: its library has a thread of its own: its outputs keep their";
  EXPECT_THAT(hild({"check", file, "--no-measure"}).out, HasSubstr(told));
  const Ended ended = hild({"run", file, "--duration", "0.1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(told));
  EXPECT_THAT(hild({"check", folder.file("other.yaml", config_by(wires)), "--no-measure"}).out,
              Not(HasSubstr("keep their")));
}

TEST(DriverFromAFile, WhatNobodyGuardsIsToldAtArming) {
  const Folder folder;
  const std::string socket = folder.path("control.sock");
  const Program run(
      {"run", folder.file("run.yaml", config_by(declared + ", hardware: true",
                                                "control: {socket: " + socket + "}\n"))});
  ASSERT_TRUE(listens(socket));
  const auto answer = call(socket, "arm");
  const auto& unguardable = answer.at_pointer("/result/unguardable").as_array();
  ASSERT_EQ(unguardable.size(), 1U);
  EXPECT_EQ(std::string(unguardable[0].as_string()),
            "device it: its library has a thread of its own");
}

TEST(DriverFromAFile, ThatThereIsNoGuardIsToldAtArmingToo) {
  const Folder folder;
  const std::string socket = folder.path("control.sock");
  const Program run({"run", folder.file("run.yaml", config_by(wires,
                                                              "safety: {guard: false}\ncontrol: "
                                                              "{socket: " +
                                                                  socket + "}\n"))});
  ASSERT_TRUE(listens(socket));
  const auto answer = call(socket, "arm");
  const auto& unguardable = answer.at_pointer("/result/unguardable").as_array();
  ASSERT_EQ(unguardable.size(), 1U);
  EXPECT_EQ(std::string(unguardable[0].as_string()), "device it: safety.guard is off");
}

TEST(DriverFromAFile, TheGuardSaysWhatItCouldNotMakeSafe) {
  const Folder folder;
  const std::string socket = folder.path("control.sock");
  Program run(
      {"run", folder.file("run.yaml", config_by(declared, "control: {socket: " + socket + "}\n"))});
  ASSERT_TRUE(listens(socket));
  run.signal(SIGKILL);
  EXPECT_TRUE(run.says("NOT EVERY OUTPUT IS SAFE: device it: its library has a thread of its own"));
}

}  // namespace
}  // namespace hild::test
