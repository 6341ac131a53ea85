// SPDX-License-Identifier: Apache-2.0
/// \file
/// A live run of thousands of channels of one device.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

constexpr int each_way = 2500;

/// What input i and output i hold, in a configuration and as a number.
std::string volts(int i) { return fmt::format("{}.{}", i % 9 + 1, i / 9 % 10); }

std::string many_channels(const std::string& image) {
  std::string text = fmt::format(
      "frame: {{period: 50 ms, priority: 0}}\n"
      "model: {{plugin: {}/many_channels.so}}\n"
      "devices: {{rig: {{driver: sim, image: {}}}}}\n"
      "integrator: {{method: rtam-2}}\n"
      "overrun: {{policy: double, then: continue}}\ninputs:\n",
      HILD_PLUGINS, image);
  for (int i = 0; i < each_way; ++i) {
    text += fmt::format(
        "  u{0:05}: {{device: rig, channel: {0}, resolution: 0, source: {{constant: {1} V}}}}\n", i,
        volts(i));
  }
  text += "outputs:\n";
  for (int i = 0; i < each_way; ++i) {
    text += fmt::format("  y{0:05}: {{device: rig, channel: {0}, resolution: 0, safe: hold}}\n", i);
  }
  return text;
}

TEST(ManyChannels, AreCheckedAndRunLive) {
  Folder folder;
  const std::string image = folder.image();
  const std::string file = folder.file("many.yaml", many_channels(image));
  const Ended checked = hild({"check", file});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, testing::HasSubstr("The plan fits."));
  const Ended ended = hild({"run", file, "--duration", "1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto held = voltages(image);
  ASSERT_TRUE(held);
  ASSERT_EQ(held->size(), static_cast<std::size_t>(each_way));
  for (int i = 0; i < each_way; ++i) {
    ASSERT_EQ((*held)[static_cast<std::size_t>(i)], std::stod(volts(i))) << i;
  }
}

// In pages that no other process has, KiB.
std::int64_t kept_by(const std::string& process) {
  std::istringstream lines(read_file("/proc/" + process + "/smaps_rollup"));
  for (std::string word; lines >> word;) {
    std::int64_t kib = 0;
    if (word == "Anonymous:" && lines >> kib) return kib;
  }
  return -1;
}

// The ring of records has 64 MiB here, and the guard, which locks what it has into memory, is made
// before it.
TEST(ManyChannels, HaveAGuardThatKeepsNothingOfTheirRecords) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer's own memory is larger";
#endif
  Folder folder;
  const std::string image = folder.image();
  const Program run({"run", folder.file("many.yaml", many_channels(image))});
  ASSERT_TRUE(leaves(image, 0)) << "no frame is put out";
  const std::string pid = std::to_string(run.pid());
  std::string guard = read_file("/proc/" + pid + "/task/" + pid + "/children");
  guard = guard.substr(0, guard.find(' '));
  ASSERT_FALSE(guard.empty());
  EXPECT_GT(kept_by(pid), 64 * 1024);
  EXPECT_LT(kept_by(guard), 40 * 1024);
}

}  // namespace
}  // namespace hild::test
