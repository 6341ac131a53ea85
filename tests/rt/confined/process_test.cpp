// SPDX-License-Identifier: Apache-2.0
/// \file
/// Programs that are started as confined processes, and do not do what these should. What such a
/// process may not do is tried by a model that does, in foreign/contain.
#include "hild/rt/confined/process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>

namespace hild::confined {
namespace {

using testing::HasSubstr;

Result<Process> started(const std::string& program, Reach reach = Reach::nothing) {
  const Descriptor page(::memfd_create("page", MFD_CLOEXEC));
  return Process::start(
      {program, program}, page.get(),
      {.whose = "the tried one", .reach = reach, .voice = Process::Voice::silent});
}

TEST(ConfinedProcess, ThatEndsAtOnceIsToldByItsExitCode) {
  for (const Reach reach : {Reach::nothing, Reach::network}) {
    auto process = started("/bin/false", reach);
    ASSERT_TRUE(process) << process.error().message;
    static_cast<void>(process->tell("task"));  // it may have ended before
    const auto reply = process->reply();
    ASSERT_FALSE(reply);
    EXPECT_THAT(reply.error().message, HasSubstr("it ended, exit code 1"));
  }
}

TEST(ConfinedProcess, WhoseProgramIsNotThereIsNamed) {
  auto process = started("/nowhere/hild-zork");
  ASSERT_TRUE(process) << process.error().message;
  const auto reply = process->reply();
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("the program hild-zork cannot be started: No such"));
}

TEST(ConfinedProcess, ThatIsDismissedEndsOrIsEnded) {
  auto obeys = started("/bin/true");
  ASSERT_TRUE(obeys);
  EXPECT_EQ(obeys->dismiss(60_s), 0);
  EXPECT_LT(obeys->pid(), 0);
  EXPECT_EQ(obeys->dismiss(60_s), std::nullopt) << "it is gone";
  auto stays = started("/usr/bin/yes");  // into nothing, and reads no socket
  ASSERT_TRUE(stays);
  const pid_t pid = stays->pid();
  EXPECT_EQ(stays->dismiss(20_ms), std::nullopt);
  EXPECT_NE(::kill(pid, 0), 0) << "it was killed, and is no child any more";
}

TEST(ConfinedProcess, EndsWithItsObject) {
  pid_t pid = -1;
  {
    auto process = started("/usr/bin/yes");
    ASSERT_TRUE(process);
    pid = process->pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(ConfinedProcess, OfAProgramThatIsNowhereIsRefusedWithThePlacesThatWereLookedAt) {
  const auto program = find_program("hild-zork", "which is tried");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message,
              HasSubstr("there is no program hild-zork, which is tried, in "));
  EXPECT_THAT(program.error().message, HasSubstr("libexec/hild"));
}

TEST(ConfinedProcess, SaysNothingThatATerminalWouldObey) {
  EXPECT_EQ(plain("a\x1b[1m\rb\nc"), "a [1m b\nc");
  EXPECT_EQ(plain(std::string(10'000, 'x')).size(), 2000U);
}

}  // namespace
}  // namespace hild::confined
