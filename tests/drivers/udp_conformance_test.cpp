// SPDX-License-Identifier: Apache-2.0
/// \file
/// The driver udp keeps what every driver owes: one that receives what it sends itself, so that
/// images are new ones.
#include "support/driver_conformance.hpp"
#include "tests/drivers/udp_rig.hpp"

namespace hild::test {
namespace {

struct UdpToItself {
  using Options = FakeOptions;
  static constexpr std::string_view driver = "udp";
  static constexpr double resolution = 1e-6;
  static Texts device() {
    const std::string address = "127.0.0.1:" + std::to_string(free_port());
    return {{"listen", address},           {"send", address},
            {"receive.length", "16"},      {"transmit.length", "16"},
            {"transmit.sequence.at", "0"}, {"transmit.sequence.type", "u32"},
            {"receive.sequence.at", "0"},  {"receive.sequence.type", "u32"}};
  }
  static std::vector<Texts> inputs() {
    return {{{"at", "8"}, {"type", "f32"}, {"unit", "V"}}, {{"at", "12"}, {"bit", "0"}}};
  }
  static std::vector<Texts> outputs() {
    return {{{"at", "8"}, {"type", "f32"}, {"unit", "V"}}, {{"at", "12"}, {"bit", "0"}}};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(UdpToItself, DriverConformance, UdpToItself);

}  // namespace
}  // namespace hild::test
