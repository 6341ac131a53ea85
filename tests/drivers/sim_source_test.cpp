// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tests/drivers/fake_options.hpp"

namespace hild::sim {
namespace {

using test::FakeOptions;
using test::Rejected;

SourcePtr make(FakeOptions::Texts texts, bool hold = false) {
  FakeOptions entry(std::move(texts));
  auto source = read_source(entry, "source", hold ? "1" : "V", hold);
  EXPECT_EQ(entry.unknown(), std::set<std::string>{});
  return source;
}

double at(const SourcePtr& source, Duration t) { return source->at({.elapsed = t, .outputs = {}}); }

TEST(Source, IsZeroWhereNoneIsWritten) { EXPECT_EQ(at(make({}), 1_s), 0); }

TEST(Source, ConstantInItsUnit) { EXPECT_EQ(at(make({{"source.constant", "250 mV"}}), 9_s), 0.25); }

TEST(Source, SineByAmplitudeFrequencyOffsetAndPhase) {
  const auto sine = make({{"source.sine.amplitude", "2 V"},
                          {"source.sine.frequency", "50 Hz"},
                          {"source.sine.offset", "1 V"},
                          {"source.sine.phase", "90 deg"}});
  EXPECT_NEAR(at(sine, 0_ms), 3, 1e-12);  // the crest, by the phase
  EXPECT_NEAR(at(sine, 5_ms), 1, 1e-12);  // a quarter of 20 ms later
  EXPECT_NEAR(at(sine, 10_ms), -1, 1e-12);
  EXPECT_NEAR(at(sine, 20_ms), 3, 1e-12);
}

TEST(Source, StepAtItsInstant) {
  const auto step = make(
      {{"source.step.before", "1 V"}, {"source.step.after", "2 V"}, {"source.step.at", "10 ms"}});
  EXPECT_EQ(at(step, Duration{9'999'999}), 1);
  EXPECT_EQ(at(step, 10_ms), 2);
}

TEST(Source, LoopbackAndCommandSeeTheWorld) {
  const std::array<double, 3> outputs{1, 2, 3};
  const Moment moment{.elapsed = {}, .outputs = outputs, .command = 7};
  const auto loopback = make({{"source.loopback", "2"}});
  EXPECT_EQ(loopback->at(moment), 3);
  EXPECT_EQ(loopback->loopback(), 2);
  const auto command = make({{"source.controller", "command"}});
  EXPECT_EQ(command->at(moment), 7);
  EXPECT_TRUE(command->is_command());
}

TEST(Source, IsExactlyOneOfTheKinds) {
  EXPECT_THROW((void)make({{"source.loopback", "1"}, {"source.constant", "1 V"}}), Rejected);
  EXPECT_THROW((void)make({{"source.noise", "1 V"}}), Rejected);
  EXPECT_THROW((void)make({{"source", "1 V"}}), Rejected);
  EXPECT_THROW((void)make({{"source.controller", "setpoint"}}), Rejected);
}

TEST(Setpoint, DependsOnTimeAlone) {
  FakeOptions step{
      {"setpoint.step.before", "0 V"}, {"setpoint.step.after", "1 V"}, {"setpoint.step.at", "1 s"}};
  EXPECT_EQ(at(read_setpoint(step, "setpoint", "V"), 1_s), 1);
  FakeOptions loopback{{"setpoint.loopback", "0"}};
  EXPECT_THROW((void)read_setpoint(loopback, "setpoint", "V"), Rejected);
  FakeOptions none{};
  EXPECT_THROW((void)read_setpoint(none, "setpoint", "V"), Rejected);
}

class CsvSource : public ::testing::Test {
 protected:
  CsvSource() { std::ofstream(file_) << "t,u\n1,10\n2,20\n4,0\n"; }
  ~CsvSource() override { std::filesystem::remove(file_); }

  SourcePtr make_csv(FakeOptions::Texts more, bool hold = false) {
    more.emplace("source.csv.file", file_);
    more.emplace("source.csv.column", "u");
    return make(std::move(more), hold);
  }
  const std::string file_ =
      ::testing::TempDir() + "hild-source-" + std::to_string(::getpid()) + ".csv";
};

TEST_F(CsvSource, InterpolatesBetweenItsTimesAndHoldsBeyondThem) {
  const auto csv = make_csv({{"source.csv.time", "t"}});
  EXPECT_EQ(at(csv, 0_s), 10);
  EXPECT_EQ(at(csv, 1500_ms), 15);
  EXPECT_EQ(at(csv, 2_s), 20);
  EXPECT_EQ(at(csv, 3_s), 10);
  EXPECT_EQ(at(csv, 9_s), 0);
}

TEST_F(CsvSource, StaysAtItsLastValue) {
  std::ofstream(file_) << "t,u\n0,3\n1,7\n";
  for (const bool hold : {false, true}) {
    const auto csv = make_csv({{"source.csv.time", "t"}}, hold);
    EXPECT_EQ(at(csv, 1_s), 7);
    EXPECT_EQ(at(csv, 9_s), 7);
  }
}

TEST_F(CsvSource, HoldsValuesOfDigitalLines) {
  const auto csv = make_csv({{"source.csv.time", "t"}}, true);
  EXPECT_EQ(at(csv, 1999_ms), 10);
  EXPECT_EQ(at(csv, 2_s), 20);
}

TEST_F(CsvSource, RepeatsByItsRate) {
  const auto csv = make_csv({{"source.csv.rate", "1 Hz"}, {"source.csv.repeat", "true"}});
  EXPECT_EQ(at(csv, 0_s), 10);
  EXPECT_EQ(at(csv, 1_s), 20);
  EXPECT_EQ(at(csv, 2500_ms), 5);  // half-way from the last row to the first again
  EXPECT_EQ(at(csv, 3_s), 10);
  EXPECT_EQ(at(csv, 31_s), 20);
}

TEST_F(CsvSource, HasARateOrATimeColumn) {
  EXPECT_THROW((void)make_csv({}), Rejected);
  EXPECT_THROW((void)make_csv({{"source.csv.rate", "1 Hz"}, {"source.csv.time", "t"}}), Rejected);
}

TEST_F(CsvSource, ABadFileEndsLoadingWithItsLine) {
  std::ofstream(file_) << "t,u\n1,10\n2,oops\n";
  try {
    (void)make_csv({{"source.csv.time", "t"}});
    FAIL() << "nothing was refused";
  } catch (const Rejected& refused) {
    EXPECT_NE(std::string_view(refused.what()).find(".csv:3: expected a number"),
              std::string_view::npos)
        << refused.what();
  }
}

}  // namespace
}  // namespace hild::sim
