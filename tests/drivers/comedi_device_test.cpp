// SPDX-License-Identifier: Apache-2.0
// What can be told of the driver without a card.
#include <gtest/gtest.h>

#include "hild/io/device.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::comedi {
namespace {

using test::FakeOptions;

class ComediDevice : public ::testing::Test {
 protected:
  static std::unique_ptr<io::Device> make(FakeOptions::Texts texts) {
    FakeOptions options(std::move(texts));
    auto device = io::find_driver("comedi")->make("daq", options);
    EXPECT_EQ(options.unknown(), std::set<std::string>{});
    return device;
  }
  Error opening(FakeOptions::Texts texts) {
    const auto opened = make(std::move(texts))->open(clock_);
    EXPECT_FALSE(opened);
    return opened ? Error{} : opened.error();
  }
  rt::VirtualClock clock_;
};

bool error_says(const Error& error, std::string_view words) {
  return error.message.find(words) != std::string::npos;
}

TEST_F(ComediDevice, AMissingCardIsADeviceFailureWithItsRemedy) {
  const Error error = opening({{"path", "/dev/hild-no-such-card"}});
  EXPECT_EQ(error.code, ExitCode::device_failed);
  EXPECT_TRUE(error_says(error, "/dev/hild-no-such-card: No such file or directory"))
      << error.message;
  EXPECT_TRUE(error_says(error, "modprobe comedi")) << error.message;
}

TEST_F(ComediDevice, AFileThatIsNoCardIsNamedAsSuch) {
  const Error error = opening({{"path", "/dev/null"}, {"calibration", "none"}});
  EXPECT_EQ(error.code, ExitCode::device_failed);
  EXPECT_TRUE(error_says(error, "this is no Comedi device")) << error.message;
}

TEST_F(ComediDevice, AChannelIsDescribedAsAskedFor) {
  const auto device = make({});
  FakeOptions entry{{"subdevice", "0"}, {"channel", "3"}, {"range", "-5 V..5 V"}, {"aref", "diff"}};
  const auto channel = device->add(io::Direction::input, entry);
  ASSERT_TRUE(channel);
  EXPECT_EQ(entry.unknown(), std::set<std::string>{});
  EXPECT_EQ(channel->where.view(), "subdevice 0 channel 3");
  EXPECT_EQ(channel->range.high, 5);
  EXPECT_FALSE(channel->digital);
}

TEST_F(ComediDevice, AChannelServesOneSignal) {
  const auto device = make({});
  FakeOptions line{{"subdevice", "2"}, {"channel", "3"}, {"digital", "true"}};
  EXPECT_TRUE(device->add(io::Direction::input, line));
  const auto again = device->add(io::Direction::output, line);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "subdevice 2 channel 3 is already used by another signal");
  FakeOptions other{{"subdevice", "3"}, {"channel", "3"}, {"digital", "true"}};
  EXPECT_TRUE(device->add(io::Direction::output, other));
}

// Inputs of one conversion time are an image group, and so are those that say nothing.
TEST_F(ComediDevice, InputsThatSayWhenTheyAreTakenAreGroups) {
  const auto device = make({});
  const auto group = [&](const char* channel, const char* conversion) {
    FakeOptions::Texts keys{{"subdevice", "0"}, {"channel", channel}};
    if (conversion != nullptr) keys["conversion"] = conversion;
    FakeOptions line(keys);
    return device->add(io::Direction::input, line).value().group;
  };
  EXPECT_EQ(group("0", nullptr), 0U);
  EXPECT_EQ(group("1", "12 us"), 1U);
  EXPECT_EQ(group("2", nullptr), 0U);
  EXPECT_EQ(group("3", "24 us"), 2U);
  EXPECT_EQ(group("4", "12 us"), 1U);
  EXPECT_EQ(device->groups(), 3U);
}

TEST_F(ComediDevice, IsNotExchangedWithBeforeItIsOpen) {
  const auto device = make({});
  EXPECT_FALSE(device->exchange({}, {}, {}));
  EXPECT_FALSE(device->read_back({}));
}

}  // namespace
}  // namespace hild::comedi
