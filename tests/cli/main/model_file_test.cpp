// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model's file where a configuration is expected.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <filesystem>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;

TEST(ModelFile, AnFmuRunsByItself) {
  const Folder folder;
  const std::string report = folder.path("report.json");
  const Ended ended = hild({"run", fmt::format("{}/van_der_pol_3.fmu", HILD_FMUS), "--offline",
                            "--duration", "1", "--report", report});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto said = boost::json::parse(read_file(report));
  EXPECT_EQ(said.at("frames").as_int64(), 1000);
  EXPECT_EQ(said.at("model").as_string(), "van_der_pol");
  EXPECT_EQ(said.at("method").as_string(), "rk-4");
}

TEST(ModelFile, SettingsApply) {
  const std::string fmu = fmt::format("{}/stairs_2.fmu", HILD_FMUS);
  const Ended ended =
      hild({"check", fmu, "--set", "frame.period=5 ms", "--set", "model.process=own", "--set",
            "frame.priority=0", "--set", "model.answer_within=30 s"});
  EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("5000.000 us"));
}

TEST(ModelFile, WhatIsWrongWithItIsSaid) {
  const Folder folder;
  const Ended ended =
      hild({"run", folder.file("it's.fmu", "no archive"), "--offline", "--duration", "1"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("model.fmu: FMU "));
  EXPECT_THAT(ended.err, HasSubstr("is no FMU, which is a zip"));
}

// What its process does ends the run, and not hild.
TEST(ModelFile, ACrashIsContained) {
  const Folder folder;
  const std::string report = folder.path("report.json");
  const Ended ended =
      hild({"run", fmt::format("{}/trouble_3.fmu", HILD_FMUS), "--offline", "--duration", "100000",
            "--set", "overrun.standstill=1 h", "--set", "model.parameters.kind=3", "--set",
            "model.process=own", "--set", "model.answer_within=500 ms", "--report", report});
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the model's process was ended by signal 11"));
  const auto said = boost::json::parse(read_file(report));
  EXPECT_EQ(said.at_pointer("/outcome/limit"), "gone");
  EXPECT_THAT(std::string(said.at_pointer("/outcome/message").as_string()),
              HasSubstr("the model's process was ended by signal 11"));
  EXPECT_GE(said.at("frames").as_int64(), 50);
  EXPECT_GE(said.at_pointer("/capped_steps/late_answers").as_int64(), 1);
}

}  // namespace
}  // namespace hild::test
