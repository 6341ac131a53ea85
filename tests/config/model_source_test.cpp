// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a model comes from besides the built-in ones.
#include <gtest/gtest.h>

#include "fakes.hpp"

namespace hild::config {
namespace {

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

}  // namespace
}  // namespace hild::config
