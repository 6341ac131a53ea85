// SPDX-License-Identifier: Apache-2.0
/// A system of several nodes in one file, as a user checks it and runs one of them.
#include <gmock/gmock.h>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string two_nodes(const std::string& unit, const std::string& more = "") {
  return "frame: {period: 5 ms, priority: 0}\n"
         "integrator: {method: rtam-2}\n"
         "devices: {net: {driver: dds, domain: 61, system: check, max_latency: 30 ms}}\n"
         "nodes:\n"
         "  motor:\n"
         "    model: {type: dc-motor}\n"
         "    devices: {net: {node: motor}}\n"
         "    outputs: {shaft_speed: {device: net, signal: speed, unit: rad/s, safe: 0 rad/s}}\n"
         "  meter:\n"
         "    model: {type: dc-motor}\n"
         "    devices: {net: {node: meter}}\n"
         "    inputs: {armature_voltage: {device: net, node: motor, signal: speed, unit: " +
         unit + ", scale: 1 V/(" + unit + ")}}\n" + more;
}

TEST(System, IsCheckedAsAWhole) {
  const Folder folder;
  const Ended fits = hild({"check", folder.file("fits.yaml", two_nodes("rpm"))});
  EXPECT_EQ(fits.code, 0) << fits.err;
  EXPECT_THAT(fits.out, HasSubstr("motor.shaft_speed -> meter.armature_voltage"));
  EXPECT_THAT(fits.out, HasSubstr("The system fits."));
  const Ended wrong = hild({"check", folder.file("wrong.yaml", two_nodes("m/s"))});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("CANNOT WORK: it is sent in rad/s and expected in m/s"));
  EXPECT_THAT(wrong.out, HasSubstr("does NOT fit"));
}

// Of each node what is its own, and once what is wrong outside of them.
TEST(System, TellsAtOnceWhatIsWrongInAllNodes) {
  const Folder folder;
  const std::string text = two_nodes("rpm", "    sped: 1\n");
  const Ended own = hild({"check", folder.file("own.yaml", text)});
  EXPECT_EQ(own.code, 1);
  EXPECT_THAT(own.err, HasSubstr("own.yaml:13: sped"));
  const Ended common = hild(
      {"check", folder.file("common.yaml", two_nodes("rpm") + "budget: {utilisation: 3 s}\n")});
  EXPECT_EQ(common.code, 1);
  constexpr std::string_view place = "common.yaml:13: budget.utilisation";
  const std::size_t first = common.err.find(place);
  ASSERT_NE(first, std::string::npos) << common.err;
  EXPECT_EQ(common.err.find(place, first + 1), std::string::npos);
}

TEST(System, OneNodeOfItIsAsked) {
  const Folder folder;
  const std::string file = folder.file("system.yaml", two_nodes("rpm"));
  EXPECT_THAT(hild({"run", file}).err,
              HasSubstr("expected one of them: --node motor, --node meter"));
  const Ended one = hild({"check", file, "--node", "meter", "--no-measure"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, Not(HasSubstr("Plan of the system")));
}

// Without a control section nobody can arm outputs again.
TEST(System, SaysThatALossWouldDisarmForGood) {
  const Folder folder;
  const std::string text =
      "frame: {period: 5 ms, priority: 0}\n"
      "model: {type: dc-motor}\n"
      "integrator: {method: rtam-2}\n"
      "devices: {rig: {driver: sim, max_latency: 1 s, on_loss: disarm}}\n"
      "inputs: {armature_voltage: {device: rig, channel: 0}}\n";
  const auto said = [&](const std::string& more) {
    return hild({"run", folder.file("run.yaml", text + more), "--duration", "0.05"}).err;
  };
  EXPECT_THAT(said(""), HasSubstr("on_loss: disarm: once an input is lost nobody can arm outputs"));
  EXPECT_THAT(said("control: {socket: " + folder.path("s.sock") + "}\n"),
              Not(HasSubstr("on_loss: disarm")));
}

}  // namespace
}  // namespace hild::test
