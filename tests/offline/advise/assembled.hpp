// SPDX-License-Identifier: Apache-2.0
/// \file
/// Puts together what a configuration given as text describes.
#pragma once

#include <gtest/gtest.h>

#include "config/config.hpp"
#include "config/plan/assembly.hpp"

namespace hild::advise {

inline plan::Assembly assembled(const std::string& text) {
  auto config = config::load_text(text, "rig.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return plan::assemble(std::move(*config));
}

}  // namespace hild::advise
