// SPDX-License-Identifier: Apache-2.0
#include "foreign/plugin/load_driver.hpp"

#include <gmock/gmock.h>

namespace hild {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string driver_refusal(const std::string& name) {
  const auto loaded = plugin::load_driver(std::string(HILD_PLUGINS) + "/" + name + ".so");
  return loaded ? "loaded" : loaded.error().message;
}

// That of the project which `hild new-driver` writes. It registers itself where it lives, and not
// beside the built-in drivers.
TEST(DriverPlugin, IsFoundInItsFileAlone) {
  const auto driver = plugin::load_driver(HILD_PLUGINS "/wires.so");
  ASSERT_TRUE(driver) << driver.error().message;
  EXPECT_EQ((*driver)->name, "wires");
  EXPECT_EQ(io::find_driver("wires"), nullptr);
  EXPECT_EQ(*plugin::load_driver(HILD_PLUGINS "/wires.so"), *driver) << "loaded once";
}

TEST(DriverPlugin, WhatItIsNotIsSaid) {
  EXPECT_THAT(driver_refusal("nowhere"), AllOf(HasSubstr("plug-in "), HasSubstr("No such file")));
  EXPECT_THAT(driver_refusal("van_der_pol"),
              HasSubstr("has no symbol hild_driver_plugin: not a hild driver; build it by "
                        "hild_add_driver() of CMake"));
  EXPECT_THAT(driver_refusal("driver_of_version_99"), HasSubstr("interface 99, expected 6"));
  EXPECT_THAT(driver_refusal("two_drivers"),
              HasSubstr("holds 2 drivers, expected one: HILD_DRIVER once in a plug-in"));
}

}  // namespace
}  // namespace hild
