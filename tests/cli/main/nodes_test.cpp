// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two nodes that are members of one system, each a run of the program: they begin at one tick, and
/// are armed together or not at all.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <csignal>

#include "cli/main/call.hpp"
#include "cli/main/manager.hpp"
#include "cli/main/program.hpp"
#include "drivers/dds_rig.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// A motor whose voltage is the other one's speed.
std::string member_of(const std::string& system, const std::string& own, const std::string& other,
                      const Folder& folder) {
  return folder.file(
      own + ".yaml",
      "frame: {rate: 50 Hz, align: tai, priority: 0}\n"
      "model: {type: dc-motor}\n"
      "integrator: {method: rtam-2}\n"
      "devices: {net: {driver: dds, domain: " +
          own_domain() + ", system: " + system + ", node: " + own +
          ", members: \"left, right\", max_latency: 60 s, on_loss: disarm}}\n"
          "inputs: {armature_voltage: {device: net, node: " +
          other +
          ", signal: speed, unit: rad/s, scale: 1 V s/rad, held: true}}\n"
          "outputs: {shaft_speed: {device: net, signal: speed, unit: rad/s, safe: 0 rad/s}}\n"
          "overrun: {policy: double, then: continue, standstill: 60 s}\n"
          "safety: {within: 60 s}\n"
          "control: {socket: " +
          folder.path(own) + "}\n");
}

struct Pair {
  [[nodiscard]] Program start(const std::string& own, const std::string& other) const {
    return Program({"run", member_of(system, own, other, folder)});
  }
  [[nodiscard]] json::value ask(const std::string& node, const std::string& method,
                                const std::string& params = "{}") const {
    return call(folder.path(node), method, params);
  }
  /// What `of` says of `node`, once it is there; null: nothing yet.
  [[nodiscard]] json::value seen(const std::string& of, const std::string& node) const {
    const json::value reply = ask(of, "nodes");
    if (!reply.as_object().contains("result")) return nullptr;
    for (const json::value& one : reply.at("result").at("nodes").as_array()) {
      if (one.at("node").as_string() == node) return one;
    }
    return nullptr;
  }
  [[nodiscard]] bool runs(const std::string& node) const {
    const json::value one = seen(node, node);
    return !one.is_null() && !one.at("waits").as_bool() && one.at("frame").to_number<int>() > 0;
  }
  [[nodiscard]] bool armed(const std::string& node) const {
    return ask(node, "status").at("result").at("armed").as_bool();
  }

  Folder folder;
  std::string system = own_system();
};

TEST(Members, BeginAtOneTickAndAreArmedTogether) {
  const Pair pair;
  Program left = pair.start("left", "right");
  ASSERT_TRUE(left.says("waits for right"));
  EXPECT_TRUE(comes_true([&] { return !pair.seen("left", "right").is_null(); }));
  EXPECT_EQ(pair.seen("left", "right").at("here"), false);
  EXPECT_EQ(pair.ask("left", "status").at("result").at("frames"), 0);
  Program right = pair.start("right", "left");
  ASSERT_TRUE(comes_true([&] { return pair.runs("left") && pair.runs("right"); }));
  const json::value tick = pair.seen("left", "left").at("first_tick_tai_ns");
  EXPECT_TRUE(tick.is_int64());
  EXPECT_EQ(pair.seen("right", "right").at("first_tick_tai_ns"), tick);

  EXPECT_FALSE(pair.armed("left"));
  EXPECT_FALSE(pair.armed("right"));
  // Where the machine lets one be lost for a moment nobody is armed: it is asked again.
  ASSERT_TRUE(comes_true([&] {
    if (pair.armed("left") && pair.armed("right")) return true;
    static_cast<void>(pair.ask("left", "arm", R"({"system": true})"));
    return false;
  }));
  EXPECT_FALSE(pair.ask("right", "disarm", R"({"system": true})").as_object().contains("error"));
  EXPECT_TRUE(comes_true([&] { return !pair.armed("left") && !pair.armed("right"); }));

  right.signal(SIGKILL);
  static_cast<void>(right.wait());
  ASSERT_TRUE(comes_true([&] { return !pair.seen("left", "right").at("here").as_bool(); }));
  const json::value refused = pair.ask("left", "arm", R"({"system": true})");
  ASSERT_TRUE(refused.as_object().contains("error")) << refused;
  EXPECT_THAT(std::string(refused.at("error").at("message").as_string()),
              HasSubstr("nothing is heard of right"));
  left.signal(SIGTERM);
  EXPECT_TRUE(ended_well(left.wait()));
}

TEST(Members, ThatWaitCanBeStopped) {
  const Pair pair;
  Program left = pair.start("left", "right");
  ASSERT_TRUE(left.says("waits for right"));
  left.signal(SIGTERM);
  EXPECT_TRUE(ended_well(left.wait()));
}

// Or it would be ended for not having begun.
TEST(Members, ThatWaitAskTheServiceManagerForTime) {
  const Pair pair;
  const std::string socket = pair.folder.path("notify");
  const Manager manager(socket);
  Program left({"run", member_of(pair.system, "left", "right", pair.folder)},
               {.notify_socket = socket});
  EXPECT_THAT(manager.await("EXTEND_TIMEOUT_USEC="), HasSubstr("waits for right"));
  left.signal(SIGTERM);
  EXPECT_TRUE(ended_well(left.wait()));
}

TEST(Members, OfflineBeginByThemselves) {
  const Pair pair;
  const Ended ended = hild({"run", member_of(pair.system, "left", "right", pair.folder),
                            "--offline", "--duration", "0.2"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

}  // namespace
}  // namespace hild::test
