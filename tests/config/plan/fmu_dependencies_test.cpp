// SPDX-License-Identifier: Apache-2.0
/// \file
/// The dependencies that an FMU of many states declares are held against its derivatives.
#include <gmock/gmock.h>

#include "config/plan/model_checks.hpp"
#include "foreign/fmu/altered.hpp"

namespace hild::plan {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string check_of(const std::string& description, bool differences) {
  const testing::Archive archive;
  archive.copy("rod", 2);
  archive.add("modelDescription.xml", description);
  const auto rod = fmu::load(archive.path(), {.differences = differences});
  if (!rod) return rod.error().message;
  EXPECT_NE(rod->description.structure.pattern, nullptr);
  const auto checked = check_jacobian(*rod->make_system(), std::vector<double>(2000, 1.0));
  return checked ? "sound" : checked.error().message;
}

// That of element 999, index 1000, on the one after it is left out.
TEST(FmuDependencies, OneThatIsMissingIsFound) {
  const std::string whole = testing::description_of("rod", 2);
  const std::string broken =
      testing::with(whole, "dependencies=\"999 1000 1001\"", "dependencies=\"999 1000\"");
  for (const bool differences : {false, true}) {
    EXPECT_EQ(check_of(whole, differences), "sound");
    EXPECT_THAT(check_of(broken, differences),
                AllOf(HasSubstr("d(x999')/d(x1000) = 0, but its derivatives change by 1000"),
                      HasSubstr("of an FMU, `dependencies`")));
  }
}

}  // namespace
}  // namespace hild::plan
