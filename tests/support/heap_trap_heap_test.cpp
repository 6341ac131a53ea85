// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/heap_trap.hpp"

namespace hild::test {
namespace {

static_assert(HeapTrap::counting, "these tests are left out where nothing is counted");

/// Hides from the compiler what becomes of a block, so that it cannot leave the calls out.
void use(void* block) { asm volatile("" : : "g"(block) : "memory"); }

TEST(HeapTrap, SeesNewAndDelete) {
  HeapTrap trap;
  auto* number = new int(1);
  use(number);
  const long made = trap.calls();
  delete number;
  const long released = trap.calls();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(released, 2);
}

TEST(HeapTrap, SeesAlignedNew) {
  struct alignas(128) Line {
    char bytes[128];
  };
  HeapTrap trap;
  const auto line = std::make_unique<Line>();
  use(line.get());
  EXPECT_EQ(trap.calls(), 1);
}

TEST(HeapTrap, SeesAVectorGrow) {
  std::vector<int> numbers(4);
  numbers.resize(2);
  HeapTrap trap;
  numbers.push_back(1);
  const long within_capacity = trap.calls();
  numbers.resize(1000);
  use(numbers.data());
  const long grown = trap.calls();
  EXPECT_EQ(within_capacity, 0);
  EXPECT_EQ(grown, 2) << "a new block, and the old one released";
}

TEST(HeapTrap, SeesACallWithinTheCLibrary) {
  HeapTrap trap;
  char* copy = ::strdup("text");
  use(copy);
  const long calls = trap.calls();
  std::free(copy);
  EXPECT_EQ(calls, 1);
}

TEST(HeapTrap, SeesEachFunctionOfTheAllocator) {
  HeapTrap trap;
  void* block = std::malloc(8);
  use(block);
  EXPECT_EQ(trap.calls(), 1);
  HeapTrap inner;
  block = std::realloc(block, 4096);
  use(block);
  std::free(block);
  block = std::calloc(4, 4);
  use(block);
  std::free(block);
  block = std::aligned_alloc(64, 64);
  use(block);
  std::free(block);
  ASSERT_EQ(::posix_memalign(&block, 64, 64), 0);
  use(block);
  std::free(block);
  EXPECT_EQ(inner.calls(), 8);
  EXPECT_EQ(trap.calls(), 9) << "an inner trap's calls are the outer one's too";
  EXPECT_EQ(::posix_memalign(&block, 3, 64), EINVAL);
}

TEST(HeapTrap, SeesNothingWhereNothingIsAllocated) {
  std::vector<double> x(100, 1.0);
  HeapTrap trap;
  std::array<double, 100> y{};
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2 * x[i];
  use(y.data());
  std::free(nullptr);
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_EQ(trap.first_call(), "");
}

TEST(HeapTrap, SeesNothingOutsideItsScope) {
  {
    const HeapTrap earlier;
    use(std::make_unique<int>(1).get());
  }
  const auto before = std::make_unique<int>(1);
  use(before.get());
  HeapTrap trap;
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
}

TEST(HeapTrap, DoesNotCountOtherThreads) {
  long elsewhere = -1;
  std::thread other([&] {
    HeapTrap trap;
    use(std::make_unique<int>(1).get());
    elsewhere = trap.calls();
  });
  other.join();
  EXPECT_EQ(elsewhere, 2);

  long here = -1;
  {
    std::thread busy;
    HeapTrap trap;
    const long idle = trap.calls();
    busy = std::thread([] {
      for (int i = 0; i < 1000; ++i) use(std::make_unique<int>(i).get());
    });
    const long started = trap.calls();
    busy.join();
    here = trap.calls() - started;
    EXPECT_EQ(idle, 0);
    EXPECT_LT(started, 10) << "what starting a thread takes";
  }
  EXPECT_LT(here, 10);
}

[[gnu::noinline]] void offender() { use(std::make_unique<int>(1).get()); }

TEST(HeapTrap, TellsWhereTheFirstCallCameFrom) {
  HeapTrap trap;
  offender();
  const std::string where = trap.first_call();
  EXPECT_NE(where.find("test_support"), std::string::npos) << where;
  EXPECT_GT(std::count(where.begin(), where.end(), '\n'), 2) << where;
}

}  // namespace
}  // namespace hild::test
