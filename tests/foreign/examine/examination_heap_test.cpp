// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "foreign/examine/examination.hpp"
#include "foreign/examine/models.hpp"
#include "support/heap_trap.hpp"

namespace hild::examine {
namespace {

using testing::decay;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::nothing;
using ::testing::StartsWith;

long heap_calls() {
  static const test::HeapTrap trap;
  return trap.calls();
}

Examination look_with_heap(const std::unique_ptr<model::Stepper>& plant) {
  const auto e = examine(*plant, {.frame = 1_ms, .steps = 20, .heap_calls = heap_calls});
  EXPECT_TRUE(e);
  return *e;
}

void allocate() { const std::string text(100, 'x'); }
void throw_and_catch() {
  try {
    throw std::runtime_error("no");
  } catch (const std::exception&) {  // stays inside, and costs the heap all the same
  }
}
void allocate_once() { static const auto kept = std::make_unique<int>(1); }

TEST(Examine, CountsHeapCallsOfTheModelAlone) {
  const Examination clean = look_with_heap(decay<nothing>());
  EXPECT_TRUE(clean.heap_observed);
  EXPECT_THAT(findings(clean), IsEmpty());
  const Examination e = look_with_heap(decay<nothing, allocate>());
  EXPECT_EQ(e.of(Function::outputs).heap, 20);
  EXPECT_THAT(findings(e), ElementsAre(StartsWith("outputs_of calls the heap: ")));
  EXPECT_EQ(look_with_heap(decay<throw_and_catch>()).of(Function::derivatives).heap, 80);
}

TEST(Examine, TellsTheFirstCallFromTheOthers) {
  const Examination e = look_with_heap(decay<allocate_once>());
  EXPECT_EQ(e.of(Function::derivatives).heap, 1);
  ASSERT_FALSE(findings(e).empty());
  EXPECT_THAT(findings(e)[0], StartsWith("derivatives calls the heap in its first call"));
}

}  // namespace
}  // namespace hild::examine
