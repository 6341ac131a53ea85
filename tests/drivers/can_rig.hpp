// SPDX-License-Identifier: Apache-2.0
/// \file
/// A device of CAN whose socket is one end of a pair: what a test writes to the other end is as a
/// frame that arrives, and what the device sends can be read there.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "drivers/can_device.hpp"
#include "hild/core/descriptor.hpp"
#include "tests/drivers/count_of.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::test {

/// A DBC file for these tests. Lengths, factors and starts are chosen so that raw values can be
/// written down.
inline constexpr const char* can_file = R"(VERSION ""
BU_: Plant Controller
BO_ 256 Status: 4 Plant
 SG_ Speed : 0|16@1- (0.5,0) [0|0] "rpm" Controller
 SG_ Gear : 16|4@1+ (1,0) [0|0] "" Controller
 SG_ Ready : 20|1@1+ (1,0) [0|0] "" Controller
BO_ 2147484160 Temperature: 2 Plant
 SG_ Oil : 7|16@0+ (0.1,-40) [0|0] "degC" Controller
BO_ 512 Command: 4 Controller
 SG_ Torque : 0|16@1- (0.01,0) [0|0] "N m" Plant
 SG_ Mode : 16|2@1+ (1,0) [0|0] "" Plant
BO_ 513 Checked: 4 Controller
 SG_ First : 0|8@1+ (1,0) [0|0] "" Plant
 SG_ Alive : 8|4@1+ (1,0) [0|0] "" Plant
 SG_ Third : 16|8@1+ (1,0) [0|0] "" Plant
 SG_ Checksum : 24|8@1+ (1,0) [0|0] "" Plant
BO_ 514 Wide: 12 Plant
 SG_ Long : 64|32@1+ (1,0) [0|0] "" Controller
BO_ 515 Mixed: 2 Plant
 SG_ Which M : 0|8@1+ (1,0) [0|0] "" Controller
 SG_ Left m0 : 8|8@1+ (1,0) [0|0] "" Controller
 SG_ Right m1 : 8|8@1+ (1,0) [0|0] "" Controller
BO_ 2566844437 Engine: 8 Plant
 SG_ Rpm : 24|16@1+ (0.125,0) [0|0] "rpm" Controller
BO_ 2566844693 Long: 12 Plant
BO_ 516 Steering: 2 Plant
 SG_ Angle : 0|16@1- (0.1,0) [0|0] "Schritte" Controller
BO_ 2566844949 Left: 1 Plant
 SG_ Load : 0|8@1+ (1,0) [0|0] "" Controller
BO_ 2566844950 Right: 1 Plant
 SG_ Load : 0|8@1+ (1,0) [0|0] "" Controller
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "VFrameFormat" "StandardCAN";
BA_ "VFrameFormat" BO_ 2566844437 3;
BA_ "VFrameFormat" BO_ 2566844693 3;
BA_ "VFrameFormat" BO_ 2566844949 3;
BA_ "VFrameFormat" BO_ 2566844950 3;
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ SG_ "GenSigStartValue" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_DEF_DEF_ "GenSigStartValue" 0;
BA_ "GenMsgCycleTime" BO_ 512 10;
BA_ "GenSigStartValue" SG_ 512 Mode 2;
BA_ "GenSigStartValue" SG_ 256 Speed 20;
VAL_ 256 Gear 0 "neutral" 1 "drive" ;
)";

class CanRig {
 public:
  using Texts = FakeOptions::Texts;

  explicit CanRig(Texts keys = {}, can::OpenSocket open_it = open_pair) {
    std::ofstream(file_) << can_file;
    keys.try_emplace("interface", "vcan7");
    keys.try_emplace("dbc", file_);
    FakeOptions options(std::move(keys));
    device_.emplace(options, open_it, has_no_controller);
    EXPECT_EQ(options.unknown(), std::set<std::string>{});
  }
  CanRig(const CanRig&) = delete;
  CanRig& operator=(const CanRig&) = delete;
  ~CanRig() {
    device_->stop();
    std::remove(file_.c_str());
  }

  Result<io::Channel> add(io::Direction direction, Texts keys) {
    FakeOptions entry(std::move(keys));
    auto channel = device_->add(direction, entry);
    EXPECT_EQ(entry.unknown(), std::set<std::string>{});
    if (channel && direction == io::Direction::input) ++inputs_;
    return channel;
  }
  io::Channel input(const std::string& signal, Texts keys = {}) {
    keys["signal"] = signal;
    return add(io::Direction::input, std::move(keys)).value();
  }
  io::Channel trigger(const std::string& message) {
    return add(io::Direction::output, {{"trigger", message}}).value();
  }
  io::Channel output(const std::string& signal, Texts keys = {}) {
    keys["signal"] = signal;
    return add(io::Direction::output, std::move(keys)).value();
  }
  void open() {
    const auto opened = device_->open(*clock_);
    ASSERT_TRUE(opened) << opened.error().message;
  }
  void start() { device_->start(clock_->now()); }

  /// A frame arrives.
  void arrives(canid_t id, std::vector<std::uint8_t> bytes, bool fd = false) const {
    canfd_frame frame{};
    frame.can_id = id;
    frame.len = static_cast<std::uint8_t>(bytes.size());
    std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof frame.data), frame.data);
    const std::size_t size = fd ? CANFD_MTU : CAN_MTU;
    EXPECT_EQ(::send(other_end(), &frame, size, 0), static_cast<ssize_t>(size));
  }
  struct Sent {
    canid_t id = 0;
    std::vector<std::uint8_t> bytes{};
    bool operator==(const Sent&) const = default;
  };
  /// All that the device has sent since.
  [[nodiscard]] std::vector<Sent> sent() const {
    std::vector<Sent> all;
    canfd_frame frame{};
    while (::recv(other_end(), &frame, sizeof frame, MSG_DONTWAIT) > 0) {
      all.push_back({frame.can_id, {frame.data, frame.data + frame.len}});
    }
    return all;
  }

  std::vector<double> read() {
    std::vector<double> values(inputs_);
    sampled_.assign(device_->groups(), clock_->now());
    EXPECT_TRUE(device_->exchange({}, values, sampled_));
    return values;
  }
  [[nodiscard]] bool write(const std::vector<double>& outputs) {
    return device_->exchange(outputs, {}, {});
  }

  [[nodiscard]] std::int64_t count(std::string_view name) const { return count_of(*device_, name); }
  /// Whether its interface is one of the kernel alone.
  static bool& is_virtual() {
    static bool one = false;
    return one;
  }

  [[nodiscard]] can::CanDevice& device() { return *device_; }
  [[nodiscard]] rt::Clock& clock() { return *clock_; }
  [[nodiscard]] const std::vector<MonoTime>& sampled() const { return sampled_; }
  /// The bus is gone.
  static void unplug() { (void)ends().close(); }

  /// What the kernel was to pass on.
  static std::vector<can_filter>& filters() {
    static std::vector<can_filter> wanted;
    return wanted;
  }
  static Result<Descriptor> open_pair(const can::Link& /*link*/,
                                      std::span<const can_filter> wanted) {
    filters().assign(wanted.begin(), wanted.end());
    int made[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, made), 0);
    const int on = 1;
    EXPECT_EQ(::setsockopt(made[0], SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on), 0);
    ends() = Descriptor(made[1]);
    return Descriptor(made[0]);
  }
  static Descriptor& ends() {
    static Descriptor other;
    return other;
  }

 private:
  static bool has_no_controller(const can::Link& /*link*/) { return is_virtual(); }
  [[nodiscard]] static int other_end() { return ends().get(); }

  std::string file_ = testing::TempDir() + "hild-can-" + std::to_string(::getpid()) + ".dbc";
  std::unique_ptr<rt::Clock> clock_ = *rt::make_clock(rt::ClockKind::sleep, {});
  std::optional<can::CanDevice> device_;
  std::size_t inputs_ = 0;
  std::vector<MonoTime> sampled_;
};

}  // namespace hild::test
