// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// Sends samples once it is subscribed to.
void send_after_subscribing(FakeDaemon& daemon, std::vector<std::string> lines,
                            bool hang_up = false) {
  daemon.handle("subscribe", [=](const json::value& id, const auto& call) {
    FakeDaemon::Answer answer{.lines = {FakeDaemon::reply(id, {{"subscription", 1},
                                                               {"names", call.params.at("names")},
                                                               {"units", {"rad/s", "1"}},
                                                               {"every", 100}})},
                              .hang_up = hang_up};
    answer.lines.insert(answer.lines.end(), lines.begin(), lines.end());
    return answer;
  });
}

TEST(Watch, PrintsALineASampleWhereThereIsNoTerminal) {
  FakeDaemon daemon;
  send_after_subscribing(daemon, {FakeDaemon::samples({99, 199}, {{1.5, 2}, {-3, 4}}),
                                  FakeDaemon::samples({399}, {{7, 8}}, 1)});
  const auto ended = hildctl(daemon, {"watch", "speed", "x", "--count", "3"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out,
            "      time_s  speed[rad/s]             x\n"
            "    0.100000           1.5             2\n"
            "    0.200000            -3             4\n"
            "    0.400000             7             8\n"
            "# 1 samples lost\n");
  EXPECT_EQ(json::serialize(daemon.calls().back().params),
            R"({"names":["speed","x"],"every":100})");  // 0.1 s of 1 ms
}

TEST(Watch, PrintsJsonALine) {
  FakeDaemon daemon;
  send_after_subscribing(daemon, {FakeDaemon::samples({99}, {{1.5, 2}})});
  const auto ended =
      hildctl(daemon, {"watch", "speed", "x", "--count", "1", "--every", "7", "--json"});
  EXPECT_EQ(json::parse(ended.out),
            json::parse(R"({"frame":99,"time_s":0.1,"values":{"speed":1.5,"x":2}})"));
  EXPECT_EQ(daemon.calls().back().params.at("every"), 7);
}

TEST(Watch, TakesAllOutputsWhenNobodySays) {
  FakeDaemon daemon;
  send_after_subscribing(daemon, {FakeDaemon::samples({99}, {{1.5, 2}})});
  EXPECT_EQ(hildctl(daemon, {"watch", "--count", "1"}).code, 0);
  EXPECT_EQ(json::serialize(daemon.calls().back().params.at("names")),
            R"(["output:shaft_speed","output:current"])");
}

TEST(Watch, EndsWithTheRun) {
  FakeDaemon daemon;
  send_after_subscribing(daemon, {FakeDaemon::samples({99}, {{1.5, 2}})}, true);
  const auto ended = hildctl(daemon, {"watch", "speed", "x"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("the daemon closed the connection"));
}

TEST(Watch, RowsThatAreNoneEndIt) {
  FakeDaemon daemon;
  send_after_subscribing(daemon, {FakeDaemon::samples({99}, {{1.5}})});
  const auto ended = hildctl(daemon, {"watch", "speed", "x"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("samples make no sense"));
}

TEST(Watch, AnUnknownNameIsRefusedByTheDaemon) {
  FakeDaemon daemon;
  daemon.refuse("subscribe", -32602, "names: found \"sped\" (did you mean \"speed\"?)");
  const auto ended = hildctl(daemon, {"watch", "sped", "--every", "1"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("did you mean \"speed\"?"));
}

}  // namespace
}  // namespace hild::ctl
