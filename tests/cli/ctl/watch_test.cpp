// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// Sends samples once it is subscribed to.
void send_after_subscribing(FakeDaemon& daemon, const std::vector<std::string>& lines,
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

std::string notification(const char* method, const char* params) {
  return json::serialize(
      json::value{{"jsonrpc", "2.0"}, {"method", method}, {"params", json::parse(params)}});
}
const char* const frozen = R"({"state":"frozen","told":[
    {"of":"run","is":"frozen","level":"fair","words":"frozen, as asked for"},
    {"of":"outputs","is":"armed","level":"quiet","words":"armed: they follow the plant"}]})";
const char* const disarmed = R"({"state":"running","told":[
    {"of":"run","is":"running","level":"quiet","words":"running"},
    {"of":"outputs","is":"disarmed","level":"fair","words":"disarmed: they take their safe actions"}]})";

TEST(Watch, TellsWhatIsToBeKnownWithEachChange) {
  FakeDaemon daemon;
  daemon.answer("follow", json::parse(frozen));
  send_after_subscribing(daemon,
                         {notification("state", disarmed), FakeDaemon::samples({99}, {{1.5, 2}}),
                          notification("state", disarmed), FakeDaemon::samples({199}, {{1.5, 2}})});
  const auto ended = hildctl(daemon, {"watch", "speed", "x", "--count", "2"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out,
            "      time_s  speed[rad/s]             x\n"
            "# run: frozen, as asked for\n"
            "# run: running\n"
            "# outputs: disarmed: they take their safe actions\n"
            "    0.100000           1.5             2\n"
            "    0.200000           1.5             2\n");
  const auto lines = hildctl(daemon, {"watch", "speed", "x", "--count", "1", "--json"}).out;
  EXPECT_EQ(json::parse(lines.substr(0, lines.find('\n'))),
            json::parse(R"({"told":"run: frozen, as asked for"})"));
}

// Once; it is read as it comes, for at most a minute.
TEST(Watch, SaysWhenItWaitsAndWhy) {
  auto daemon = std::make_unique<FakeDaemon>();
  daemon->answer("follow", json::parse(frozen));
  const std::string command =
      "timeout 60 '" HILD_PROGRAM "' watch speed x --socket '" + daemon->socket() + "' 2>&1";
  std::FILE* const out = ::popen(command.c_str(), "r");
  ASSERT_NE(out, nullptr);
  std::string all;
  const auto waits = [&] { return all.find("# waiting") != std::string::npos; };
  for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) {
    all.push_back(static_cast<char>(c));
    if (waits() && all.back() == '\n') daemon.reset();  // so that it ends
  }
  EXPECT_NE(::pclose(out), 0);
  EXPECT_THAT(all, HasSubstr("# waiting, no sample for 1 s: the run is frozen, as asked for\n"));
  EXPECT_EQ(all.find("# waiting"), all.rfind("# waiting"));
}

TEST(Watch, SaysHowLongItIsFromSampleToSample) {
  FakeDaemon daemon;
  send_after_subscribing(daemon, {FakeDaemon::samples({99}, {{1.5, 2}})});
  EXPECT_THAT(hildctl(daemon, {"watch", "speed", "x", "--every", "5000", "--count", "1"}).out,
              HasSubstr("# a sample comes every 5 s\n"));
}

TEST(Watch, TellsHowTheRunEnded) {
  FakeDaemon daemon;
  send_after_subscribing(
      daemon,
      {FakeDaemon::samples({99}, {{1.5, 2}}),
       notification("ended", R"({"outcome":"overrun_limit","words":"Stopped in frame 812: late.",
                                 "exit_code":3,"outputs_safe":true})")},
      true);
  const auto ended = hildctl(daemon, {"watch", "speed", "x"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, HasSubstr("0.100000           1.5"));
  EXPECT_EQ(ended.err, "hildctl: the run has ended: Stopped in frame 812: late. Exit code 3\n");
}

TEST(Stop, TellsHowTheRunEnded) {
  FakeDaemon daemon;
  daemon.answer("follow", json::parse(disarmed));
  daemon.handle("stop", [](const json::value& id, const auto&) {
    return FakeDaemon::Answer{
        .lines = {FakeDaemon::reply(id, {{"frame", 7}}),
                  notification("ended",
                               R"({"words":"The run was stopped on request.","exit_code":0})")},
        .hang_up = true};
  });
  const auto ended = hildctl(daemon, {"stop"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out,
            "stopping: outputs take their safe values\n"
            "ended: The run was stopped on request. Exit code 0\n");
}

TEST(Stop, DoesNotSayThatItHasEndedWhenItHasNot) {
  FakeDaemon daemon;
  daemon.answer("follow", json::parse(disarmed));
  EXPECT_THAT(hildctl(daemon, {"stop", "--timeout", "50 ms"}).out,
              HasSubstr("it has not ended yet"));
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
