// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recorders are begun and ended by requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;
using hild::testing::LineClient;
using hild::testing::ServerRig;
using ::testing::HasSubstr;

class Recorders : public ::testing::Test {
 protected:
  void start() {
    rig.recorders = {
        {.name = "fast", .state = "idle", .file = ""},
        {.name = "slow", .state = "recording", .file = "slow.mcap", .files = 3, .bytes = 4096}};
    rig.start();
  }
  static std::string refused(LineClient& client, const std::string& method,
                             const json::object& params = {}) {
    return std::string(client.error(method, params).at("message").as_string());
  }
  ServerRig rig;
};

TEST_F(Recorders, AreToldInTheStatus) {
  start();
  LineClient client(rig.socket());
  const json::value status = client.call("status");
  EXPECT_EQ(status.at("recorders").at(0).at("name"), "fast");
  EXPECT_EQ(client.call("list").at("recorders").at(1).at("name"), "slow");
  EXPECT_EQ(status.at("recorders").at(0).at("state"), "idle");
  EXPECT_EQ(status.at("recorders").at(0).at("file"), nullptr);
  EXPECT_EQ(status.at("recorders").at(1).at("files"), 3);
  EXPECT_EQ(status.at("recorders").at(1).at("bytes"), 4096);
  EXPECT_EQ(status.at("recording").at("file"), "slow.mcap") << "the first that records";
}

TEST_F(Recorders, OneOrAllBeginAndEnd) {
  start();
  LineClient client(rig.socket());
  json::value answer = client.call("record");
  ASSERT_EQ(answer.at("recorders").as_array().size(), 1U) << "of those that do not yet";
  EXPECT_EQ(answer.at("recorders").at(0).at("name"), "fast");
  EXPECT_EQ(answer.at("recorders").at(0).at("state"), "recording");
  answer = client.call("unrecord", {{"recorder", "slow"}});
  EXPECT_EQ(answer.at("recorders").at(0).at("name"), "slow");
  answer = client.call("unrecord");
  EXPECT_EQ(answer.at("recorders").at(0).at("name"), "fast");
  EXPECT_EQ(client.call("status").at("recording"), nullptr);
}

TEST_F(Recorders, WhatCannotBeIsRefused) {
  start();
  LineClient client(rig.socket());
  EXPECT_THAT(refused(client, "record", {{"recorder", "fats"}}),
              HasSubstr("recorder: found \"fats\", expected a recorder of the run (did you mean "
                        "\"fast\"?)"));
  EXPECT_THAT(refused(client, "record", {{"file", "/etc/passwd"}}), HasSubstr("unknown param"));
  client.call("record");
  EXPECT_THAT(refused(client, "record"), HasSubstr("all recorders record already"));
  rig.why_not = "recorder fast records already, into fast.mcap";
  EXPECT_EQ(refused(client, "record", {{"recorder", "fast"}}), rig.why_not);
}

TEST_F(Recorders, ThereAreNoneUnlessConfigured) {
  rig.start();
  LineClient client(rig.socket());
  EXPECT_THAT(refused(client, "record"), HasSubstr("the run has no recorder"));
}

}  // namespace
}  // namespace hild::server
