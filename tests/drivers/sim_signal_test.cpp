// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sources as functions of time, which a reference run integrates piece by piece.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "drivers/sim_source.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::sim {
namespace {

constexpr SimTime no_break = io::Signal::no_break;
constexpr SimTime at(Duration d) { return SimTime{} + d; }

SourcePtr make_source(test::FakeOptions::Texts texts, bool hold = false) {
  test::FakeOptions entry(std::move(texts));
  return read_source(entry, "source", hold ? "1" : "V", hold);
}

TEST(Signal, IsThereWhereASourceDependsOnTimeAlone) {
  EXPECT_NE(make_source({})->signal(), nullptr);
  EXPECT_EQ(make_source({{"source.loopback", "2"}})->signal(), nullptr);
  EXPECT_EQ(make_source({{"source.controller", "command"}})->signal(), nullptr);
}

TEST(Signal, OfASineKnowsNoNanoseconds) {
  const auto source =
      make_source({{"source.sine.amplitude", "2 V"}, {"source.sine.frequency", "1 MHz"}});
  const auto* const s = source->signal();
  const double t = 0.3e-9;
  EXPECT_NEAR(s->value(t, {}), 2 * std::sin(2e6 * std::numbers::pi * t), 1e-16);
  EXPECT_EQ(s->next_break(at(5_s)), no_break);
}

TEST(Signal, OfAStepHasBothValuesAtItsInstant) {
  const auto source = make_source(
      {{"source.step.before", "1 V"}, {"source.step.after", "2 V"}, {"source.step.at", "10 ms"}});
  const auto* const s = source->signal();
  EXPECT_EQ(s->next_break({}), at(10_ms));
  EXPECT_EQ(s->next_break(at(10_ms)), no_break);
  EXPECT_EQ(s->value(0.01, {}), 1) << "the end of the piece before";
  EXPECT_EQ(s->value(0.01, at(10_ms)), 2) << "the start of the piece after";
}

class CsvSignal : public ::testing::Test {
 public:
  CsvSignal(const CsvSignal&) = delete;
  CsvSignal& operator=(const CsvSignal&) = delete;

 protected:
  CsvSignal() { std::ofstream(file_) << "t,u\n1,10\n2,20\n4,0\n"; }
  ~CsvSignal() override { std::filesystem::remove(file_); }

  [[nodiscard]] SourcePtr source(bool hold, const char* repeat) const {
    return make_source({{"source.csv.file", file_},
                        {"source.csv.column", "u"},
                        {"source.csv.time", "t"},
                        {"source.csv.repeat", repeat}},
                       hold);
  }
  std::string file_ =
      std::filesystem::temp_directory_path() / ("hild_signal_" + std::to_string(getpid()) + ".csv");
};

TEST_F(CsvSignal, BreaksAtItsRows) {
  const auto linear = source(false, "false");
  const auto* const s = linear->signal();
  EXPECT_EQ(s->next_break({}), at(1_s));
  EXPECT_EQ(s->next_break(at(1_s)), at(2_s));
  EXPECT_EQ(s->next_break(at(3_s)), at(4_s));
  EXPECT_EQ(s->next_break(at(4_s)), no_break);
  EXPECT_EQ(s->value(0.5, {}), 10);
  EXPECT_NEAR(s->value(1.25, at(1_s)), 12.5, 1e-12);
  EXPECT_NEAR(s->value(2, at(1_s)), 20, 1e-12);
  EXPECT_NEAR(s->value(3, at(2_s)), 10, 1e-12);
  EXPECT_EQ(s->value(9, at(4_s)), 0);
}

TEST_F(CsvSignal, HeldKeepsTheValueOfItsPiece) {
  const auto held = source(true, "false");
  EXPECT_EQ(held->signal()->value(2, at(1_s)), 10);
  EXPECT_EQ(held->signal()->value(2, at(2_s)), 20);
}

// Rows at 1, 2, 4; the first again at 6, as long after the last as that is after the one before.
TEST_F(CsvSignal, RepeatedBreaksInEveryTurn) {
  const auto repeated = source(false, "true");
  const auto* const s = repeated->signal();
  EXPECT_EQ(s->next_break(at(4_s)), at(6_s));
  EXPECT_EQ(s->next_break(at(6_s)), at(7_s));
  EXPECT_EQ(s->next_break(at(5'001_s)), at(5'002_s));
  EXPECT_NEAR(s->value(5, at(4_s)), 5, 1e-12);
  EXPECT_NEAR(s->value(6.5, at(6_s)), 15, 1e-12);
  for (int ms = 0; ms < 30'000; ms += 7) {
    const Duration t = 1_ms * ms;
    EXPECT_NEAR(s->value(seconds(t), at(t)), repeated->at({.elapsed = t, .outputs = {}}), 1e-9);
  }
}

}  // namespace
}  // namespace hild::sim
