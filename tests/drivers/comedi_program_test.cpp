// SPDX-License-Identifier: Apache-2.0
// The instruction list, with this test in the place of the kernel.
#include "drivers/comedi_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hild::comedi {
namespace {

using io::Direction;

Line analog(Direction direction, unsigned subdevice, unsigned channel) {
  Line line{direction, subdevice, channel, false, {-10, 10}, AREF_DIFF, {}, 1, {}};
  // One count is 1 mV, 0 V is 10000 counts.
  const comedi_polynomial_t polynomial = direction == Direction::input
                                             ? comedi_polynomial_t{{-10, 1e-3, 0, 0}, 0, 1}
                                             : comedi_polynomial_t{{0, 1e3, 0, 0}, -10, 1};
  line.conversion = Conversion(line.range, 20000, polynomial);
  return line;
}

Line digital(Direction direction, unsigned subdevice, unsigned channel) {
  return {direction, subdevice, channel, true, {0, 1}, AREF_GROUND, {}, 0, {}};
}

class ComediProgram : public ::testing::Test {
 protected:
  const std::vector<Line> outputs_{
      analog(Direction::output, 1, 2), digital(Direction::output, 3, 0),
      analog(Direction::output, 1, 0), digital(Direction::output, 3, 5)};
  const std::vector<Line> inputs_{digital(Direction::input, 3, 7), analog(Direction::input, 0, 6),
                                  digital(Direction::input, 2, 33),
                                  digital(Direction::input, 2, 34),
                                  digital(Direction::input, 2, 1)};
  Program program_{outputs_, inputs_};
};

TEST_F(ComediProgram, WritesBeforeItReadsAndGroupsBits) {
  const auto list = program_.list(true, true);
  ASSERT_EQ(list.n_insns, 3u + 4u);
  const auto is = [&](std::size_t i, unsigned insn, unsigned subdevice, unsigned chanspec) {
    const comedi_insn& found = list.insns[i];
    EXPECT_EQ(found.insn, insn) << i;
    EXPECT_EQ(found.n, insn == INSN_BITS ? 2u : 1u) << i;
    EXPECT_EQ(found.subdev, subdevice) << i;
    EXPECT_EQ(found.chanspec, chanspec) << i;
  };
  is(0, INSN_WRITE, 1, CR_PACK(2, 1, AREF_DIFF));
  is(1, INSN_BITS, 3, 0);
  is(2, INSN_WRITE, 1, CR_PACK(0, 1, AREF_DIFF));
  is(3, INSN_BITS, 3, 0);
  is(4, INSN_READ, 0, CR_PACK(6, 1, AREF_DIFF));
  is(5, INSN_BITS, 2, CR_PACK(32, 0, 0));
  is(6, INSN_BITS, 2, 0);
}

TEST_F(ComediProgram, HasListsForOneSide) {
  const auto all = program_.list(true, true);
  const auto outputs = program_.list(true, false);
  EXPECT_EQ(outputs.n_insns, 3u);
  EXPECT_EQ(outputs.insns, all.insns);
  const auto inputs = program_.list(false, true);
  EXPECT_EQ(inputs.n_insns, 4u);
  EXPECT_EQ(inputs.insns, all.insns + 3);
  EXPECT_EQ(program_.list(false, false).n_insns, 0u);
  EXPECT_EQ(Program().list(true, true).n_insns, 0u);
}

TEST_F(ComediProgram, PutsValuesWhereTheyBelong) {
  program_.put(std::array{1.0, 1.0, -2.5, 0.0});
  const auto list = program_.list(true, true);
  EXPECT_EQ(list.insns[0].data[0], 11000u);
  EXPECT_EQ(list.insns[2].data[0], 7500u);
  EXPECT_EQ(list.insns[1].data[0], 0b100001u);  // the mask: channels 0 and 5
  EXPECT_EQ(list.insns[1].data[1], 0b000001u);
}

// Whatever stands side by side, and however large a sample is.
TEST(ComediInputs, AreWhatTheConversionOfEachMakesOfItsSample) {
  std::vector<Line> inputs;
  for (const unsigned channel : {0U, 1U, 2U, 3U, 4U}) {
    inputs.push_back(analog(Direction::input, 0, channel));
  }
  inputs[3].conversion = Conversion({-5, 5}, 20000, {{-5, 5e-4, 0, 0}, 1.25, 1});
  inputs.insert(inputs.begin() + 2, digital(Direction::input, 2, 1));
  inputs.push_back(analog(Direction::input, 0, 5));
  inputs.back().conversion = Conversion({-10, 10}, 20000, {{-10, 1e-3, 1e-9, 0}, 0, 2});
  inputs.push_back(analog(Direction::input, 0, 6));
  Program program({}, inputs);
  const auto list = program.list(false, true);
  ASSERT_EQ(list.n_insns, 8U);
  const std::array<lsampl_t, 8> samples{0, 0xFFFF'FFFFU, 7, 0x8000'0001U, 20000, 123, 4567, 89};
  for (std::size_t i = 0; i < samples.size(); ++i) list.insns[i].data[0] = samples[i];
  list.insns[2].data[1] = 0b10;
  std::array<double, 8> volts{};
  program.get(volts);
  const auto counts = program.counts();
  for (const std::size_t i : {0U, 1U, 3U, 4U, 5U, 6U, 7U}) {
    EXPECT_EQ(counts[i], samples[i]) << i;
    EXPECT_EQ(volts[i], inputs[i].conversion.to_volts(samples[i])) << i;
  }
  EXPECT_EQ(volts[2], 1.0);
}

// Outputs side by side of one straight line, of two slopes, a card of 32 bits, and one by itself.
TEST(ComediOutputs, AreWhatTheConversionOfEachMakesOfItsValue) {
  std::vector<Line> outputs;
  for (unsigned channel = 0; channel < 8; ++channel) {
    outputs.push_back(analog(Direction::output, 1, channel));
  }
  const Conversion falling({-10, 10}, 20000, {{20000, -1e3, 0, 0}, -10, 1});
  outputs[3].conversion = outputs[4].conversion = falling;
  const Conversion wide({-10, 10}, 0xFFFF'FFFFU, {{0, 0xFFFF'FFFFU / 20.0, 0, 0}, -10, 1});
  outputs[5].conversion = outputs[6].conversion = wide;
  Program program(outputs, {});
  const auto list = program.list(true, false);
  std::array<lsampl_t, 8> last{};
  for (std::size_t i = 0; i < last.size(); ++i) {
    last[i] = outputs[i].conversion.to_raw(0);
    EXPECT_EQ(list.insns[i].data[0], last[i]) << i;
  }
  std::array<double, 8> volts{};
  const std::array<double, 11> tried{-1e300,  -10.0005, -9.9995, -3.3333, -0.0,     4.9995,
                                     9.99949, 12,       1e308,   NAN,     -INFINITY};
  for (std::size_t at = 0; at < tried.size(); ++at) {
    for (std::size_t i = 0; i < volts.size(); ++i) volts[i] = tried[(at + i) % tried.size()];
    program.put(volts);
    for (std::size_t i = 0; i < volts.size(); ++i) {
      if (std::isfinite(volts[i])) last[i] = outputs[i].conversion.to_raw(volts[i]);
      EXPECT_EQ(list.insns[i].data[0], last[i]) << i << ": " << volts[i];
    }
  }
}

TEST_F(ComediProgram, WritesAllBitsAgainThoughTheKernelOverwroteThem) {
  program_.put(std::array{0.0, 1.0, 0.0, 0.0});
  program_.list(true, true).insns[1].data[1] = 0xffff;  // the state of all lines, as read back
  program_.put(std::array{0.0, 1.0, 0.0, 1.0});
  EXPECT_EQ(program_.list(true, true).insns[1].data[1], 0b100001u);
}

TEST_F(ComediProgram, WhatIsNotFiniteLeavesTheLineAsItWas) {
  EXPECT_EQ(program_.list(true, true).insns[0].data[0], 10000u);  // 0 V until the first value
  program_.put(std::array{1.0, 1.0, 2.0, 1.0});
  program_.put(std::array<double, 4>{NAN, NAN, INFINITY, NAN});
  const auto list = program_.list(true, true);
  EXPECT_EQ(list.insns[0].data[0], 11000u);
  EXPECT_EQ(list.insns[2].data[0], 12000u);
  EXPECT_EQ(list.insns[1].data[1], 0b100001u);
}

TEST_F(ComediProgram, GetsValuesFromWhereTheyAre) {
  const auto list = program_.list(false, true);
  list.insns[0].data[1] = 1u << 7;
  list.insns[1].data[0] = 12500;
  list.insns[2].data[1] = 0b010;  // channels 33 set, 34 clear
  list.insns[3].data[1] = 0b101;  // channel 1 clear
  std::array<double, 5> values{};
  program_.get(values);
  EXPECT_EQ(values, (std::array{1.0, 2.5, 1.0, 0.0, 0.0}));
  EXPECT_TRUE(std::ranges::equal(program_.counts(), std::array{1U, 12500U, 1U, 0U, 0U}));
}

TEST_F(ComediProgram, MovesWithItsData) {
  Program moved;
  moved = std::move(program_);
  moved.put(std::array{1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(moved.list(true, true).insns[0].data[0], 11000u);
}

}  // namespace
}  // namespace hild::comedi
