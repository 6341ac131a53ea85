// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hildctl sequence` against a daemon whose time goes on by 50 frames with every message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;

/// From the subscription on, samples of one signal at 1 kHz: frame after frame `value`.
void send_seconds(FakeDaemon& daemon, int seconds, double value) {
  daemon.handle("subscribe", [=](const json::value& id, const auto&) {
    FakeDaemon::Answer answer{.lines = {FakeDaemon::reply(id, {{"subscription", 1}})}};
    for (int message = 0; message < 20 * seconds; ++message) {
      std::vector<std::int64_t> frames(50);
      std::iota(frames.begin(), frames.end(), 50 * message);
      answer.lines.push_back(FakeDaemon::samples(
          frames, std::vector<std::vector<double>>(50, std::vector<double>{value})));
    }
    return answer;
  });
}

class SequenceCommand : public testing::Test {
 protected:
  FakeDaemon daemon;
  test::Folder folder;

  std::string file(const std::string& text) { return folder.file("s.yaml", text); }
};

TEST_F(SequenceCommand, PassesWithZero) {
  send_seconds(daemon, 3, 120);
  const auto ended = hildctl(
      daemon,
      {"sequence", file("name: a run\n"
                        "steps:\n"
                        "  - {expect: shaft_speed, is: 120 rad/s, within: 1 rad/s, for: 1 s}\n"
                        "  - mark: 3\n"
                        "always: [{release: shaft_speed}]\n")});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("PASS      1.000 s  expect shaft_speed\n"),
                               HasSubstr("a run: passed (3 passed)\n")));
  std::vector<std::string> methods;
  for (const auto& call : daemon.calls()) methods.push_back(call.method);
  EXPECT_EQ(methods, (std::vector<std::string>{"list", "take", "status", "subscribe", "mark",
                                               "release", "unsubscribe", "give"}));
}

TEST_F(SequenceCommand, TakesNoControlWhereItsFileSaysSo) {
  send_seconds(daemon, 3, 120);
  const auto ended = hildctl(daemon, {"sequence", file("share: true\nsteps: [{mark: 3}]\n")});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  std::vector<std::string> methods;
  for (const auto& call : daemon.calls()) methods.push_back(call.method);
  EXPECT_EQ(methods,
            (std::vector<std::string>{"list", "status", "subscribe", "mark", "unsubscribe"}));
  EXPECT_EQ(hildctl(daemon, {"sequence", file("share: perhaps\nsteps: [{mark: 3}]\n")}).code, 1);
}

TEST_F(SequenceCommand, FailsWithThreeAndWritesJunit) {
  send_seconds(daemon, 3, 100);
  const std::string junit = folder.path("junit.xml");
  const auto ended = hildctl(
      daemon, {"sequence", file("steps: [{expect: shaft_speed, min: 110 rad/s}, {mark: 1}]\n"),
               "--junit", junit, "--json"});
  EXPECT_EQ(ended.code, 3);
  const auto outcome = json::parse(ended.out);
  EXPECT_EQ(outcome.at("result"), "failed");
  EXPECT_EQ(outcome.at("skipped"), 1);
  EXPECT_THAT(test::read_file(junit),
              AllOf(HasSubstr("<testsuite name=\"s\""), HasSubstr("failures=\"1\""),
                    HasSubstr("<failure type=\"expect\" message=\"shaft_speed was 100 rad/s")));
}

/// What is printed, line by line.
std::vector<json::value> lines_of(const std::string& text) {
  std::vector<json::value> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

TEST_F(SequenceCommand, TellsProgramsALineAStep) {
  send_seconds(daemon, 3, 100);
  const std::string path = file(
      "name: a run\n"
      "steps:\n"
      "  - mark: 3\n"
      "  - {expect: shaft_speed, min: 110 rad/s}\n"
      "  - mark: 4\n"
      "always: [{release: shaft_speed}]\n");
  const auto ended = hildctl(daemon, {"sequence", path, "--lines"});
  EXPECT_EQ(ended.code, 3);
  const auto lines = lines_of(ended.out);
  ASSERT_EQ(lines.size(), 6U) << ended.out;
  EXPECT_EQ(lines[0], (json::value{{"sequence",
                                    {{"name", "a run"},
                                     {"file", path},
                                     {"description", ""},
                                     {"steps", 3},
                                     {"always", 1}}}}));
  const auto step = [&](std::size_t line) { return lines[line].at("step"); };
  EXPECT_EQ(step(1).at("result"), "passed");
  EXPECT_EQ(step(1).at("line"), 3);
  EXPECT_EQ(step(1).at("always"), false);
  EXPECT_EQ(step(2).at("result"), "failed");
  EXPECT_THAT(step(2).at("message").as_string().c_str(), HasSubstr("shaft_speed was 100 rad/s"));
  EXPECT_EQ(step(3).at("result"), "skipped");
  EXPECT_EQ(step(4).at("name"), "release shaft_speed");
  EXPECT_EQ(step(4).at("always"), true);
  const json::value& outcome = lines[5].at("outcome");
  EXPECT_EQ(outcome.at("result"), "failed");
  EXPECT_EQ(outcome.at("passed"), 2);
  EXPECT_EQ(outcome.at("skipped"), 1);
  EXPECT_FALSE(outcome.as_object().contains("steps"));
}

TEST_F(SequenceCommand, TellsProgramsWhatKeepsItFromItsFirstStep) {
  const auto wrong = hildctl(daemon, {"sequence", file("steps: [{mark: x}]\n"), "--lines"});
  EXPECT_EQ(wrong.code, 1);
  ASSERT_EQ(lines_of(wrong.out).size(), 1U) << wrong.out;
  const json::value error = lines_of(wrong.out)[0].at("error");
  EXPECT_EQ(error.at("kind"), "usage");
  EXPECT_THAT(error.at("message").as_string().c_str(), HasSubstr("s.yaml:1: "));
  daemon.refuse("take", -32005, "alice has had control for 3 s");
  const auto held = hildctl(daemon, {"sequence", file("steps: [{mark: 1}]\n"), "--lines"});
  EXPECT_EQ(held.code, 4);
  EXPECT_EQ(lines_of(held.out).at(0).at("error").at("code"), -32005);
}

TEST_F(SequenceCommand, HasOneFormForPrograms) {
  const std::string path = file("steps: [{mark: 1}]\n");
  EXPECT_EQ(hildctl(daemon, {"sequence", path, "--lines", "--json"}).code, 1);
  EXPECT_EQ(hildctl(daemon, {"sequence", path, "--lines", "--check"}).code, 1);
  EXPECT_TRUE(daemon.calls().empty());
}

TEST_F(SequenceCommand, ARefusalIsOne) {
  send_seconds(daemon, 3, 100);
  daemon.refuse("mark", -32000, "refused by the run");
  const auto ended = hildctl(daemon, {"sequence", file("steps: [{mark: 1}]\n")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("ERROR"));
}

TEST_F(SequenceCommand, ARunThatEndsIsTwo) {
  send_seconds(daemon, 3, 100);
  daemon.handle("mark",
                [](auto&, auto&) { return FakeDaemon::Answer{.lines = {}, .hang_up = true}; });
  const auto ended =
      hildctl(daemon, {"sequence", file("steps: [{mark: 1}]\nalways: [{resume: }]\n")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(daemon.calls().back().method, "mark");
}

// The time is that of replies too: long enough for those of a daemon on a machine that is busy.
TEST_F(SequenceCommand, TimeThatStandsStillIsTold) {
  send_seconds(daemon, 1, 100);
  const auto ended =
      hildctl(daemon, {"sequence", file("steps: [{wait: 5 s}]\n"), "--timeout", "3 s"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("simulated time stood still for 3 s"));
}

TEST_F(SequenceCommand, IsCheckedAgainstTheRunBeforeAnythingIsDone) {
  const auto ended =
      hildctl(daemon, {"sequence", file("steps: [{mark: 1}, {set: {inertai: 1 kg m2}}]\n")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("s.yaml:1: steps[2].set.inertai"),
                               HasSubstr("did you mean \"inertia\"?")));
  EXPECT_EQ(daemon.calls().size(), 1U);  // list
}

TEST_F(SequenceCommand, CheckAsksNobody) {
  const auto ended =
      hildctl(daemon, {"sequence", "--check", HILD_SOURCE_DIR "/config/sequences/demo.yaml"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("five times the load"));
  EXPECT_TRUE(daemon.calls().empty());
}

}  // namespace
}  // namespace hild::ctl
