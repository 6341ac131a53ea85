// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an FMU says: which of many messages are kept, and from where they come.
#include "fmu/messages.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace hild::fmu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void say(Messages& to, int from, int end) {
  for (int i = from; i < end; ++i) to.add(1, ("message " + std::to_string(i) + "\n").c_str());
}

long lines(const std::string& text) { return std::ranges::count(text, '\n'); }

TEST(Messages, AreAllShownWhereTheyHaveRoom) {
  Messages messages;
  EXPECT_EQ(messages.text("> "), "");
  EXPECT_EQ(messages.last(), "");
  say(messages, 0, 64);
  EXPECT_EQ(messages.count(), 64U);
  const std::string text = messages.text("> ");
  EXPECT_EQ(lines(text), 64);
  EXPECT_THAT(text, HasSubstr("> warning: message 0 \n> warning: message 1 \n"));
  EXPECT_THAT(text, Not(HasSubstr("more")));
  EXPECT_EQ(messages.last(), "message 63 ");
}

// 8 + 56 of 1000 are kept: the newest explains what came last.
TEST(Messages, OfManyTheFirstAndTheNewestAreKeptAndTheOthersCounted) {
  Messages messages;
  say(messages, 0, 999);
  messages.add(3, "the pump is dry");
  EXPECT_EQ(messages.count(), 1000U);
  EXPECT_EQ(messages.last(), "the pump is dry");
  const std::string text = messages.text("> ");
  EXPECT_EQ(lines(text), 65);
  EXPECT_THAT(text, HasSubstr("> warning: message 7 \n> and 936 more, then\n"
                              "> warning: message 944 \n> warning: message 945 \n"));
  EXPECT_TRUE(text.ends_with("> warning: message 998 \n> error: the pump is dry\n")) << text;
}

TEST(Messages, OfAnotherProcessAreSeenInThisOne) {
  Messages messages;
  messages.add(0, "before");
  const pid_t child = ::fork();
  if (child == 0) {
    say(messages, 0, 100);
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(messages.count(), 101U);
  EXPECT_EQ(messages.last(), "message 99 ");
}

TEST(Messages, OfSeveralThreadsAreAllCounted) {
  constexpr int each = 20'000;
  Messages messages;
  const long before = Messages::added_here();
  std::thread other([&] { say(messages, 0, each); });
  say(messages, 0, each);
  other.join();
  EXPECT_EQ(messages.count(), 2U * each);
  EXPECT_EQ(Messages::added_here() - before, 2 * each);
}

}  // namespace
}  // namespace hild::fmu
