// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a model comes from besides the built-in ones.
#include <gmock/gmock.h>

#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of_model(const std::string& source) {
  return fakes::error_of(fakes::read("frame: {period: 1 ms}\nmodel:\n  " + source +
                                     "\nintegrator: {method: rtam-2}\n"));
}

TEST(ModelSource, IsOne) {
  EXPECT_EQ(error_of_model("type: test-plant\n  plugin: pump.so")
                .find("rig.yaml:4: model.plugin: "
                      "found beside `type`, expected one"),
            0U);
}

TEST(ModelSource, PluginsFailWithTheirPlace) {
  const std::string error = error_of_model("plugin: /nowhere/pump.so");
  EXPECT_EQ(
      error.find("rig.yaml:3: model.plugin: plug-in /nowhere/pump.so: cannot be read: No such"), 0U)
      << error;
}

TEST(ModelSource, FmusFailWithTheirPlace) {
  const std::string error = error_of_model("fmu: /nowhere/pump.fmu");
  EXPECT_EQ(error.find("rig.yaml:3: model.fmu: FMU /nowhere/pump.fmu: cannot be read: No such"), 0U)
      << error;
}

TEST(ModelProcess, IsSharedUnlessItIsSaid) {
  const auto read = [](const std::string& more) {
    return fakes::read("frame: {period: 1 ms}\nmodel: {type: test-plant" + more +
                       "}\nintegrator: {method: rtam-2}\n");
  };
  EXPECT_FALSE(read("")->model.contained);
  EXPECT_FALSE(read(", process: shared")->model.contained);
  EXPECT_EQ(read(", process: own")->model.contained, Duration{1'000'000});
  EXPECT_EQ(read(", process: own, answer_within: 200 us")->model.contained, Duration{200'000});
}

TEST(ModelProcess, AnswersTakeTime) {
  EXPECT_EQ(error_of_model("type: test-plant\n  process: own\n  answer_within: 0 s")
                .find("rig.yaml:5: model.answer_within: "),
            0U);
  EXPECT_EQ(error_of_model("type: test-plant\n  answer_within: 1 ms")
                .find("rig.yaml:4: model.answer_within: found an unknown key"),
            0U);
}

// An implicit method would solve with 5000 x 5000 numbers.
TEST(ModelSource, ManyStatesWithoutAStructureAreForExplicitMethods) {
  const auto with = [](const std::string& method) {
    return fakes::error_of(fakes::read(
        "frame: {period: 1 ms}\nmodel: {type: test-crowd}\nintegrator: {method: " + method +
        "}\n"));
  };
  EXPECT_EQ(with("rk-4"), "loaded");
  EXPECT_THAT(with("libe"),
              AllOf(StartsWith("rig.yaml:3: integrator.method: found libe, which solves for the "
                               "5000 states of test-crowd at once"),
                    HasSubstr("expected at most 4096 such states"), HasSubstr("`dependencies`")));
}

}  // namespace
}  // namespace hild::config
