// SPDX-License-Identifier: Apache-2.0
/// The simulated device keeps what every driver owes: read at the tick, and as converters that
/// convert by themselves.
#include <unistd.h>

#include "support/driver_conformance.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::test {
namespace {

struct SimAtTheTick {
  using Options = FakeOptions;
  static constexpr std::string_view driver = "sim";
  static std::string image() { return "hild-conformance-" + std::to_string(::getpid()); }
  static Texts device() { return {{"image", image()}, {"fail_after", "5000"}}; }
  static void fail(io::Device& device) {
    for (int n = 0; n < 5000; ++n) static_cast<void>(device.exchange({}, {}, {}));
  }
  static std::vector<Texts> inputs() {
    return {{{"channel", "0"}, {"source.constant", "1 V"}, {"noise", "1 mV"}},
            {{"channel", "1"}, {"source.constant", "2 V"}, {"conversion", "5 us"}},
            {{"channel", "2"}, {"digital", "true"}}};
  }
  static std::vector<Texts> outputs() {
    return {{{"channel", "0"}},
            {{"channel", "1"}, {"resolution", "12"}},
            {{"channel", "2"}, {"digital", "true"}}};
  }
};

struct SimAutonomous : SimAtTheTick {
  static Texts device() {
    return {{"image", image()}, {"autonomous.rate", "2 kHz"}, {"fail_after", "5000"}};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(SimAtTheTick, DriverConformance, SimAtTheTick);
INSTANTIATE_TYPED_TEST_SUITE_P(SimAutonomous, DriverConformance, SimAutonomous);

}  // namespace
}  // namespace hild::test
