// SPDX-License-Identifier: Apache-2.0
/// \file
/// The driver dds keeps what every driver owes.
#include <csignal>

#include "support/driver_conformance.hpp"
#include "tests/drivers/dds_rig.hpp"

namespace hild::test {
namespace {

struct DdsAlone {
  using Options = FakeOptions;
  static constexpr std::string_view driver = "dds";
  static constexpr double resolution = 1e-12;
  static Texts device() {
    return {{"domain", own_domain()},
            {"system", own_system()},
            {"node", "tried"},
            {"gateway_loss", "fail"}};
  }
  static std::vector<Texts> inputs() {
    return {{{"node", "a"}, {"signal", "x"}, {"unit", "V"}},
            {{"node", "b"}, {"signal", "x"}, {"unit", "V"}, {"held", "true"}}};
  }
  static std::vector<Texts> outputs() {
    return {{{"signal", "x"}, {"unit", "V"}}, {{"signal", "y"}, {"range", "-2..2"}}};
  }
  static void fail(io::Device& device) {
    const auto& tried = static_cast<const dds::DdsDevice&>(device);
    ::kill(tried.gateway(), SIGKILL);
    EXPECT_TRUE(comes_true([&] { return tried.gateway_ended(); }));
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(DdsAlone, DriverConformance, DdsAlone);

}  // namespace
}  // namespace hild::test
