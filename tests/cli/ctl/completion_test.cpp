// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/fake_daemon.hpp"
#include "cli/terminal/completion.hpp"

namespace hild::ctl {
namespace {

using sequence::Kind;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using Words = std::vector<std::string>;

Words candidates(const Words& words) {
  static const Known known{
      .names =
          [] {
            return sequence::Names({{Kind::parameter, "inertia", "kg m2"},
                                    {Kind::input, "load_torque", "N m"},
                                    {Kind::output, "shaft_speed", "rad/s"},
                                    {Kind::output, "current", "A"},
                                    {Kind::state, "current", "A"}});
          },
      .methods =
          [] {
            return Words{"set", "mark"};
          },
      .params = [](const std::string& m) { return m == "set" ? Words{"values"} : Words{}; },
      .sequences =
          [] {
            return Words{"run-up", "score"};
          }};
  CLI::App app("", "hildctl");
  Exit ignored = Exit::done;
  add_all(app, ignored);
  return complete(app, words, known);
}

TEST(Complete, CommandsAndTheirOptions) {
  EXPECT_THAT(candidates({""}), Contains("watch"));
  EXPECT_THAT(candidates({""}), Not(Contains("__complete")));
  EXPECT_THAT(candidates({"st"}),
              testing::UnorderedElementsAre("status", "stimulate", "step", "stop"));
  EXPECT_THAT(
      candidates({"status", "--"}),
      testing::UnorderedElementsAre("--help", "--json", "--socket", "--timeout", "--system"));
  EXPECT_THAT(candidates({"snapshot", "re"}), ElementsAre("restore", "reset"));
  EXPECT_THAT(candidates({"nonsense", ""}), IsEmpty());
}

TEST(Complete, NamesWithTheirKindWhereSeveralHaveThem) {
  EXPECT_THAT(candidates({"get", ""}), ElementsAre("inertia", "load_torque", "shaft_speed",
                                                   "output:current", "state:current"));
  EXPECT_THAT(candidates({"get", "output:"}), ElementsAre("output:current"));
  EXPECT_THAT(candidates({"watch", "sh"}), ElementsAre("shaft_speed"));
  EXPECT_THAT(candidates({"set", ""}), ElementsAre("inertia="));
  EXPECT_THAT(candidates({"quiet", ""}), ElementsAre("load_torque"));
}

TEST(Complete, ArgumentsByTheirPlace) {
  EXPECT_THAT(candidates({"fault", ""}), ElementsAre("load_torque", "shaft_speed", "current"));
  EXPECT_THAT(candidates({"fault", "shaft_speed", "st"}), ElementsAre("stuck"));
  EXPECT_THAT(candidates({"fault", "--frames", "3", "shaft_speed", "rel"}), ElementsAre("release"));
  EXPECT_THAT(candidates({"fault", "--frames", ""}), IsEmpty());
  EXPECT_THAT(candidates({"stimulate", "load_torque", "s"}), ElementsAre("step", "sine"));
  EXPECT_THAT(candidates({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(candidates({"begin", "s"}), ElementsAre("score"));
  EXPECT_THAT(candidates({"begin", "score", ""}), IsEmpty());
}

TEST(Complete, EventsFromTheMethods) {
  EXPECT_THAT(candidates({"event", ""}), ElementsAre("set", "mark"));
  EXPECT_THAT(candidates({"event", "set", ""}), ElementsAre("values=", "+"));
  EXPECT_THAT(candidates({"event", "set", "values.a=1", "+", "m"}), ElementsAre("mark"));
}

TEST(Complete, WithoutADaemonThereAreNoNames) {
  const test::Folder folder;
  const auto ended = test::hild({"__complete", "--", "get", "--socket", folder.path("none"), ""});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "");
}

TEST(Complete, AlarmsOfTheDaemon) {
  const FakeDaemon daemon;
  const auto ended =
      test::hild({"__complete", "--", "--socket", daemon.socket(), "acknowledge", ""});
  EXPECT_EQ(ended.out, "hot\nslow\n");
}

TEST(Complete, BehindCommonOptions) {
  const FakeDaemon daemon;
  const auto ended =
      test::hild({"__complete", "--", "--socket", daemon.socket(), "snapshot", "re"});
  EXPECT_EQ(ended.out, "restore\nreset\n");
}

/// What a shell prints.
std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

class Bash : public testing::Test {
 protected:
  FakeDaemon daemon;
  test::Folder folder;
  std::string script = folder.file("completion.bash", cli::completion_script("hildctl", "bash"));

  /// What pressing Tab at the end of the line offers.
  std::string offers(const std::string& line) {
    const std::string text =
        "source '" + script + "'\nexport HILD_SOCKET='" + daemon.socket() +
        "'\nPATH=$(dirname '" HILD_PROGRAM "'):$PATH\nCOMP_LINE='" + line +
        "'\nCOMP_POINT=${#COMP_LINE}\n_hildctl\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return output_of("bash '" + folder.file("press_tab.bash", text) + "'");
  }
};

TEST_F(Bash, TheScriptIsWellFormed) { EXPECT_EQ(output_of("bash -n '" + script + "' 2>&1"), ""); }

TEST_F(Bash, OffersWhatTheDaemonHas) {
  EXPECT_EQ(offers("hildctl stat"), "status\n");
  EXPECT_EQ(offers("hildctl get sha"), "shaft_speed\n");
  EXPECT_EQ(offers("hildctl set "), "inertia=\nratio=\n");
  EXPECT_EQ(offers("hildctl event m"), "mark\n");
  EXPECT_EQ(offers("hildctl sequence "), "\n");  // then bash offers files
}

// Bash replaces only what stands after the last : or =.
TEST_F(Bash, WhatStandsBeforeAColonIsNotOfferedAgain) {
  EXPECT_EQ(offers("hildctl get output:c"), "current\n");
}

TEST(Scripts, OfTheOtherShellsCallTheSame) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(cli::completion_script("hildctl", shell), testing::HasSubstr("__complete -- "));
    EXPECT_EQ(test::hild({"completion", shell}).out, cli::completion_script("hildctl", shell));
  }
  EXPECT_EQ(test::hild({"completion", "tcsh"}).code, 1);
}

}  // namespace
}  // namespace hild::ctl
