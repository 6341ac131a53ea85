// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sequences that a daemon runs: hild and hildctl as they are installed, beside one another.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/ctl/live_daemon.hpp"
#include "cli/main/program.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// It has done something when it waits.
constexpr const char* for_long =
    "name: long\n"
    "steps:\n"
    "  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}\n"
    "  - {ramp: inertia, to: 0.8 g m2, over: 1000 s}\n"
    "always: [{release: shaft_speed}]\n";

class SequencesOfADaemon : public test::LiveDaemon {
 protected:
  void SetUp() override { wait_until_it_answers(daemon); }
  void begin(const std::string& name) const {
    const auto begun = run({"begin", name});
    EXPECT_EQ(begun.code, 0) << begun.err;
    EXPECT_THAT(begun.out, HasSubstr("begun: " + name));
  }
  /// What is told of the one begun last, once it is as it is to be.
  template <class Is>
  json::value last_when(Is is) const {
    json::value all;
    for (int tries = 0; tries < 3000; ++tries) {
      all = result({"sequences"});
      if (is(all)) return all.at("last");
      ::usleep(20'000);
    }
    ADD_FAILURE() << all;
    return all.at("last");
  }
  [[nodiscard]] json::value at_its_end() const {
    return last_when([](const json::value& all) { return all.at("running").is_null(); });
  }
  void begin_for_long() const {
    begin("long");
    last_when([](const json::value& all) { return all.at("last").at("ended") == 1; });
  }
  /// The process that runs a sequence.
  [[nodiscard]] pid_t child() const {
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream file(entry.path() / "status");
      const std::string status(std::istreambuf_iterator<char>(file), {});
      const bool its = status.find(fmt::format("\nPPid:\t{}\n", daemon.pid())) != status.npos;
      if (its && status.starts_with("Name:\thildctl\n")) return std::stoi(name);
    }
    return -1;
  }

  std::string passing = folder.file("passing.yaml",
                                    "name: a run\n"
                                    "steps:\n"
                                    "  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}\n"
                                    "  - {expect: shaft_speed, is: 42 rad/s, within: 0 rad/s}\n"
                                    "always: [{release: shaft_speed}]\n");
  std::string failing = folder.file("failing.yaml",
                                    "steps:\n"
                                    "  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}\n"
                                    "  - {expect: shaft_speed, min: 43 rad/s}\n"
                                    "always: [{release: shaft_speed}]\n");
  std::string longest = folder.file("long.yaml", for_long);
  test::Program daemon{
      {"run", std::string(HILD_SOURCE_DIR) + "/config/demo.yaml", "--duration", "3600", "--set",
       fmt::format("control={{socket: {}, sequences: {{passing: {}, failing: {}, long: {}}}}}",
                   socket, passing, failing, longest),
       "--set", "devices.rig.image=" + folder.image()},
      {.program = HILD_DAEMON}};
};

TEST_F(SequencesOfADaemon, AreJudgedAndToldStepByStep) {
  begin("passing");
  json::value last = at_its_end();
  EXPECT_EQ(last.at("words"), "passed: passing: 3 passed");
  EXPECT_EQ(last.at("name"), "a run");
  const json::array steps = last.at("steps").as_array();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[1].at("name"), "expect shaft_speed");
  EXPECT_EQ(steps[1].at("line"), 4);
  EXPECT_EQ(steps[2].at("always"), true);
  EXPECT_EQ(result({"status"}).at("control"), nullptr) << "it was given back";
  EXPECT_EQ(run({"fault"}).out, "no faults\n");

  begin("failing");
  last = at_its_end();
  EXPECT_EQ(last.at("words"), "failed: failing: 2 passed, 1 failed");
  EXPECT_THAT(last.at("steps").at(1).at("message").as_string().c_str(),
              HasSubstr("shaft_speed was 42 rad/s"));
  EXPECT_THAT(run({"sequences"}).out,
              AllOf(HasSubstr("  expect shaft_speed\n        line 3: shaft_speed was 42 rad/s"),
                    HasSubstr("failed: failing: 2 passed, 1 failed\n")));

  // The file is read anew, and it is not what it was when the run began.
  folder.file("passing.yaml", "steps:\n  - {mark: [}\n");
  begin("passing");
  last = at_its_end();
  EXPECT_EQ(last.at("is"), "error");
  EXPECT_THAT(last.at("words").as_string().c_str(), HasSubstr(passing + ":2"));
}

TEST_F(SequencesOfADaemon, AreLentControlByName) {
  ::setenv("HILD_OWNER", "alice", 1);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_EQ(run({"take"}).code, 0);
  begin("passing");
  EXPECT_EQ(at_its_end().at("is"), "passed");
  EXPECT_EQ(result({"status"}).at("control").at("owner"), "alice");
  ::unsetenv("HILD_OWNER");  // NOLINT(concurrency-mt-unsafe): one thread
}

TEST_F(SequencesOfADaemon, RunAsProcessesThatHaveNothingOfRealTime) {
  begin_for_long();
  const pid_t its = child();
  ASSERT_GT(its, 0);
  EXPECT_EQ(::sched_getscheduler(its), SCHED_OTHER);
  const fs::path about = fmt::format("/proc/{}", its);
  const std::string limits = test::read_file(about / "limits");
  const auto line = limits.find("Max realtime priority");
  ASSERT_NE(line, std::string::npos);
  std::istringstream values(limits.substr(line + std::string("Max realtime priority").size()));
  std::string soft;
  std::string hard;
  values >> soft >> hard;
  EXPECT_EQ(soft + " " + hard, "0 0");
  EXPECT_EQ(test::read_file(about / "oom_score_adj"), "1000\n");
  for (const auto& entry : fs::directory_iterator(about / "fd")) {
    const std::string is = fs::read_symlink(entry.path());
    EXPECT_TRUE(is == "/dev/null" || !is.starts_with('/')) << is << " is the daemon's";
  }
  EXPECT_EQ(run({"cease"}).code, 0);
  const json::value last = at_its_end();
  EXPECT_EQ(last.at("is"), "error") << "it was not judged to its end";
  EXPECT_EQ(last.at("steps").at(2).at("name"), "release shaft_speed");
  EXPECT_EQ(last.at("steps").at(2).at("result"), "passed") << last;
  EXPECT_EQ(run({"fault"}).out, "no faults\n");
}

TEST_F(SequencesOfADaemon, MayDieAndTheRunGoesOn) {
  begin_for_long();
  const pid_t its = child();
  ASSERT_GT(its, 0);
  ::kill(its, SIGKILL);
  EXPECT_THAT(at_its_end().at("words").as_string().c_str(),
              AllOf(HasSubstr("ended by signal 9"), HasSubstr("nobody took its steps `always`")));
  EXPECT_THAT(run({"fault"}).out, HasSubstr("shaft_speed"));
  begin("passing");
  EXPECT_EQ(at_its_end().at("is"), "passed");
}

TEST_F(SequencesOfADaemon, EndWithTheRun) {
  begin_for_long();
  const pid_t its = child();
  ASSERT_GT(its, 0);
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().code, 0);
  EXPECT_EQ(::kill(its, 0), -1);
}

TEST(SequencesOfAConfiguration, AreCheckedBeforeARun) {
  test::Folder folder;
  const std::string broken = folder.file("broken.yaml", "steps:\n  - mark: 1\n    for: 2\n");
  const std::string file = folder.file(
      "rig.yaml", "include: " HILD_SOURCE_DIR
                  "/config/demo.yaml\n"
                  "devices: {rig: {image: " +
                      folder.image() +
                      "}}\n"
                      "control: {socket: control.sock, sequences: {trial: broken.yaml}}\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", "--no-measure", file},
        std::vector<std::string>{"run", file, "--duration", "1"}}) {
    const auto ended = test::hild(arguments, {.program = HILD_DAEMON});
    EXPECT_EQ(ended.code, 1) << arguments[0];
    EXPECT_THAT(ended.err, AllOf(HasSubstr(file + ": control.sequences.trial: "),
                                 HasSubstr(broken + ":"), HasSubstr("for")));
  }
  // To be safe it is enough that the outputs are known.
  EXPECT_EQ(test::hild({"safe", file}, {.program = HILD_DAEMON}).code, 0);
}

}  // namespace
}  // namespace hild::ctl
