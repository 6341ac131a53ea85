// SPDX-License-Identifier: Apache-2.0
/// \file
/// The model that hild/model/model.hpp shows, compiled as it stands there, is found by its name.
#include <gtest/gtest.h>

#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::model {
namespace {

TEST(HeaderExample, IsAModel) {
  const Registration* const shown = find_model("lag");
  ASSERT_NE(shown, nullptr);
  const auto plant = shown->make(numerics::forward_euler);
  plant->system().set_parameter(0, 0.5);
  plant->step({0}, 1_ms, std::array{1.0});
  EXPECT_DOUBLE_EQ(plant->states()[0], 1e-3 / 0.5);
}

}  // namespace
}  // namespace hild::model
