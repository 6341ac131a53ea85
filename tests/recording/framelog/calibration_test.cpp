// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/calibration.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace hild::framelog {
namespace {

namespace fs = std::filesystem;

TEST(Calibration, IsKeptWithTheDateOfItsFile) {
  const fs::path file =
      fs::temp_directory_path() / ("hild-calibration-" + std::to_string(::getpid()));
  std::ofstream(file) << "{ driver_name => \"ni_pcimio\" }\n";
  // 2026-03-01 12:00:00.5 UTC
  const std::array times{timespec{1'772'366'400, 0}, timespec{1'772'366'400, 500'000'000}};
  ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times.data(), 0), 0);
  const auto kept = calibration_of("daq", file, 7);
  fs::remove(file);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->name, "calibration/daq");
  EXPECT_EQ(kept->data, "{ driver_name => \"ni_pcimio\" }\n");
  EXPECT_EQ(kept->create_time, 1'772'366'400'500'000'000U);
  EXPECT_EQ(kept->log_time, 7U);
  EXPECT_EQ(calibrated_device(*kept), "daq");
}

TEST(Calibration, OneThatIsGoneIsNamed) {
  const auto kept = calibration_of("daq", "/nowhere/cal", 0);
  ASSERT_FALSE(kept);
  EXPECT_THAT(kept.error().message, ::testing::HasSubstr("device daq"));
  EXPECT_THAT(kept.error().message, ::testing::HasSubstr("/nowhere/cal"));
}

TEST(Calibration, OtherAttachmentsTellOfNoDevice) {
  EXPECT_EQ(calibrated_device({0, 0, "machine.json", "application/json", ""}), "");
}

}  // namespace
}  // namespace hild::framelog
