// SPDX-License-Identifier: Apache-2.0
/// \file
/// The nodes of a system, as hildctl shows them and has them armed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

test::Ended of_system(const FakeDaemon& daemon, std::vector<std::string> words) {
  words.insert(words.end(), {"--system", "--socket", daemon.socket()});
  return test::hild(std::move(words), {});
}

json::value round_in(const std::string& state, int number, const std::string& words) {
  return {{"state", state}, {"number", number}, {"words", words}};
}

json::value three_nodes(const json::value& round) {
  return {{"own", "motor"},
          {"nodes",
           {{{"node", "motor"},
             {"here", true},
             {"own", true},
             {"member", true},
             {"waits", false},
             {"armed", true},
             {"may_arm", true},
             {"frame", 1200},
             {"overruns", 3}},
            {{"node", "load"},
             {"here", false},
             {"own", false},
             {"member", true},
             {"waits", nullptr},
             {"armed", nullptr},
             {"may_arm", nullptr},
             {"frame", nullptr},
             {"overruns", nullptr}},
            {{"node", "meter"},
             {"here", true},
             {"own", false},
             {"member", false},
             {"waits", true},
             {"armed", false},
             {"may_arm", false},
             {"frame", 0},
             {"overruns", 0}}}},
          {"round", round}};
}

TEST(System, IsATableOfItsNodes) {
  FakeDaemon daemon;
  daemon.answer("nodes", three_nodes(round_in("refused", 5, "load cannot be armed")));
  const test::Ended shown = of_system(daemon, {"status"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.out,
            "node                                outputs                    frame  overruns\n"
            "motor (this one)  runs              armed                       1200         3\n"
            "load              not here          -                              -         -\n"
            "meter             waits for others  disarmed, cannot be armed      0         0  no "
            "member\n"
            "\narming of all: load cannot be armed\n");
}

TEST(System, OfARunThatIsNoNodeIsSaidToBeNone) {
  FakeDaemon daemon;
  daemon.answer("nodes",
                {{"own", nullptr}, {"nodes", json::array()}, {"round", round_in("none", 0, "")}});
  EXPECT_THAT(of_system(daemon, {"status"}).out, HasSubstr("is no node of a system"));
}

TEST(System, IsArmedOnceAllAre) {
  FakeDaemon daemon;
  daemon.answer("arm", {{"round", round_in("under_way", 5, "asking")}});
  int asked = 0;
  daemon.handle("nodes", [&asked](const json::value& id, const FakeDaemon::Call&) {
    const bool done = ++asked == 3;
    return FakeDaemon::Answer{
        .lines = {
            FakeDaemon::reply(id, three_nodes(done ? round_in("done", 5, "all 3 members are armed")
                                                   : round_in("under_way", 5, "asking")))}};
  });
  const test::Ended armed = of_system(daemon, {"arm"});
  EXPECT_EQ(armed.code, 0) << armed.err;
  EXPECT_EQ(armed.out, "all 3 members are armed\n");
  EXPECT_EQ(asked, 3);
}

TEST(System, SaysWhyItIsNotArmed) {
  FakeDaemon daemon;
  daemon.answer("arm", {{"round", round_in("under_way", 5, "asking")}});
  daemon.answer("nodes", three_nodes(round_in("refused", 5, "load cannot be armed")));
  const test::Ended refused = of_system(daemon, {"arm"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("load cannot be armed; `hildctl status --system`"));
  daemon.answer("nodes", three_nodes(round_in("done", 6, "all members are told to disarm")));
  EXPECT_THAT(of_system(daemon, {"arm"}).err, HasSubstr("another request"));
}

}  // namespace
}  // namespace hild::ctl
