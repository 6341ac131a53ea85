// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant that does not move, or whose model is silent or gone, is told by all who tell of a run,
/// while it goes on.
#include <gmock/gmock.h>
#include <unistd.h>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/prometheus_parser.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class PlantState : public ::testing::Test {
 protected:
  PlantState() {
    rig.control.address = "127.0.0.1";
    rig.settings.overrun.then = exec::LimitAction::carry_on;
    rig.settings.overrun.standstill = 1_s;
  }
  static json::value told_of_plant(LineClient& client) {
    const json::value status = client.call("status");
    for (const json::value& topic : status.at("told").as_array()) {
      if (topic.at("of") == "plant") return topic;
    }
    return nullptr;
  }
  /// Once it is told so: what health says then, and the plant's words.
  void expect_told(const std::string& is, const std::string& words) {
    LineClient client(rig.socket());
    json::value topic = told_of_plant(client);
    for (int tries = 0; topic.at("is").as_string() != std::string_view(is) && tries < 12'000;
         ++tries, ::usleep(5000)) {
      topic = told_of_plant(client);
    }
    EXPECT_EQ(std::string(topic.at("is").as_string()), is);
    EXPECT_EQ(topic.at("level"), "bad");
    EXPECT_EQ(std::string(topic.at("words").as_string()), words);
    HttpClient http(rig.port());
    const HttpAnswer health = http.get("/healthz");
    EXPECT_EQ(health.status, 503);
    EXPECT_THAT(health.body, HasSubstr("the plant: " + words));
    const Exposition e = parse_exposition(http.get("/metrics").body);
    EXPECT_EQ(e.value("hild_state", {{"of", "plant"}, {"is", is}}), 1);
    EXPECT_EQ(e.value("hild_state", {{"of", "plant"}, {"is", "moves"}}), 0);
  }
  ServerRig rig;
};

// 1 kHz: a tenth of a second is patience enough. Nothing is allowed to follow.
TEST_F(PlantState, ASilentModelIsTold) {
  rig.settings.overrun.standstill = {};
  rig.plant.costs.cuts_of = [](std::int64_t step, model::CapCounts& cuts) {
    cuts.owes = step >= 10;
  };
  rig.start();
  expect_told("silent",
              "silent: its model has not answered since frame 10; what it had last holds");
}

TEST_F(PlantState, AModelThatIsGoneIsTold) {
  rig.plant.costs.cuts_of = [](std::int64_t step, model::CapCounts& cuts) {
    cuts.owes = cuts.gone = step >= 10;
  };
  rig.model_ending = "the model's process was ended by signal 9 (Killed)";
  rig.start();
  expect_told("gone",
              "gone: the model's process was ended by signal 9 (Killed); what it had last holds");
  LineClient client(rig.socket());
  EXPECT_EQ(client.call("status").at("standstills"), 1);
  HttpClient http(rig.port());
  EXPECT_EQ(parse_exposition(http.get("/metrics").body).value("hild_standstills_total"), 1);
}

// Step 10 takes 2 s. Once its outputs are armed again, it is over.
TEST_F(PlantState, AStandstillIsToldUntilOutputsAreArmed) {
  rig.armed = false;
  rig.plant.extra[10] = 2_s;
  rig.start();
  expect_told("stood_still",
              "stood still: no frame began for 2 s, and overrun.standstill allows 1 s; outputs are "
              "safe until they are armed");
  LineClient client(rig.socket());
  static_cast<void>(client.call("arm"));
  EXPECT_EQ(told_of_plant(client).at("is"), "moves");
  HttpClient http(rig.port());
  EXPECT_EQ(http.get("/healthz").status, 200);
}

}  // namespace
}  // namespace hild::testing
