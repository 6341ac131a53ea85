// SPDX-License-Identifier: Apache-2.0
/// \file
/// Nothing is shared by accident: whose the lines of simulated devices are, between runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <deque>
#include <filesystem>

#include "cli/main/driving.hpp"
#include "drivers/sim_owner.hpp"

namespace hild::test {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Shared, ASecondRunIsToldWhichProcessAndConfigurationHaveTheLines) {
  Driving driving;
  const auto refused = [&](std::vector<std::string> arguments) {
    const Ended ended = hild(std::move(arguments));
    EXPECT_EQ(ended.code, 4);
    EXPECT_THAT(ended.err,
                AllOf(HasSubstr("device rig: D/A image /dev/shm/" + driving.motor.rig),
                      HasSubstr("process " + std::to_string(driving.program->pid()) + " of user "),
                      HasSubstr("with the configuration " +
                                std::filesystem::canonical(driving.motor.file).string()),
                      HasSubstr("`image: NAME`")));
  };
  // The same configuration, and another that names the same image.
  refused({"run", driving.motor.file, "--duration", "10"});
  Motor other;
  refused(
      {"run", other.file, "--duration", "10", "--set", "devices.rig.image=" + driving.motor.rig});
  refused({"safe", driving.motor.file});
  refused({"io", driving.motor.file, "--write", "shaft_speed=1"});
  refused({"io", driving.motor.file, "--wiggle", "shaft_speed"});
  EXPECT_FALSE(voltages(other.rig).has_value());

  driving.program->signal(SIGTERM);
  EXPECT_EQ(driving.program->wait().code, 0);
  EXPECT_THAT(driving.motor.held(),
              ElementsAre(DoubleNear(safe_speed, one_step), DoubleNear(safe_current, one_step)));
  EXPECT_EQ(hild({"safe", driving.motor.file}).code, 0) << "the lines are free again";
}

TEST(Shared, LinesMayBeLookedAtBesideARun) {
  Driving driving;
  const Ended looked = hild({"io", driving.motor.file});
  EXPECT_EQ(looked.code, 0) << looked.err;
  EXPECT_THAT(looked.out, HasSubstr("shaft_speed"));
  const Ended checked = hild({"check", driving.motor.file});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, Not(HasSubstr("device calls are not measured")));
  driving.program->signal(SIGTERM);
  EXPECT_EQ(driving.program->wait().code, 0) << "nobody disturbed it";
}

TEST(Shared, AKilledRunIsNobodysOnceItsGuardIsDone) {
  Driving driving;
  driving.program->signal(SIGKILL);
  static_cast<void>(driving.program->wait());
  EXPECT_EQ(hild({"safe", driving.motor.file, "--wait", "30"}).code, 0);
}

TEST(Shared, OfflineRunsHaveLinesOfTheirOwn) {
  Driving driving;
  // Many beside the one that is live, with images of the same names.
  std::deque<Program> many;
  for (int i = 0; i < 4; ++i) {
    many.emplace_back(
        std::vector<std::string>{"run", driving.motor.file, "--offline", "--duration", "20"});
  }
  for (Program& one : many) {
    const Ended ended = one.wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  driving.program->signal(SIGTERM);
  EXPECT_EQ(driving.program->wait().code, 0);

  ASSERT_EQ(hild({"io", driving.motor.file, "--write", "shaft_speed=77"}).code, 0);
  const auto before = driving.motor.held();
  EXPECT_EQ(hild({"run", driving.motor.file, "--offline", "--duration", "1"}).code, 0);
  EXPECT_EQ(driving.motor.held(), before);

  const Motor untouched;
  EXPECT_EQ(hild({"run", untouched.file, "--offline", "--duration", "1"}).code, 0);
  EXPECT_FALSE(voltages(untouched.rig).has_value());
}

/// What a configuration is without `image`.
std::string without_image(const Motor& motor) {
  std::string text = motor.text();
  for (const std::string& image : {motor.rig, motor.meter}) {
    const std::string key = ", image: " + image;
    text.erase(text.find(key), key.size());
  }
  return text;
}

TEST(Shared, ConfigurationsWithDevicesOfOneNameDoNotMeet) {
  const Motor motor;
  const std::string first = motor.folder.file("first.yaml", without_image(motor));
  const std::string second = motor.folder.file("second.yaml", without_image(motor));
  const auto image = [](const std::string& file, const char* device) {
    return std::string(sim::usual_image(device, file).view());
  };
  ASSERT_EQ(hild({"io", first, "--write", "shaft_speed=20"}).code, 0);
  ASSERT_EQ(hild({"safe", second}).code, 0);
  EXPECT_NEAR(voltages(image(first, "rig")).value().at(0), 1, one_step);
  EXPECT_NEAR(voltages(image(second, "rig")).value().at(0), safe_speed, one_step);
  // And live at once.
  const double before = voltages(image(second, "rig")).value().at(0);
  ASSERT_EQ(hild({"safe", first}).code, 0);
  Program a({"run", first});
  Program b({"run", second});
  EXPECT_TRUE(leaves(image(first, "rig"), before));
  EXPECT_TRUE(leaves(image(second, "rig"), before));
  for (Program* program : {&a, &b}) {
    program->signal(SIGTERM);
    EXPECT_EQ(program->wait().code, 0);
  }
  for (const std::string& file : {first, second}) {
    for (const char* device : {"rig", "meter"}) {
      ::shm_unlink(("/" + image(file, device)).c_str());
    }
  }
}

}  // namespace
}  // namespace hild::test
