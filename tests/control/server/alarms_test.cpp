// SPDX-License-Identifier: Apache-2.0
/// \file
/// Alarms as the server tells them: listed, told as a topic, sampled; and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/prometheus_parser.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;

/// Two alarms: of the output `level`, which is the parameter `level`, above 5: latched, and outputs
/// are disarmed for it; and of the input `u` below 0.
class AlarmsTold : public ::testing::Test {
 protected:
  AlarmsTold() {
    rig.alarms = {{.name = "high",
                   .signal = "output level",
                   .unit = "1",
                   .text = "the level is high",
                   .alarm = {.of = exec::Interlock::Of::output,
                             .index = 0,
                             .low = -model::unlimited,
                             .high = 5,
                             .hysteresis = 1,
                             .latch = true,
                             .then = exec::Alarm::Then::disarm}},
                  {.name = "level",
                   .signal = "input u",
                   .unit = "rad/s",
                   .text = "",
                   .alarm = {.of = exec::Interlock::Of::input,
                             .index = 0,
                             .low = 0,
                             .high = model::unlimited,
                             .after = 3}}};
    rig.control.address = "127.0.0.1";
    rig.start();
    client.emplace(rig.socket());
  }
  /// The frame in which the level changed.
  std::int64_t set_level(double value) {
    return client->call("set", {{"values", {{"level", value}}}}).at("frame").as_int64();
  }
  /// The words of the topic once it has others than these.
  std::string words_after(std::string_view before) {
    while (true) {
      const json::value status = client->call("status");
      for (const json::value& t : status.at("told").as_array()) {
        std::string words(t.at("words").as_string());
        if (t.at("of") != "alarms" || words == before) continue;
        EXPECT_EQ(t.at("is"), words == "none" ? "none" : "open");
        EXPECT_EQ(t.at("level"), words == "none" ? "quiet" : "bad");
        return words;
      }
    }
  }

  ServerRig rig;
  std::optional<LineClient> client;
};

TEST_F(AlarmsTold, AreListedWithTheirLimitsAndWhetherTheyAreOpen) {
  json::array listed = client->call("list").at("alarms").as_array();
  EXPECT_EQ(listed, R"([
      {"name": "high", "watch": "output:level", "unit": "1", "below": null, "above": 5.0,
       "hysteresis": 1.0, "after_frames": 0, "latch": true, "then": "disarm",
       "text": "the level is high", "active": false, "open": false, "since_frame": null},
      {"name": "level", "watch": "u", "unit": "rad/s", "below": 0.0, "above": null,
       "hysteresis": 0.0, "after_frames": 3, "latch": false, "then": "note", "text": "",
       "active": false, "open": false, "since_frame": null}])"_json);
  const std::int64_t frame = set_level(6);
  words_after("none");
  listed = client->call("list").at("alarms").as_array();
  EXPECT_EQ(listed[0].at("active"), true);
  EXPECT_EQ(listed[0].at("open"), true);
  EXPECT_EQ(listed[0].at("since_frame"), frame);
  EXPECT_EQ(listed[1].at("open"), false);
}

TEST_F(AlarmsTold, AreATopicUntilTheyAreOverAndAcknowledged) {
  const auto open = [this] {
    return parse_exposition(HttpClient(rig.port()).get("/metrics").body).value("hild_alarms_open");
  };
  EXPECT_EQ(open(), 0);
  const std::string since = fmt::format(", since frame {}", set_level(6));
  const std::string active = words_after("none");
  EXPECT_EQ(active,
            "open: high (the level is high): active, output level is to be at most 5, outputs are "
            "disarmed for it" +
                since);
  EXPECT_EQ(open(), 1);
  set_level(4.5);
  rig.run_past(set_level(4.25));
  EXPECT_EQ(words_after(""), active) << "not by its hysteresis";
  set_level(4);
  const std::string over = words_after(active);
  EXPECT_EQ(over,
            "open: high (the level is high): over, waits for `acknowledge`, output level is to be "
            "at most 5, outputs are disarmed for it" +
                since);
  client->call("acknowledge", {{"alarm", "high"}});
  EXPECT_EQ(words_after(over), "none");
  EXPECT_EQ(open(), 0);
}

TEST_F(AlarmsTold, AreToldToFollowersAndToTheLog) {
  client->call("follow");
  const std::int64_t frame = set_level(6);
  const auto told_now = [&] {
    const json::object state = client->notification();
    EXPECT_EQ(state.at("method"), "state");
    return json::serialize(state.at("params").at("told"));
  };
  const std::string words = fmt::format(
      "open: high (the level is high): active, output level is to be at most 5, outputs are "
      "disarmed for it, since frame {}",
      frame);
  while (told_now().find(words) == std::string::npos) continue;
  rig.end();
  EXPECT_THAT(rig.log, ::testing::Contains("bad alarms: " + words));
}

TEST_F(AlarmsTold, RefuseToArmAndSayWhatToDo) {
  client->call("disarm");
  set_level(6);
  const std::string active = words_after("none");
  const auto why = [this] { return std::string(client->error("arm").at("message").as_string()); };
  const std::string words =
      "alarm \"high\" is open, and outputs are disarmed for it (then: disarm); arm them once "
      "output level is within its limits and it was acknowledged (`hildctl acknowledge`)";
  EXPECT_EQ(why(), words);
  set_level(0);
  const std::string over = words_after(active);
  EXPECT_EQ(why(), words) << "nobody knows of it";
  EXPECT_FALSE(rig.armed);
  client->call("acknowledge", {{"alarm", "high"}});
  EXPECT_EQ(words_after(over), "none");
  EXPECT_GE(client->call("arm").at("frame").as_int64(), 0);
  EXPECT_TRUE(rig.armed);
}

}  // namespace
}  // namespace hild::testing
