// SPDX-License-Identifier: Apache-2.0
/// \file
/// A motor that runs.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "cli/main/motor.hpp"

namespace hild::test {

/// A run whose outputs have left their safe values.
struct Driving {
  explicit Driving(std::vector<std::string> more = {}) {
    EXPECT_EQ(hild({"safe", motor.file}).code, 0);
    const double before = motor.held().at(0);
    std::vector<std::string> arguments{"run", motor.file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    program.emplace(arguments);
    EXPECT_TRUE(leaves(motor.rig, before));
  }
  Motor motor;
  std::optional<Program> program;
};

}  // namespace hild::test
