// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an FMU says: which of many messages are kept, and from where they come.
#include "foreign/fmu/messages.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <sstream>
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

// What is said goes to terminals, which obey escape sequences: ASCII's, and the C1 controls of
// UTF-8.
TEST(Messages, ControlNoTerminal) {
  Messages messages;
  messages.add(1, "\x1b[2J\x1b]0;title\a gone\r\t\x7f");
  EXPECT_EQ(messages.last(), " [2J ]0;title  gone   ");
  messages.add(1,
               "5 \xc2\xb0"
               "C, \xc2\x9b"
               "31m, \xc3\xa4\xc3\x9f\xe2\x82\xac");
  EXPECT_EQ(messages.last(),
            "5 \xc2\xb0"
            "C,   31m, \xc3\xa4\xc3\x9f\xe2\x82\xac")
      << "other letters are as they were";
}

// A reader of words that are being written sees words, and never beyond their end (the thread
// sanitizer looks).
TEST(Messages, MayBeReadWhileTheyAreAdded) {
  Messages messages;
  std::thread other([&] { say(messages, 0, 20'000); });
  std::size_t seen = 0;
  while (seen < 20'000) {
    seen = messages.count();
    for (const char c : messages.last())
      ASSERT_NE(std::string("message 0123456789 ").find(c), std::string::npos);
    static_cast<void>(messages.text("> "));
  }
  other.join();
}

// All memory that this process shares with others, by what the kernel says.
void overwrite_what_is_shared(int byte) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0;
    std::uintptr_t end = 0;
    std::array<char, 5> mode{};
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &first, &end, mode.data()) ==
            3 &&
        mode[1] == 'w' && mode[3] == 's') {
      std::memset(reinterpret_cast<void*>(first), byte, end - first);  // NOLINT
    }
  }
}

// No end of a line, no count that is one, and nothing for the terminal.
TEST(Messages, OfAProcessThatWritesAnythingAreNoMoreThanLines) {
  for (const int byte : {0x41, 0x80, 0xff, 0x1b}) {
    Messages messages;
    say(messages, 0, 3);
    const pid_t child = ::fork();
    if (child == 0) {
      overwrite_what_is_shared(byte);
      ::_exit(0);
    }
    ASSERT_GT(child, 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    std::istringstream text(messages.text("> "));
    for (std::string line; std::getline(text, line);) {
      EXPECT_LT(line.size(), 300U);
      EXPECT_EQ(line.find('\x1b'), line.npos);
    }
    EXPECT_LT(messages.last().size(), 300U);
  }
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
