// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recording a frame costs no heap call once the blocks have grown.
#include <gtest/gtest.h>

#include "recording/framelog/encoder.hpp"
#include "runs.hpp"
#include "support/heap_trap.hpp"

namespace hild::framelog {
namespace {

TEST(EncoderHeap, NoCallAFrame) {
  Encoder encoder(description_of_run(), layout_of_run, everything());
  Block block;
  Record record(header_of(3));
  const auto fill = [&] {
    block.clear();
    for (int i = 0; i < 500; ++i) encoder.step(record.view(), {}, block);
  };
  fill();
  const test::HeapTrap trap;
  fill();
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
}

}  // namespace
}  // namespace hild::framelog
