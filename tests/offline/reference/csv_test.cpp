// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/csv.hpp"

#include <gtest/gtest.h>

#include <array>

namespace hild::reference {
namespace {

// A name with a comma in it, as elements of arrays have, is one column (RFC 4180).
TEST(Header, IsAColumnASignal) {
  const std::array inputs{model::Input{.name = "A[1,2]", .unit = "V"}};
  const std::array states{model::State{.name = "x", .unit = "m"}};
  const std::array outputs{model::Output{.name = "6\" wheel", .unit = ""}};
  model::Description model;
  model.inputs = inputs;
  model.states = states;
  model.outputs = outputs;
  Text text;
  append_header(model, text);
  append_row(0.5, std::array{1.0}, std::array{2.0}, std::array{-3.25}, text);
  EXPECT_EQ(fmt::to_string(text),
            "time [s],\"input.A[1,2] [V]\",state.x [m],\"output.6\"\" wheel []\"\n"
            "0.5,1,2,-3.25\n");
}

}  // namespace
}  // namespace hild::reference
