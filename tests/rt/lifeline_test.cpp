// SPDX-License-Identifier: Apache-2.0
/// \file
/// The end of another process, seen in memory that is shared with it.
#include "hild/rt/lifeline.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <new>
#include <string>
#include <thread>

#include "hild/rt/atomic.hpp"

namespace hild::rt {
namespace {

class SharedLine {
 public:
  SharedLine() : line_(new (place()) Lifeline) {}
  SharedLine(const SharedLine&) = delete;
  SharedLine& operator=(const SharedLine&) = delete;
  ~SharedLine() { ::munmap(line_, sizeof(Lifeline)); }
  Lifeline* operator->() const { return line_; }

 private:
  static void* place() {
    return ::mmap(nullptr, sizeof(Lifeline), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                  0);
  }
  Lifeline* line_;
};

/// A process that holds the line, says so, and then does `then`.
pid_t holder(const SharedLine& line, int said, const std::function<void()>& then) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const char held = line->hold() ? 'y' : 'n';
  if (::write(said, &held, 1) != 1) ::_exit(9);
  then();
  ::_exit(0);
}

TEST(Lifeline, IsCutByEveryEndOfItsHolder) {
  for (const std::function<void()>& then :
       {std::function<void()>([] { ::_exit(3); }), std::function<void()>([] { ::raise(SIGKILL); }),
        std::function<void()>([] { ::raise(SIGTERM); })}) {
    const SharedLine line;
    EXPECT_FALSE(line->cut()) << "nobody has held it yet";
    int said[2];
    int go[2];
    ASSERT_EQ(::pipe(said), 0);
    ASSERT_EQ(::pipe(go), 0);
    const pid_t child = holder(line, said[1], [&] {
      char any{};
      if (::read(go[0], &any, 1) == 1) then();
    });
    char held{};
    ASSERT_EQ(::read(said[0], &held, 1), 1);
    EXPECT_EQ(held, 'y');
    EXPECT_FALSE(line->cut()) << "it lives";
    ASSERT_EQ(::write(go[1], "g", 1), 1);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(line->cut());
    for (const int end : {said[0], said[1], go[0], go[1]}) ::close(end);
  }
}

TEST(Lifeline, WakesWhoAwaitsTheEndOfItsHolder) {
  const SharedLine line;
  EXPECT_FALSE(line->await(3600_s)) << "nobody has held it yet";
  int said[2];
  ASSERT_EQ(::pipe(said), 0);
  // It ends once the other awaits that: the kernel then has somebody to wake.
  const pid_t waited_for = ::getpid();
  const pid_t child = holder(line, said[1], [waited_for] {
    const std::string state = "/proc/" + std::to_string(waited_for) + "/wchan";
    std::string where;
    while (where.find("futex") == std::string::npos) {
      ::usleep(1000);
      std::ifstream(state) >> where;
    }
    ::raise(SIGKILL);
  });
  char held{};
  ASSERT_EQ(::read(said[0], &held, 1), 1);
  EXPECT_TRUE(line->await(3600_s));
  EXPECT_TRUE(line->cut());
  EXPECT_FALSE(line->await(3600_s)) << "it is cut";
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  for (const int end : said) ::close(end);
}

TEST(Lifeline, IsAwaitedForNoLongerThanAsked) {
  const SharedLine line;
  std::thread([&] {
    ASSERT_TRUE(line->hold());
    EXPECT_TRUE(line->await(1_ms));
    EXPECT_TRUE(line->await(Duration{-1}));
    EXPECT_FALSE(line->cut());
  }).join();
  EXPECT_TRUE(line->cut());
}

TEST(Lifeline, WakesWhenAsked) {
  const SharedLine line;
  ASSERT_TRUE(line->hold());
  Flag awake;
  std::thread waiter([&] {
    EXPECT_TRUE(line->await(3600_s));
    awake.raise();
  });
  while (!awake.raised()) {
    line->wake();
    ::usleep(1000);
  }
  waiter.join();
  EXPECT_FALSE(line->cut());
}

}  // namespace
}  // namespace hild::rt
