// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models of these tests, by their names, in processes of their own.
#pragma once

#include <gtest/gtest.h>

#include "foreign/contain/process.hpp"
#include "hild/model/registry.hpp"

namespace hild::testing {

/// What this program is started as to be that in which its models run.
inline constexpr const char* server_of_a_test = "model-server-of-a-test";

inline Result<std::unique_ptr<model::Stepper>> try_own(std::string_view name,
                                                       const contain::Way& way,
                                                       const contain::ProcessOptions& options) {
  const auto* const r = model::find_model(name);
  return contain::contained(contain::ModelSource::built_in(*r), way, options);
}

inline std::unique_ptr<model::Stepper> in_its_own(std::string_view name, const contain::Way& way,
                                                  Duration answer_within = 20_s) {
  auto plant = try_own(name, way, {.answer_within = answer_within});
  EXPECT_TRUE(plant) << plant.error().message;
  return plant ? std::move(*plant) : nullptr;
}

}  // namespace hild::testing
