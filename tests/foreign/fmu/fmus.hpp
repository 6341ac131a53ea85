// SPDX-License-Identifier: Apache-2.0
/// \file
/// The FMUs that the build makes of sources/, by name and version.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "exec/fakes.hpp"
#include "foreign/fmu/load.hpp"

namespace hild::testing {

inline std::string fmu_file(const std::string& model, int version) {
  return fmt::format("{}/{}_{}.fmu", HILD_FMUS, model, version);
}

inline fmu::Model load_fmu(const std::string& model, int version) {
  auto loaded = fmu::load(fmu_file(model, version));
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded ? *loaded : fmu::Model{};
}

/// The place of a name among states, inputs, outputs or parameters.
template <class List>
std::size_t place_of(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return i;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

/// An output of a plant, with all inputs as given.
inline double output(model::Stepper& plant, std::string_view name, double t,
                     const std::vector<double>& u) {
  std::vector<double> y(plant.description().outputs.size());
  plant.outputs(t, u, y);
  return y[place_of(plant.description().outputs, name)];
}

class OfVersion : public ::testing::TestWithParam<int> {};

}  // namespace hild::testing
