// SPDX-License-Identifier: Apache-2.0
/// \file
/// HDF5 files, read back by the tools of the HDF Group.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "recording/convert/export.hpp"
#include "recording/framelog/runs.hpp"

namespace hild::convert {
namespace {

using framelog::Recording;
using testing::HasSubstr;

class Hdf5 : public testing::Test {
 protected:
  Hdf5() {
    std::string pattern = std::filesystem::temp_directory_path() / "hild-hdf5-XXXXXX";
    folder = ::mkdtemp(pattern.data());
    file = folder + "/out.h5";
  }
  ~Hdf5() override { std::filesystem::remove_all(folder); }

  void write(const std::string& log, const ExportOptions& options = {}) {
    mcap::MemorySource source(log);
    const auto done = export_hdf5(source, file, options);
    ASSERT_TRUE(done) << done.error().message;
  }
  [[nodiscard]] std::string dump(const std::string& options) const {
    std::string text;
    std::FILE* pipe = ::popen(("h5dump " + options + " " + file + " 2>&1").c_str(), "r");
    for (char part[4096]; const std::size_t n = std::fread(part, 1, sizeof part, pipe);) {
      text.append(part, n);
    }
    EXPECT_EQ(::pclose(pipe), 0) << text;
    return text;
  }
  template <class Number>
  [[nodiscard]] std::vector<Number> values(const std::string& dataset) const {
    const std::string raw = folder + "/raw";
    (void)dump("-d " + dataset + " -b LE -o " + raw);
    std::ifstream in(raw, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::vector<Number> all(bytes.size() / sizeof(Number));
    std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Number));
    return all;
  }
  std::string folder;
  std::string file;
};

// More rows than a block of the writer holds.
TEST_F(Hdf5, EverySignalIsADatasetWithItsUnit) {
  framelog::LogOptions options;
  options.wait = true;
  const Recording run(framelog::everything(), options);
  constexpr std::int64_t steps = 10'000;
  run.give(0, steps - 1);
  write(run.close());
  const auto speed = values<double>("/outputs/speed");
  const auto tick = values<std::int64_t>("/outputs/tick");
  const auto t = values<double>("/inputs/t");
  ASSERT_EQ(speed.size(), static_cast<std::size_t>(steps));
  ASSERT_EQ(t.size(), static_cast<std::size_t>(steps));
  for (std::size_t i = 0; i < speed.size(); ++i) {
    const auto step = static_cast<std::int64_t>(i);
    ASSERT_EQ(speed[i], framelog::output_of(step, 0));
    ASSERT_EQ(tick[i], step + 1);
    ASSERT_EQ(t[i], static_cast<double>(i) / 1000);
  }
  EXPECT_EQ(values<double>("/timing/lateness").back(), -400);
  EXPECT_EQ(values<double>("/counts/load").back(), framelog::count_of(steps - 1));
  EXPECT_THAT(dump("-a /outputs/speed/units"), HasSubstr("\"rad/s\""));
  EXPECT_THAT(dump("-a /outputs/2nd_odd/name"), HasSubstr("\"2nd/odd\""));
  EXPECT_THAT(dump("-a /inputs/t/units"), HasSubstr("\"s\""));
  EXPECT_THAT(dump("-a /model"), HasSubstr("\"made\""));
  EXPECT_THAT(dump("-a /configuration"), HasSubstr("frame: {period: 1 ms}"));
}

TEST_F(Hdf5, GapsAreThere) {
  const Recording run;
  run.give(0, 0);
  run.give(5, 5);
  write(run.close(), {.signals = {"states"}, .range = {}});
  EXPECT_EQ(values<std::int64_t>("/gaps/first"), std::vector<std::int64_t>{1});
  EXPECT_EQ(values<std::int64_t>("/gaps/last"), std::vector<std::int64_t>{4});
  EXPECT_EQ(values<double>("/states/speed"),
            (std::vector<double>{framelog::state_of(0), framelog::state_of(5)}));
  EXPECT_THAT(dump("-n"), testing::Not(HasSubstr("/outputs")));
}

TEST_F(Hdf5, WhatCannotBeWrittenIsTold) {
  const Recording run;
  run.give(0, 0);
  mcap::MemorySource source(run.close());
  const auto done = export_hdf5(source, folder + "/no/out.h5", {});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("/no/out.h5"));
  EXPECT_THAT(done.error().message, HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace hild::convert
