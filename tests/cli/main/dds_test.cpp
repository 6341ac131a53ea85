// SPDX-License-Identifier: Apache-2.0
/// \file
/// The examples of the driver dds, through the program: offline, beside a node that the test plays,
/// and killed; and what is said of mistakes.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <csignal>

#include "cli/main/program.hpp"
#include "drivers/dds_rig.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

const std::string dds_motor = HILD_SOURCE_DIR "/config/dds_motor.yaml";
const std::string dds_arm = HILD_SOURCE_DIR "/config/dds_arm.yaml";

/// In a system, and with a control socket, of its own.
struct DdsExample {
  [[nodiscard]] std::vector<std::string> with(std::vector<std::string> arguments) const {
    for (const std::string& setting :
         {"devices.nodes.domain=" + own_domain(), "devices.nodes.system=" + system,
          "control.socket=" + folder.path("socket"), std::string("frame.priority=0")}) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    return arguments;
  }

  Folder folder;
  std::string system = own_system();
};

TEST(Dds, OfflineNothingIsSent) {
  for (const std::string& example : {dds_motor, dds_arm}) {
    const DdsExample at;
    const std::string report = at.folder.path("report.json");
    const Ended run =
        hild(at.with({"run", example, "--offline", "--duration", "0.1", "--report", report}));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json::parse(read_file(report)).at_pointer("/devices/nodes/sent"), 0);
  }
}

TEST(Dds, ANodeHearsARunAndIsHeardAndGetsTheSafeValuesOfOneThatWasKilled) {
  const DdsExample at;
  DdsNode arm(at.system, "arm");
  arm.input("motor", "torque", {{"unit", "N m"}, {"start", "9 N m"}});
  arm.output("rate", {{"unit", "rad/s"}});
  ASSERT_NO_FATAL_FAILURE(arm.begin());
  Program program(at.with({"run", dds_motor, "--arm"}));
  ASSERT_TRUE(comes_true([&] {
    const double torque = arm.exchange({1})[0];
    return torque != 9 && torque != 0;
  }));
  program.signal(SIGKILL);
  EXPECT_TRUE(comes_true([&] { return arm.exchange({1})[0] == 0; })) << "no safe values came";
  EXPECT_TRUE(comes_true([&] { return arm.count("nodes_gone") == 1; }))
      << "the gateway does not end with the guard";
  static_cast<void>(program.wait());
}

TEST(Dds, MistakesAreToldWithTheirPlace) {
  const Folder folder;
  const std::string file =
      folder.file("bad.yaml",
                  "frame: {period: 1 ms, priority: 0}\n"
                  "model: {type: dc-motor}\n"
                  "integrator: {method: rtam-2}\n"
                  "devices:\n"
                  "  one: {driver: dds, domain: 0, system: s, node: n}\n"
                  "  two: {driver: dds, domain: 42, system: \"a*\", node: n}\n"
                  "  all: {driver: dds, domain: 42, system: s, node: n}\n"
                  "inputs:\n"
                  "  armature_voltage: {device: all, node: n, signal: u, unit: V}\n"
                  "outputs:\n"
                  "  shaft_speed: {device: all, signal: w, unit: rad/s, safe: 0 rad/s}\n"
                  "  current: {device: all, signal: w, unit: A, safe: 0 A}\n");
  const Ended check = hild({"check", file});
  EXPECT_EQ(check.code, 1);
  EXPECT_THAT(
      check.err,
      HasSubstr("bad.yaml:5: devices.one.domain: found \"0\", expected a whole number, 1..230"));
  EXPECT_THAT(check.err,
              HasSubstr("bad.yaml:6: devices.two.system: found \"a*\", expected a name"));
  EXPECT_THAT(check.err, HasSubstr("bad.yaml:9: inputs.armature_voltage.node: found n, which is "
                                   "this node"));
  EXPECT_THAT(check.err, HasSubstr("bad.yaml:12: outputs.current.signal: found w a second time"));
}

}  // namespace
}  // namespace hild::test
