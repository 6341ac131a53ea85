// SPDX-License-Identifier: Apache-2.0
/// Lookup tables from CSV: as models of a configuration, and what is refused with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "config/sections.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A file of its own for each test.
class TableSource : public ::testing::Test {
 protected:
  TableSource()
      : file_(testing::TempDir() + "hild-" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv") {}
  ~TableSource() override { std::remove(file_.c_str()); }

  Result<Config> load(const std::string& csv, const std::string& more = "") {
    std::ofstream(file_) << csv;
    return load_text("frame: {period: 1 ms}\nmodel: {table: {file: " + file_ + more + "}}\n",
                     "rig.yaml");
  }
  std::string problem(const std::string& csv, const std::string& more = "") {
    const auto read = load(csv, more);
    return read ? "" : read.error().message;
  }
  /// Its first output.
  double at(const Config& config, const std::vector<double>& u) {
    const auto system = config.model.make_system();
    std::vector<double> y(config.model.description.outputs.size());
    system->outputs(0, {}, u, y);
    return y.at(0);
  }

  std::string file_;
};

// Rows in any order, units in brackets; the last column has none.
TEST_F(TableSource, OfTwoAxesAndTwoOutputs) {
  const auto read = load(
      "# measured on the bench\n"
      "speed [rpm], angle [deg], thrust [N], efficiency\n"
      "100, 10, 21, 0.5\n"
      "0, 0, 0, 0.1\n"
      "100, 0, 20, 0.4\n"
      "0, 10, 1, 0.2\n",
      ", axes: 2");
  ASSERT_TRUE(read) << read.error().message;
  const model::Description& d = read->model.description;
  ASSERT_EQ(d.inputs.size(), 2U);
  EXPECT_EQ(d.inputs[0].name, "speed");
  EXPECT_EQ(d.inputs[1].unit, "deg");
  ASSERT_EQ(d.outputs.size(), 2U);
  EXPECT_EQ(d.outputs[0].unit, "N");
  EXPECT_EQ(d.outputs[1].unit, "1");
  EXPECT_NEAR(at(*read, {50, 5}), 10.5, 1e-14);
  EXPECT_EQ(at(*read, {200, 10}), 21) << "clamped";
  EXPECT_EQ(read->model.file, file_);
  EXPECT_EQ(read->method, "forward-euler") << "of one pass, in which there is nothing to do";
}

// The monotone cubic stays within its points, where the smooth one overshoots by design.
TEST_F(TableSource, ReadsBetweenAndBeyondItsPointsAsTold) {
  const std::string step = "x,y\n0,0\n1,0\n2,1\n3,1\n";
  const auto smooth = load(step, ", between: smooth");
  const auto monotone = load(step, ", between: monotone, outside: extrapolate");
  const auto straight = load("x,y\n0,0\n1,2\n", ", outside: extrapolate");
  ASSERT_TRUE(smooth && monotone && straight);
  EXPECT_LT(at(*smooth, {0.5}), 0);
  EXPECT_EQ(at(*monotone, {0.5}), 0);
  EXPECT_EQ(at(*monotone, {9}), 1) << "with the slope of the last point";
  EXPECT_NEAR(at(*straight, {-1.5}), -3, 1e-15);
}

TEST_F(TableSource, IsOneOfSeveralModels) {
  std::ofstream(file_) << "speed [rpm],drag [Nm]\n0,0\n1000,2\n";
  const auto read = load_text(
      "frame: {period: 1 ms}\n"
      "models:\n"
      "  motor: {type: test-plant, integrator: {method: rtam-2}}\n"
      "  fan: {table: {file: " +
          file_ +
          "}}\n"
          "connections: [{from: motor.speed, to: fan.speed}]\n",
      "rig.yaml");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->coupled);
  EXPECT_EQ(read->coupled->parts[1]->method.name, "forward-euler");
}

// 25 degC are 298.15 K; a scale that is written says all.
TEST_F(TableSource, AnInputTakesTheUnitOfItsChannel) {
  std::ofstream(file_) << "temperature [K],resistance [ohm]\n200,80\n400,150\n";
  const auto read = [&](const std::string& more) {
    return load_text("frame: {period: 1 ms}\nmodel: {table: {file: " + file_ +
                         "}}\ndevices: {daq: {driver: fake}}\n"
                         "inputs: {temperature: {device: daq, channel: 0, unit: degC" +
                         more + "}}\n",
                     "rig.yaml");
  };
  const auto plain = read("");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->inputs[0].scale, 1);
  EXPECT_EQ(plain->inputs[0].offset, 273.15);
  const auto scaled = read(", scale: 2 K/degC");
  ASSERT_TRUE(scaled) << scaled.error().message;
  EXPECT_EQ(scaled->inputs[0].scale, 2);
  EXPECT_EQ(scaled->inputs[0].offset, 0);
}

// What a recording keeps of a configuration names files by where they are, not by where it was.
TEST_F(TableSource, IsFoundByARecordedConfigurationFromAnywhere) {
  std::ofstream(file_) << "x,y\n0,1\n1,2\n";
  const std::string name = file_.substr(testing::TempDir().size());
  const auto read = load_text("frame: {period: 1 ms}\nmodel: {table: {file: ./" + name + "}}\n",
                              testing::TempDir() + "rig.yaml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->resolved, HasSubstr("file: " + file_));
  const auto again = load_text(read->resolved, "/elsewhere/recorded");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->model.file, file_);
  EXPECT_EQ(again->resolved, read->resolved);
}

TEST_F(TableSource, IsRefusedWithTheLineOfItsFile) {
  EXPECT_THAT(problem("x,y\n0,0\n1,one\n"),
              AllOf(StartsWith("rig.yaml:2: model.table.file: "),
                    EndsWith(".csv:3: y: found 'one', expected a number")));
  EXPECT_THAT(problem("x,y\n0,0\n1,2,3\n"), HasSubstr(".csv:3: found 3 columns, expected 2"));
  EXPECT_THAT(problem("x,y\n0,0\n1,1\n0,2\n"),
              HasSubstr(".csv:4: the values at x 0 are in line 2 already"));
  EXPECT_THAT(problem("a,b,y\n0,0,1\n0,1,2\n1,0,3\n", ", axes: 2"),
              HasSubstr("found 3 rows, expected one for each crossing of the points of the axes (2 "
                        "of a, 2 of b)"));
  EXPECT_THAT(problem("x\n0\n1\n"), HasSubstr(".csv:1: found 1 columns, expected 1 of axes and"));
  EXPECT_THAT(problem("x [rad/s,y\n0,1\n"), HasSubstr(".csv:1: found the heading 'x [rad/s'"));
  EXPECT_THAT(problem("x [wibble],y\n0,1\n1,2\n"), HasSubstr(".csv:1: the unit of x: "));
  EXPECT_THAT(problem("x.y,y\n0,1\n1,2\n"), HasSubstr(".csv:1: found the heading 'x.y', expected"));
  EXPECT_THAT(problem("x,x\n0,1\n1,2\n"), HasSubstr(".csv:1: found 'x' twice"));
  EXPECT_THAT(problem("0,1\n1,2\n"), HasSubstr("the heading '0'")) << "numbers alone";
  EXPECT_THAT(problem("x,y\n"), EndsWith("no rows of numbers"));
  EXPECT_THAT(problem("x,y\n0,1\n"), HasSubstr("found 1 points, expected at least 2"));
  EXPECT_THAT(problem("x,y\n-1e308,1\n1e308,2\n"), HasSubstr("expected a width of at most"));
  EXPECT_THAT(problem("a,b,y\n0,0,1\n0,1,2\n1,0,3\n1,1,4\n", ", axes: 2, between: monotone"),
              HasSubstr("a monotone table has one axis"));
}

TEST_F(TableSource, TakesNoMethodAndNoProcess) {
  std::ofstream(file_) << "x,y\n0,1\n1,2\n";
  const auto with = [&](const std::string& model, const std::string& more) {
    const auto read = load_text(
        "frame: {period: 1 ms}\nmodel: {table: {file: " + file_ + "}" + model + "}\n" + more,
        "rig.yaml");
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(with("", "integrator: {method: rk-4}\n"),
              HasSubstr("found beside a table, which has nothing to integrate; leave it out"));
  EXPECT_EQ(with("", "integrator: {method: forward-euler}\n"), "");
  EXPECT_THAT(with(", process: own", ""), HasSubstr("found \"own\" beside `table`"));
  EXPECT_THAT(with(", type: test-plant", ""), HasSubstr("expected one"));
}

}  // namespace
}  // namespace hild::config
