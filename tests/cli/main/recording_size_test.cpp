// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a frame of the demonstration takes on the disk, index and keyframes included.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <filesystem>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

constexpr int frames = 60'000;

struct RecordedSize {
  double bytes_a_frame = 0;
  std::int64_t keyframes = 0;
};

/// A minute of it on the virtual clock.
RecordedSize record(const std::vector<std::string>& settings) {
  Folder folder;
  const std::string log = folder.path("run.mcap");
  std::vector<std::string> arguments{"run",
                                     demo,
                                     "--offline",
                                     "--duration",
                                     "60",
                                     "--set",
                                     "devices.rig.image=" + folder.image(),
                                     "--set",
                                     "record.file=" + log};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  const Ended ended = hild(arguments);
  EXPECT_EQ(ended.code, 0) << ended.err;
  const boost::json::value said = boost::json::parse(hild({"log", log, "--json"}).out);
  EXPECT_EQ(said.at("frames"), frames);
  return {static_cast<double>(std::filesystem::file_size(log)) / frames,
          said.at("keyframes").as_int64()};
}

TEST(RecordingSize, IsAtMostAHundredBytesAFrame) {
  const RecordedSize usual = record({});
  EXPECT_EQ(usual.keyframes, 11) << "after each five thousand frames but the last";
  EXPECT_LE(usual.bytes_a_frame, 100);
  // How well frames are compressed depends on how busy the machine is: compared is what is not.
  const std::vector<std::string> plain{"--set", "record.compression=none"};
  const RecordedSize with = record(plain);
  const RecordedSize without = record({plain[0], plain[1], "--set", "record.keyframes=none"});
  EXPECT_EQ(without.keyframes, 0);
  // A keyframe of less than two kilobytes among five thousand frames.
  EXPECT_LT(with.bytes_a_frame - without.bytes_a_frame, 0.2);
}

}  // namespace
}  // namespace hild::test
