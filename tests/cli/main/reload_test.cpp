// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a service is told by SIGHUP: to end safely and begin again, in the same process, with its
/// configuration as it is now; and the check that comes before it.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <csignal>
#include <fstream>

#include "cli/main/manager.hpp"
#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Reload, BeginsAnewWithTheConfigurationAsItIsNow) {
  const Motor motor;
  const std::string report = motor.folder.path("report.json");
  const Manager manager(motor.folder.path("notify"));
  Program run({"run", motor.file, "--report", report},
              {.notify_socket = motor.folder.path("notify")});
  ASSERT_NE(manager.await("READY=1"), "");
  std::string changed = motor.text();
  changed.replace(changed.find("safe: 3 V"), 9, "safe: 4 V");
  static_cast<void>(motor.folder.file("motor.yaml", changed));

  run.signal(SIGHUP);
  ASSERT_NE(manager.await("RELOADING=1"), "");
  EXPECT_THAT(manager.await("=1"), HasSubstr("READY=1")) << "not STOPPING=1";
  EXPECT_EQ(boost::json::parse(read_file(report)).at_pointer("/outcome/outputs_safe"), true)
      << "of the run before";
  EXPECT_EQ(::kill(run.pid(), 0), 0) << "it is the same process";

  run.signal(SIGTERM);
  const Ended ended = run.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(manager.await("STOPPING=1"), "");
  EXPECT_THAT(motor.held(),
              ElementsAre(DoubleNear(4, one_step), DoubleNear(safe_current, one_step)));
}

TEST(Reload, IsPrecededByACheckThatDisturbsNoRun) {
  const Motor motor;
  const std::string meter = "devices.meter={driver: comedi, path: /dev/nothing}";
  const std::string current =
      "outputs.current={device: meter, subdevice: 1, channel: 1, range: '-10 V..10 V', "
      "scale: 2 A/V, safe: 0 V}";
  const Ended ended =
      hild({"check", motor.file, "--no-measure", "--json", "--set", meter, "--set", current});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto plan = boost::json::parse(ended.out);
  EXPECT_EQ(plan.at("feasible"), true);
  EXPECT_FALSE(plan.as_object().contains("measured"));
  EXPECT_THAT(ended.out + ended.err, Not(HasSubstr("/dev/nothing: "))) << "nobody looked for it";
  EXPECT_FALSE(voltages(motor.rig).has_value()) << "nor was this one opened";
}

TEST(Reload, IsPrecededByACheckThatTrustsNoMoreThanAService) {
  const Motor motor;
  EXPECT_EQ(hild({"check", motor.file, "--no-measure", "--service"}).code, 0);
  ASSERT_EQ(::chmod(motor.file.c_str(), 0666), 0);
  EXPECT_EQ(hild({"check", motor.file, "--no-measure"}).code, 0);
  const Ended ended = hild({"check", motor.file, "--no-measure", "--service"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err,
              testing::AllOf(HasSubstr(motor.file), HasSubstr("may be written by anybody")));
}

// While it starts, which it does from a pipe here: it waits until the test writes there.
TEST(Reload, AskedOfARunThatIsYetToBeginEndsNothing) {
  const Motor motor;
  const std::string pipe = motor.folder.path("pipe.yaml");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Program run({"run", pipe}, {.notify_socket = motor.folder.path("nobody-listens")});
  std::ofstream configuration(pipe);  // opens once hild has
  run.signal(SIGHUP);
  configuration << motor.text() << std::flush;
  configuration.close();
  const Ended ended = run.wait();
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("is not a file")) << "what a service thinks of pipes";
}

}  // namespace
}  // namespace hild::test
