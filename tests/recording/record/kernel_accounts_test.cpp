// SPDX-License-Identifier: Apache-2.0
/// \file
/// Accounts read from files that stand for /proc, and from /proc itself.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "recording/record/account.hpp"

namespace hild::record {
namespace {

constexpr pid_t tid = 4711;

class ProcFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "proc.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    proc_ = name;
    std::filesystem::create_directories(thread());
    write(thread() / "schedstat", "998877665544 123456789 4242\n");
    // The name of a thread may hold anything.
    write(
        thread() / "stat",
        "4711 (hild ) 3 (x) S 1 2 3 4 5 6 17 0 19 0 8 9 0 0 20 0 3 0 100 200 300 400 1 1 0 0 0 0 0 "
        "0 0 0 0 0 -1 3 80 1 0 0 0 0 0 0 0 0 0 0 0\n");
    write(thread() / "status",
          "Name:\thild\nvoluntary_ctxt_switches:\t900\nnonvoluntary_ctxt_switches:\t31\n");
    write(proc_ / "stat",
          "cpu  1 2 3 4 5 6 7 8 0 0\n"
          "cpu3 10 20 30 40 50 60 70 81 0 0\n"
          "cpu30 10 20 30 40 50 60 70 99 0 0\nintr 1 2 3\n");
  }
  void TearDown() override { std::filesystem::remove_all(proc_); }

  [[nodiscard]] std::filesystem::path thread() const {
    return proc_ / "self/task" / std::to_string(tid);
  }
  static void write(const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file, std::ios::trunc) << text;
  }
  [[nodiscard]] auto watch() const { return accounts_of(tid, {.minor_fault = 1_us}, proc_); }

  std::filesystem::path proc_;
};

TEST_F(ProcFiles, EachAccountFromItsPlace) {
  auto accounts = watch();
  ASSERT_TRUE(accounts) << accounts.error().message;
  const Account a = (*accounts)->thread();
  EXPECT_EQ(a.run_delay, 123'456'789_ns);
  EXPECT_EQ(a.minor_faults, 17);
  EXPECT_EQ(a.major_faults, 19);
  EXPECT_EQ(a.taken, 31);
  const StealAccount s = (*accounts)->steal();
  EXPECT_EQ(s.cpu, 3);
  EXPECT_EQ(s.ticks, 81);
  EXPECT_EQ((*accounts)->worth().minor_fault, 1_us);
}

TEST_F(ProcFiles, AreOpenedOnceAndReadAgain) {
  auto accounts = watch();
  ASSERT_TRUE(accounts);
  const Account before = (*accounts)->thread();
  write(thread() / "schedstat", "998877665544 123466789 4243\n");
  const Account after = (*accounts)->thread();
  EXPECT_EQ(after.run_delay - before.run_delay, 10_us);
  EXPECT_GT(after.at, before.at);
}

// A thread that has ended: its files are there, but no longer say anything.
TEST_F(ProcFiles, WhatCannotBeReadKeepsItsTime) {
  auto accounts = watch();
  ASSERT_TRUE(accounts);
  const Account before = (*accounts)->thread();
  const StealAccount steal = (*accounts)->steal();
  write(thread() / "schedstat", "");
  write(proc_ / "stat", "cpu  1 2 3 4\n");
  EXPECT_EQ((*accounts)->thread().at, before.at);
  EXPECT_EQ((*accounts)->steal().at, steal.at);
}

TEST_F(ProcFiles, AKernelThatKeepsNoAccount) {
  for (const char* file : {"schedstat", "stat", "status"}) {
    const auto whole = thread() / file;
    std::filesystem::rename(whole, proc_ / "kept");
    const auto none = watch();
    ASSERT_FALSE(none) << file;
    EXPECT_NE(none.error().message.find("schedstat, stat and status"), std::string::npos);
    write(whole, "nothing to be found in it\n");
    EXPECT_FALSE(watch()) << file;
    std::filesystem::rename(proc_ / "kept", whole);
  }
  EXPECT_TRUE(watch());
}

// ---- the running kernel ------------------------------------------------------------------------

// Two busy threads share a CPU: one of them has to wait for the other.
TEST(KernelAccounts, ATimeReadyToRunShows) {
  auto accounts = accounts_of(gettid(), worth_here());
  if (!accounts) GTEST_SKIP() << accounts.error().message;
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);  // inherited by the thread
  std::jthread rival([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
    }
  });
  const Account from = (*accounts)->thread();
  Account to = from;
  while ((to.taken == from.taken || to.run_delay == from.run_delay) && to.at - from.at < 20_s) {
    to = (*accounts)->thread();
  }
  rival.request_stop();
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_GT(to.taken, from.taken);
  EXPECT_GT(to.run_delay, from.run_delay);
}

TEST(KernelAccounts, FreshPagesShow) {
  auto accounts = accounts_of(gettid(), worth_here());
  if (!accounts) GTEST_SKIP() << accounts.error().message;
  constexpr std::size_t pages = 50;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory =
      mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  const Account from = (*accounts)->thread();
  for (std::size_t i = 0; i < pages; ++i) std::memset(static_cast<char*>(memory) + i * page, 1, 1);
  const Account to = (*accounts)->thread();
  munmap(memory, pages * page);
  EXPECT_GE(to.minor_faults - from.minor_faults, static_cast<std::int64_t>(pages));
}

TEST(KernelAccounts, APageFaultIsWorthSomething) {
  const Worth worth = worth_here();
  EXPECT_GT(worth.minor_fault, 10_ns);
  EXPECT_GT(worth.steal_tick, 0_ns);
}

TEST(KernelAccounts, AThreadThatIsNotThereIsRefusedInWords) {
  const auto none = accounts_of(0x3fffffff, {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no account of thread 1073741823 in /proc/self/task"),
            std::string::npos)
      << none.error().message;
}

}  // namespace
}  // namespace hild::record
