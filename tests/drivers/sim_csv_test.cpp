// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_csv.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace hild::sim {
namespace {

using Numbers = std::vector<double>;
using Times = std::vector<Duration>;

class SimCsv : public ::testing::Test {
 protected:
  ~SimCsv() override { std::filesystem::remove(file_); }

  Result<Track> read(std::string_view text, const Columns& columns) {
    std::ofstream(file_) << text;
    return read_csv(file_, columns);
  }
  /// The error, without the directory of the file.
  std::string problem(std::string_view text, const Columns& columns) {
    const auto track = read(text, columns);
    if (track) return "none";
    const auto& message = track.error().message;
    return message.substr(message.find(file_.filename().string()) +
                          file_.filename().string().size());
  }

  const std::filesystem::path file_ =
      ::testing::TempDir() + "hild-csv-" + std::to_string(::getpid()) + ".csv";
};

TEST_F(SimCsv, ReadsColumnsByNameInAnyOrder) {
  const auto track =
      read("speed, t\n# a comment\n1.5, 0\n\n2.5e0, 0.25\r\n", {.value = "speed", .time = "t"});
  ASSERT_TRUE(track) << track.error().message;
  EXPECT_EQ(track->time, (Times{0_ms, 250_ms}));
  EXPECT_EQ(track->value, (Numbers{1.5, 2.5}));
}

TEST_F(SimCsv, ReadsColumnsByNumberWithoutAHeader) {
  const auto track = read("7,1\n8,2\n9,3", {.value = "2", .time = {}, .rate = 4});
  ASSERT_TRUE(track) << track.error().message;
  EXPECT_EQ(track->time, (Times{0_ms, 250_ms, 500_ms}));
  EXPECT_EQ(track->value, (Numbers{1, 2, 3}));
}

TEST_F(SimCsv, SkipsAHeaderAboveCountedColumns) {
  const auto track = read("a,b\n7,1\n", {.value = "1", .time = {}, .rate = 1});
  ASSERT_TRUE(track) << track.error().message;
  EXPECT_EQ(track->value, (Numbers{7}));
}

TEST_F(SimCsv, TakesNoValueForTheNameOfAColumn) {
  const auto track = read("0,1\n2,5\n", {.value = "2", .time = "1"});
  ASSERT_TRUE(track) << track.error().message;
  EXPECT_EQ(track->time, (Times{0_s, 2_s}));
  EXPECT_EQ(track->value, (Numbers{1, 5}));
  const auto swapped = read("2,1\n8,5\n", {.value = "2", .time = {}, .rate = 1});
  ASSERT_TRUE(swapped) << swapped.error().message;
  EXPECT_EQ(swapped->value, (Numbers{1, 5}));
}

// Tables are written like this where their columns have no names: a number each, none for that of
// the row numbers.
TEST_F(SimCsv, AHeaderMayNameColumnsByNumbers) {
  const auto track = read(",0,1\n0,7,8\n1,9,10\n", {.value = "1", .time = {}, .rate = 1});
  ASSERT_TRUE(track) << track.error().message;
  EXPECT_EQ(track->value, (Numbers{8, 10}));
  const auto timed = read("t,0\n3,7\n4,9\n", {.value = "2", .time = "t"});
  ASSERT_TRUE(timed) << timed.error().message;
  EXPECT_EQ(timed->time, (Times{3_s, 4_s}));
  EXPECT_EQ(timed->value, (Numbers{7, 9}));
}

// RFC 4180, as recordings are exported.
TEST_F(SimCsv, NamesOfColumnsMayStandInQuotes) {
  const auto track = read("time [s],\"input.A[1,2] [V]\",u\n1,7,8\n2,\"9\",10\n",
                          {.value = "input.A[1,2] [V]", .time = "time [s]"});
  ASSERT_TRUE(track) << track.error().message;
  EXPECT_EQ(track->time, (Times{1_s, 2_s}));
  EXPECT_EQ(track->value, (Numbers{7, 9}));
}

TEST_F(SimCsv, NamesTheColumnsThereAreWhenOneIsMissing) {
  EXPECT_EQ(problem("# log\nu,y\n1,2\n", {.value = "speed", .time = {}, .rate = 1}),
            ":2: no column 'speed'; there are 2: u, y");
}

TEST_F(SimCsv, CountsColumnsFromOne) {
  EXPECT_EQ(problem("7,8\n", {.value = "0", .time = {}, .rate = 1}),
            ":1: no column '0'; there are 2: 7, 8");
  EXPECT_EQ(problem("7,8\n", {.value = "3", .time = {}, .rate = 1}),
            ":1: no column '3'; there are 2: 7, 8");
}

TEST_F(SimCsv, TellsTheLineOfWhatIsNoNumber) {
  EXPECT_EQ(problem("u\n1\nx2\n", {.value = "u", .time = {}, .rate = 1}),
            ":3: expected a number in column 1, found 'x2'");
  EXPECT_EQ(problem("u\n1\nnan\n", {.value = "u", .time = {}, .rate = 1}),
            ":3: expected a number in column 1, found 'nan'");
}

TEST_F(SimCsv, TellsTheLineThatIsTooShort) {
  EXPECT_EQ(problem("u,y\n1,2\n3\n", {.value = "y", .time = {}, .rate = 1}),
            ":3: expected at least 2 columns, found 1");
}

TEST_F(SimCsv, RefusesTimeThatDoesNotIncrease) {
  EXPECT_EQ(problem("t,u\n0,1\n0.5,1\n0.5,1\n", {.value = "u", .time = "t"}),
            ":4: time must increase, found 0.5 after 0.5");
}

TEST_F(SimCsv, RefusesATimeBeyondAllRuns) {
  EXPECT_EQ(problem("t,u\n2e9,1\n", {.value = "u", .time = "t"}),
            ":2: expected a time within 1000000000 s, found 2000000000");
}

TEST_F(SimCsv, RefusesAFileWithoutRows) {
  EXPECT_EQ(problem("u\n", {.value = "u", .time = {}, .rate = 1}), ": no rows of numbers");
  EXPECT_EQ(problem("", {.value = "u", .time = {}, .rate = 1}), ": no rows of numbers");
}

TEST_F(SimCsv, RefusesAFileThatIsNotThere) {
  const auto track = read_csv("/nonexistent/run.csv", {.value = "u", .time = {}, .rate = 1});
  ASSERT_FALSE(track);
  EXPECT_EQ(track.error().message, "cannot read /nonexistent/run.csv: No such file or directory");
}

}  // namespace
}  // namespace hild::sim
