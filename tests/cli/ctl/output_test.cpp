// SPDX-License-Identifier: Apache-2.0
/// \file
/// Standard files that take nothing: a full disk, a reader that left, a closed file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

using testing::HasSubstr;

test::Ended hildctl_into(const FakeDaemon& daemon, std::vector<std::string> words,
                         test::Launch launch) {
  words.insert(words.end(), {"--socket", daemon.socket()});
  return test::hild(std::move(words), std::move(launch));
}

TEST(Output, ThatADiskHasNoRoomForIsNoSuccess) {
  FakeDaemon daemon;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list"},
                                                {"list", "--json"},
                                                {"status", "--json"},
                                                {"methods"},
                                                {"stop", "--json"}}) {
    for (const std::string& out : {std::string("/dev/full"), std::string("-")}) {
      const auto ended = hildctl_into(daemon, words, {.out = out});
      EXPECT_EQ(ended.code, 1) << testing::PrintToString(words);
      EXPECT_THAT(ended.err, HasSubstr("hildctl: cannot write to standard output: "));
    }
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"--version"}, {"completion", "bash"}}) {
    EXPECT_EQ(test::hild(words, {.out = "/dev/full"}).code, 1) << testing::PrintToString(words);
  }
}

TEST(Output, ThatNobodyReadsAnyMoreIsEnoughOfIt) {
  FakeDaemon daemon;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"list", "--json"}, {"status", "--json"}, {"methods"}}) {
    const auto ended = hildctl_into(daemon, words, {.unread = true});
    EXPECT_EQ(ended.code, 0) << testing::PrintToString(words);
    EXPECT_EQ(ended.err, "");
  }
}

// Without a count it would watch for ever.
TEST(Output, OfAWatchEndsWithItsReader) {
  FakeDaemon daemon;
  daemon.handle("subscribe", [](const auto& id, const auto& call) {
    return FakeDaemon::Answer{.lines = {FakeDaemon::reply(id, {{"subscription", 1},
                                                               {"names", call.params.at("names")},
                                                               {"units", {"rad/s", "1"}},
                                                               {"every", 100}}),
                                        FakeDaemon::samples({99, 199}, {{1.5, 2}, {-3, 4}})}};
  });
  const auto left = hildctl_into(daemon, {"watch", "speed", "x"}, {.unread = true});
  EXPECT_EQ(left.code, 0) << left.err;
  const auto full = hildctl_into(daemon, {"watch", "speed", "x"}, {.out = "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
}

TEST(Output, OfErrorsThatNobodyTakesLeavesTheExitCode) {
  FakeDaemon daemon;
  daemon.refuse("set", -32602, "values.inertia: found -1");
  for (const std::string& err : {std::string("/dev/full"), std::string("-")}) {
    EXPECT_EQ(hildctl_into(daemon, {"set", "inertia=-1"}, {.err = err}).code, 1);
    EXPECT_EQ(test::hild({"evnt"}, {.err = err}).code, 1);
    EXPECT_EQ(test::hild({"list", "--frobnicate"}, {.err = err}).code, 1);
    EXPECT_EQ(test::hild({"list", "--socket", daemon.socket() + "x"}, {.err = err}).code, 2);
  }
}

}  // namespace
}  // namespace hild::ctl
