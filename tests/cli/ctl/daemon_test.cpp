// SPDX-License-Identifier: Apache-2.0
/// \file
/// hildctl and the Python client against a daemon that runs. Nothing here depends on how fast it
/// is: a stuck signal is exactly what it is stuck at.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <sstream>

#include "cli/ctl/live_daemon.hpp"
#include "cli/main/program.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class Daemon : public test::LiveDaemon {
 protected:
  test::Program daemon{
      {"run", std::string(HILD_SOURCE_DIR) + "/config/demo.yaml", "--duration", "3600", "--set",
       "control={socket: " + socket + "}", "--set", "devices.rig.image=" + folder.image()},
      {.program = HILD_DAEMON}};

  void SetUp() override { wait_until_it_answers(daemon); }

  [[nodiscard]] double value(const std::string& name) const {
    return result({"get", name}).at("values").at(name).to_number<double>();
  }
};

TEST_F(Daemon, WhatIsSetAndFalsifiedIsReadBack) {
  EXPECT_EQ(run({"set", "inertia=0.8 g m2"}).code, 0);
  EXPECT_EQ(value("inertia"), 0.0008);
  const auto refused = run({"set", "inertia=-1"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("values.inertia"));
  EXPECT_EQ(value("inertia"), 0.0008);

  EXPECT_EQ(
      run({"event", "override", "signal=shaft_speed", "kind=stuck", "value=42", "+", "mark"}).code,
      0);
  EXPECT_EQ(value("shaft_speed"), 42);
  EXPECT_THAT(run({"fault"}).out, HasSubstr("shaft_speed  stuck  42  until released"));
  EXPECT_THAT(run({"watch", "shaft_speed", "--count", "3", "--every", "1"}).out,
              HasSubstr("            42\n"));
}

TEST_F(Daemon, ASequenceIsJudged) {
  const std::string passing =
      folder.file("passing.yaml",
                  "steps:\n"
                  "  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}\n"
                  "  - {expect: shaft_speed, is: 42 rad/s, within: 0 rad/s}\n"
                  "  - {wait: 20 ms}\n"
                  "  - {ramp: inertia, to: 0.8 g m2, over: 100 ms}\n"
                  "  - {ramp: load_torque, to: 30 mNm, over: 20 ms}\n"
                  "  - {expect: load_torque, is: 30 mNm, within: 1e-9 Nm,"
                  " timeout: 1 s}\n"
                  "always: [{release: shaft_speed}, {quiet: load_torque}]\n");
  const auto passed = run({"sequence", passing});
  EXPECT_EQ(passed.code, 0) << passed.out << passed.err;
  EXPECT_EQ(value("inertia"), 0.0008);
  EXPECT_EQ(run({"fault"}).out, "no faults\n");

  const std::string failing = folder.file("failing.yaml",
                                          "steps:\n"
                                          "  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}\n"
                                          "  - {expect: shaft_speed, min: 43 rad/s}\n"
                                          "always: [{release: shaft_speed}]\n");
  const auto failed = run({"sequence", failing});
  EXPECT_EQ(failed.code, 3) << failed.out << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("shaft_speed was 42 rad/s"));
  EXPECT_EQ(run({"fault"}).out, "no faults\n");
}

// Which is changing something until it is displaced.
TEST_F(Daemon, OfTwoSequencesAtOnceTheSecondIsRefused) {
  const std::string file = folder.file("first.yaml",
                                       "name: first\n"
                                       "steps: [{ramp: inertia, to: 0.8 g m2, over: 1000 s}]\n"
                                       "always: [{mark: 1}]\n");
  const auto owner = [&] {
    const json::value control = result({"status"}).at("control");
    return control.is_null() ? "" : std::string(control.at("owner").as_string());
  };
  test::Program first({"sequence", file, "--socket", socket});
  for (int tries = 0; tries < 3000 && owner().empty(); ++tries) ::usleep(20'000);
  EXPECT_THAT(owner(), testing::StartsWith("sequence first ("));

  const auto second = run({"sequence", folder.file("second.yaml", "steps: [{mark: 2}]\n")});
  EXPECT_EQ(second.code, 4) << second.out;
  EXPECT_THAT(second.err,
              testing::AllOf(HasSubstr("sequence first ("), HasSubstr("has had control"),
                             HasSubstr("hildctl take --over")));
  EXPECT_EQ(run({"set", "inertia=2"}).code, 4);
  EXPECT_EQ(run({"disarm"}).code, 0);

  EXPECT_THAT(run({"take", "--over", "--as", "bob"}).out,
              HasSubstr("bob has control, taken over from sequence first ("));
  const auto ended = first.wait();
  EXPECT_EQ(ended.code, 4) << ended.out << ended.err;
  EXPECT_THAT(ended.out, testing::AllOf(HasSubstr("ERROR"), HasSubstr("bob has had control")));
  EXPECT_EQ(owner(), "bob");
  EXPECT_EQ(run({"set", "inertia=2"}).code, 4);
  EXPECT_EQ(run({"give", "--as", "bob"}).code, 0);
  EXPECT_EQ(run({"set", "inertia=2"}).code, 0);
  EXPECT_EQ(value("inertia"), 2);
}

/// The lines of the README's block that are commands to hildctl, without their comments.
std::vector<std::string> steering_in_readme() {
  std::istringstream readme(test::read_file(HILD_SOURCE_DIR "/README.md"));
  std::vector<std::string> commands;
  bool within = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("## ")) within = line == "## Steer it";
    if (within && line.starts_with("build/hildctl "))
      commands.push_back(line.substr(0, line.find(" #")));
  }
  return commands;
}

// As printed, one after the other; all that `watch` needs is an end.
TEST_F(Daemon, TheCommandsOfTheReadmeDoWhatTheySay) {
  const auto commands = steering_in_readme();
  ASSERT_GE(commands.size(), 4U);
  EXPECT_EQ(commands.back(), "build/hildctl stop");
  EXPECT_THAT(commands, testing::Contains(HasSubstr("hildctl sequence ")));
  namespace fs = std::filesystem;
  fs::create_symlink(HILD_SOURCE_DIR "/config", folder.path("config"));
  fs::create_directory(folder.path("build"));
  fs::create_symlink(HILD_PROGRAM, folder.path("build/hildctl"));
  for (std::string command : commands) {
    if (command.find(" watch ") != std::string::npos) command += " --count 2";
    const std::string out = folder.path("out");
    const std::string line = fmt::format("(cd '{}' && HILD_SOCKET='{}' {}) >'{}' 2>&1",
                                         folder.path(""), socket, command, out);
    EXPECT_EQ(std::system(line.c_str()), 0) << command << "\n" << test::read_file(out);
  }
}

TEST_F(Daemon, PythonReadsTheSameFigures) {
  ASSERT_EQ(run({"fault", "shaft_speed", "stuck", "42"}).code, 0);
  const std::string out = folder.path("out");
  const std::string script = folder.file("script.py", R"(from hild import Hild
with Hild() as run:
    print(run.get('shaft_speed')['shaft_speed'] == 42)
    with run.transaction() as together:
        run.set(inertia=2)
        run.fault('shaft_speed', 'stuck', 43)
    for sample in run.subscribe('shaft_speed', every=1):
        if sample.frame >= together.effect.frame:
            break
    print(sample.values['shaft_speed'] == 43, run.get('inertia')['inertia'] == 2)
    run.stop()
)");
  const std::string command = "HILD_SOCKET='" + socket +
                              "' PYTHONPATH='" HILD_SOURCE_DIR "/src/cli/ctl/python' python3 -B '" +
                              script + "' >'" + out + "' 2>&1";
  if (std::system("python3 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3";
  EXPECT_EQ(std::system(command.c_str()), 0) << test::read_file(out);
  EXPECT_EQ(test::read_file(out), "True\nTrue True\n");
  EXPECT_EQ(daemon.wait().code, 0);
}

}  // namespace
}  // namespace hild::ctl
