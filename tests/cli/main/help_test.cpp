// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using testing::HasSubstr;

TEST(Help, ListsEveryCommandAndTheExitCodes) {
  const Ended ended = hild({"--help"});
  EXPECT_EQ(ended.code, 0);
  for (const char* word : {"\n  run ", "\n  check ", "\n  advise ", "\n  io ", "\n  safe ",
                           "\n  methods ", "\n  simulate ", "0 done", "1 usage or configuration",
                           "2 fault", "3 overrun", "4 device"}) {
    EXPECT_THAT(ended.out, HasSubstr(word));
  }
}

TEST(Help, OfEveryCommandListsItsOptions) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"run", {"CONFIG", "--set", "--duration", "--offline", "--arm", "--report"}},
      {"advise",
       {"CONFIG", "--set", "--duration", "--accuracy", "--bandwidth", "--no-trials", "--json",
        "Exit code 0"}},
      {"check", {"CONFIG", "--set", "--json"}},
      {"io", {"CONFIG", "--set", "--write", "--wiggle", "--listen", "--json", "--count"}},
      {"safe", {"CONFIG", "--set", "--wait"}},
      {"doctor", {"--cpu", "--priority", "--measure", "--root", "--json", "Exit code 0"}},
      {"methods", {"NAME", "--json", "--svg", "e_I N^k"}},
      {"simulate",
       {"CONFIG", "--set", "--duration", "--method", "jack", "ode-45", "--rtol", "--atol",
        "--interval", "--output", "--input", "--max-steps", "--json"}},
  };
  for (const auto& [command, words] : commands) {
    const Ended ended = hild({command, "--help"});
    EXPECT_EQ(ended.code, 0) << command;
    EXPECT_EQ(ended.err, "");
    for (const auto& word : words) EXPECT_THAT(ended.out, HasSubstr(word)) << command;
  }
}

// As many as its help says: what follows the value is another argument.
TEST(Help, OfARepeatedOptionTellsThatItTakesOneValue) {
  EXPECT_THAT(hild({"run", "--help"}).out, HasSubstr("--set KEY=VALUE  "));
  const Ended ended = hild({"run", "none.yaml", "--set", "frame.clock=sleep", "frame.rate=1 kHz"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("frame.rate=1 kHz"));
  EXPECT_THAT(ended.err, testing::Not(HasSubstr("none.yaml"))) << "before the file is looked for";
}

TEST(Help, TellsTheVersion) {
  const Ended ended = hild({"--version"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, testing::MatchesRegex("hild [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace hild::test
