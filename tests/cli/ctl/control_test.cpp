// SPDX-License-Identifier: Apache-2.0
/// \file
/// Control of the run, as hildctl asks for it and tells of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <numeric>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// The user that hildctl takes this test for.
class Control : public testing::Test {
 protected:
  Control() { ::setenv("HILD_OWNER", "alice", 1); }
  ~Control() override { ::unsetenv("HILD_OWNER"); }

  /// Refuses a method while `while_so`: `owner` has control.
  void refuse(const std::string& method, const std::string& owner, bool stays,
              const std::function<bool(const FakeDaemon::Call&)>& while_so) {
    daemon.handle(method, [=](const json::value& id, const FakeDaemon::Call& call) {
      if (!while_so(call)) {
        return FakeDaemon::Answer{
            .lines = {FakeDaemon::reply(
                id, {{"frame", 7},
                     {"time_s", 0.007},
                     {"owner", call.params.contains("owner") ? call.params.at("owner") : nullptr},
                     {"left_s", 600}})}};
      }
      const json::value error{
          {"code", -32005},
          {"message", owner + " has had control for 12 s"},
          {"data", {{"owner", owner}, {"held_s", 12}, {"left_s", 588}, {"stays", stays}}}};
      return FakeDaemon::Answer{.lines = {json::serialize(json::value{
                                    {"jsonrpc", "2.0"}, {"id", id}, {"error", error}})}};
    });
  }
  static bool always(const FakeDaemon::Call&) { return true; }

  [[nodiscard]] std::vector<std::string> methods() const {
    std::vector<std::string> all;
    for (const auto& call : daemon.calls()) all.push_back(call.method);
    return all;
  }
  /// From the subscription on, `seconds` of samples at 1 kHz.
  void send_seconds(int seconds) {
    daemon.handle("subscribe", [=](const json::value& id, const auto&) {
      FakeDaemon::Answer answer{.lines = {FakeDaemon::reply(id, {{"subscription", 1}})}};
      for (int message = 0; message < 20 * seconds; ++message) {
        std::vector<std::int64_t> frames(50);
        std::iota(frames.begin(), frames.end(), 50 * message);
        answer.lines.push_back(FakeDaemon::samples(
            frames, std::vector<std::vector<double>>(50, std::vector<double>{1})));
      }
      return answer;
    });
  }

  FakeDaemon daemon;
  test::Folder folder;
};

TEST_F(Control, IsTakenByTheNameOfTheUser) {
  const auto taken = hildctl(daemon, {"take"});
  EXPECT_EQ(taken.code, 0) << taken.err;
  EXPECT_EQ(daemon.calls().back().params.at("owner"), "alice");
  EXPECT_EQ(taken.out,
            "alice has control; it is given back by `hildctl give`, or after 600 s without a "
            "change\n");
  EXPECT_EQ(hildctl(daemon, {"give"}).out, "alice has given control back\n");
  EXPECT_EQ(hildctl(daemon, {"give"}).out, "nobody had control\n");
}

TEST_F(Control, OfAnotherEndsWithFour) {
  refuse("set", "bob", true, always);
  const auto ended = hildctl(daemon, {"set", "inertia=1"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "hildctl: bob has had control for 12 s\n");
  EXPECT_THAT(methods(), ElementsAre("set")) << "nothing is taken that was not asked for";
  const auto for_programs = hildctl(daemon, {"set", "inertia=1", "--json"});
  EXPECT_EQ(for_programs.code, 4);
  EXPECT_EQ(json::parse(for_programs.out).at("error").at("code"), -32005);
  EXPECT_EQ(json::parse(for_programs.out).at("error").at("data").at("owner"), "bob");

  refuse("take", "bob", true, always);
  EXPECT_EQ(hildctl(daemon, {"take"}).code, 4);
}

TEST_F(Control, OfTheUserHoldsForEachOfTheirCommands) {
  int refused = 0;
  refuse("set", "alice", true, [&](const auto&) { return ++refused == 1; });
  const auto ended = hildctl(daemon, {"set", "inertia=1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "took effect at frame 7 (0.007 s)\n");
  EXPECT_THAT(methods(), ElementsAre("set", "take", "set"));
  EXPECT_EQ(daemon.calls()[1].params, json::parse(R"({"owner":"alice","stays":true})"));
}

// By the same name, but of a connection: a script of hers, say.
TEST_F(Control, OfAConnectionIsThatConnectionsAlone) {
  refuse("set", "alice", false, always);
  EXPECT_EQ(hildctl(daemon, {"set", "inertia=1"}).code, 4);
  EXPECT_THAT(methods(), ElementsAre("set"));
}

TEST_F(Control, IsToldByStatus) {
  EXPECT_THAT(hildctl(daemon, {"status"}).out,
              testing::ContainsRegex("control +nobody's: every client may change the run\n"));
  daemon.answer("status", {{"state", "running"},
                           {"control", {{"owner", "bob"}, {"held_s", 12.3}, {"left_s", 587.7}}}});
  EXPECT_THAT(
      hildctl(daemon, {"status"}).out,
      testing::ContainsRegex("control +bob, for 12 s; given back after 588 s more without a"));
}

TEST_F(Control, ASequenceHasItsOwnWhileItLasts) {
  send_seconds(2);
  const std::string file = folder.file("s.yaml", "name: load step\nsteps: [{mark: 1}]\n");
  const auto ended = hildctl(daemon, {"sequence", file});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(methods(),
              ElementsAre("list", "take", "status", "subscribe", "mark", "unsubscribe", "give"));
  const json::object params = daemon.calls()[1].params;
  EXPECT_THAT(std::string(params.at("owner").as_string()),
              testing::MatchesRegex("sequence load step \\(alice, process [0-9]+\\)"));
  EXPECT_EQ(params.at("timeout_s").to_number<double>(), 180)
      << "a minute, and twice a minute of patience";
  EXPECT_FALSE(params.contains("stays") || params.contains("over"));
}

TEST_F(Control, ASequenceIsRefusedBeforeItsFirstStep) {
  send_seconds(2);
  refuse("take", "sequence other", false, always);
  const std::string file = folder.file("s.yaml", "steps: [{mark: 1}]\n");
  const auto ended = hildctl(daemon, {"sequence", file});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "hildctl: sequence other has had control for 12 s\n");
  EXPECT_THAT(methods(), ElementsAre("list", "take"));
  EXPECT_EQ(hildctl(daemon, {"sequence", file, "--share"}).code, 0);
  EXPECT_THAT(methods(),
              ElementsAre("list", "take", "list", "status", "subscribe", "mark", "unsubscribe"));
}

TEST_F(Control, ASequenceNeedsNoneWhereNothingCanBeChanged) {
  send_seconds(2);
  daemon.refuse("take", -32001, "writing is disabled");
  const std::string file = folder.file("s.yaml", "steps: [{expect: shaft_speed, max: 2 rad/s}]\n");
  const auto ended = hildctl(daemon, {"sequence", file});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(methods(), ElementsAre("list", "take", "status", "subscribe", "unsubscribe"));
}

TEST_F(Control, ASequenceTakesThatOfItsUserAlongAndGivesItBackToThem) {
  send_seconds(2);
  refuse("take", "alice", true, [](const FakeDaemon::Call& call) {
    return !call.params.contains("over") && call.params.at("owner") != "alice";
  });
  const auto ended = hildctl(daemon, {"sequence", folder.file("s.yaml", "steps: [{mark: 1}]\n")});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(methods(), ElementsAre("list", "take", "take", "status", "subscribe", "mark",
                                     "unsubscribe", "take"));
  EXPECT_EQ(daemon.calls()[2].params.at("over"), true);
  EXPECT_EQ(json::serialize(daemon.calls().back().params),
            json::serialize(json::parse(R"({"owner":"alice","stays":true,"timeout_s":588.0})")));
}

TEST_F(Control, ASequenceThatLostItHasNotPassed) {
  send_seconds(2);
  refuse("give", "bob", true, always);
  const std::string junit = folder.path("junit.xml");
  const std::string file = folder.file("s.yaml", "steps: [{mark: 1}]\n");
  const auto ended = hildctl(daemon, {"sequence", file, "--junit", junit});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("PASS "), HasSubstr("s: error (1 passed)\n"),
                               HasSubstr("        bob has had control for 12 s\n")));
  EXPECT_THAT(test::read_file(junit), AllOf(HasSubstr("errors=\"1\""), HasSubstr("tests=\"2\""),
                                            HasSubstr("<testcase name=\"control of the run\""),
                                            HasSubstr("message=\"bob has had control for 12 s\"")));
  const auto as_json = json::parse(hildctl(daemon, {"sequence", file, "--json"}).out);
  EXPECT_EQ(as_json.at("result"), "error");
  EXPECT_EQ(as_json.at("displaced"), "bob has had control for 12 s");

  // Given back by nobody, it ran out.
  daemon.answer("give", {{"owner", nullptr}});
  const auto ran_out = hildctl(daemon, {"sequence", file});
  EXPECT_EQ(ran_out.code, 4);
  EXPECT_THAT(ran_out.out, HasSubstr("ran out"));
}

TEST_F(Control, AChangeOfASequenceThatLostItIsAnError) {
  send_seconds(2);
  refuse("mark", "bob", true, always);
  const auto ended = hildctl(daemon, {"sequence", folder.file("s.yaml", "steps: [{mark: 1}]\n")});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("ERROR"), HasSubstr("bob has had control for 12 s")));
}

}  // namespace
}  // namespace hild::ctl
