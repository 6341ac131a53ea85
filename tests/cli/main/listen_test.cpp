// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild io --listen`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <sstream>

#include "cli/main/motor.hpp"
#include "cli/main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::SizeIs;

/// A device that can be listened to, and cannot be opened.
std::string listened(const std::string& more = {}) {
  return "frame: {period: 10 ms, priority: 0}\n"
         "model: {type: dc-motor}\n"
         "integrator: {method: rtam-2}\n"
         "devices: {wire: {driver: {plugin: " HILD_PLUGINS "/chatter.so}" +
         more +
         "}}\n"
         "outputs: {shaft_speed: {device: wire, channel: 0, scale: 10 rad/s/V, safe: 0 V}}\n";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Listen, ShowsAMessageALine) {
  const Folder folder;
  const std::string file = folder.file("run.yaml", listened());
  const Ended ended = hild({"io", file, "--listen", "wire", "--count", "3"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  const auto lines = lines_of(ended.out);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[0], ContainsRegex("^ +[0-9]+\\.[0-9]{6}  0x100       Status                "
                                      "Speed=500\\.25 rpm  Gear=1 \\(drive\\)$"));
  EXPECT_THAT(lines[1], ContainsRegex("^ +[0-9]+\\.[0-9]{6}  0x7f0       -                     "
                                      "01 ab 00$"));
  EXPECT_THAT(lines[2], ContainsRegex("^ +[0-9]+\\.[0-9]{6}  -           - +# bus \"off\"$"));
}

TEST(Listen, ForProgramsEachIsAnObject) {
  const Folder folder;
  const std::string file = folder.file("run.yaml", listened());
  const Ended ended = hild({"io", file, "--listen", "wire", "--json", "--count", "3"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto lines = lines_of(ended.out);
  ASSERT_THAT(lines, SizeIs(3));
  json::object known = json::parse(lines[0]).as_object();
  EXPECT_GE(known.at("time_s").to_number<double>(), 0);
  known.erase("time_s");
  EXPECT_EQ(known, json::parse(R"({"address": "0x100", "name": "Status", "bytes": "01ab00",
      "values": {"Speed": {"value": 500.25, "unit": "rpm", "word": null},
                 "Gear": {"value": 1, "unit": null, "word": "drive"}}, "remark": null})"));
  json::object told = json::parse(lines[2]).as_object();
  told.erase("time_s");
  EXPECT_EQ(told, json::parse(R"({"address": null, "name": null, "bytes": "", "values": {},
      "remark": "bus \"off\""})"));
}

TEST(Listen, GoesOnUntilItIsInterrupted) {
  const Folder folder;
  Program listening({"io", folder.file("run.yaml", listened()), "--listen", "wire"});
  ASSERT_TRUE(listening.says("listening to wire until interrupted"));
  listening.signal(SIGINT);
  const Ended ended = listening.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Listen, EndsWhenNobodyReads) {
  const Folder folder;
  const Ended ended =
      hild({"io", folder.file("run.yaml", listened()), "--listen", "wire"}, {.unread = true});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Listen, WhatHappensToTheDeviceIsTold) {
  const Folder folder;
  const Ended vanished =
      hild({"io", folder.file("vanish.yaml", listened(", then: vanish")), "--listen", "wire"});
  EXPECT_EQ(vanished.code, 4);
  EXPECT_THAT(lines_of(vanished.out), SizeIs(3));
  EXPECT_THAT(vanished.err, HasSubstr("device wire: it has vanished"));
  const Ended absent =
      hild({"io", folder.file("absent.yaml", listened(", there: false")), "--listen", "wire"});
  EXPECT_EQ(absent.code, 4);
  EXPECT_THAT(absent.err, HasSubstr("device wire: it is not there"));
}

// What needs the kernel's CAN is tried in the rig.
TEST(Listen, ABusIsListenedTo) {
  const Ended ended = hild({"io", std::string(HILD_SOURCE_DIR) + "/config/can.yaml", "--listen",
                            "bus", "--set", "devices.bus.interface=nowhere7"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("device bus: there is no interface nowhere7; "));
}

TEST(Listen, ADeviceThatHasNothingToBeHeardIsRefused) {
  const Motor motor;
  const Ended ended = hild({"io", motor.file, "--listen", "meter"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("device meter: its driver, sim, is none that can be listened "
                                   "to; the driver can is one"));
}

TEST(Listen, ADeviceThatIsNotThereIsRefusedWithThoseThatAre) {
  const Motor motor;
  const Ended near = hild({"io", motor.file, "--listen", "metre"});
  EXPECT_EQ(near.code, 1);
  EXPECT_THAT(near.err, HasSubstr("--listen: no device \"metre\" in this configuration, did you "
                                  "mean \"meter\"?"));
  const Ended far = hild({"io", motor.file, "--listen", "bus"});
  EXPECT_THAT(far.err, HasSubstr("expected one of: \"rig\", \"meter\""));
  const Folder folder;
  const Ended none = hild({"io",
                           folder.file("run.yaml",
                                       "frame: {period: 10 ms, priority: 0}\n"
                                       "model: {type: dc-motor}\n"
                                       "integrator: {method: rtam-2}\n"),
                           "--listen", "bus"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("--listen: there is no device in this configuration"));
}

TEST(Listen, OptionsThatDoNotGoTogetherAreRefused) {
  const Motor motor;
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--write", "current=1"}, {"--wiggle", "current"}}) {
    const Ended ended = hild({"io", motor.file, "--listen", "rig", other[0], other[1]});
    EXPECT_EQ(ended.code, 1);
    EXPECT_THAT(ended.err, HasSubstr("--listen beside --write or --wiggle: expected one of them"));
  }
  const Ended plain = hild({"io", motor.file, "--json"});
  EXPECT_EQ(plain.code, 1);
  EXPECT_THAT(plain.err, HasSubstr("--json is of --listen"));
}

}  // namespace
}  // namespace hild::test
