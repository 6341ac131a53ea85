// SPDX-License-Identifier: Apache-2.0
/// \file
/// The example of the driver udp, through the program: offline, beside nobody, and killed; and what
/// is said of mistakes.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>

#include <boost/json.hpp>
#include <csignal>
#include <cstring>

#include "cli/main/program.hpp"
#include "hild/core/descriptor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

const std::string udp_example = HILD_SOURCE_DIR "/config/udp.yaml";

/// A socket at 127.0.0.1, at any port that is free.
class Wire {
 public:
  Wire() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in mine{};
    mine.sin_family = AF_INET;
    mine.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof mine;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&mine), size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&mine), &size), 0);
    address = fmt::format("127.0.0.1:{}", ntohs(mine.sin_port));
  }

  /// A packet of the example: the number, the speed and the current.
  struct Packet {
    std::uint32_t number = 0;
    float speed = 0;
    float current = 0;
  };
  /// The next one; nothing where none comes for so long.
  [[nodiscard]] std::optional<Packet> next(int milliseconds = 60'000) const {
    pollfd there{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&there, 1, milliseconds) != 1) return {};
    std::array<std::byte, 64> bytes{};
    if (::recv(socket_.get(), bytes.data(), bytes.size(), 0) != 20) return {};
    Packet packet;
    std::memcpy(&packet.number, bytes.data(), 4);
    std::memcpy(&packet.speed, bytes.data() + 12, 4);
    std::memcpy(&packet.current, bytes.data() + 16, 4);
    return packet;
  }

  std::string address;

 private:
  Descriptor socket_;
};

std::string free_address() { return Wire().address; }

/// With ports, and a control socket, of its own.
struct UdpExample {
  [[nodiscard]] std::vector<std::string> with(std::vector<std::string> arguments) const {
    for (const std::string& setting :
         {"devices.controller.listen=" + listen, "devices.controller.send=" + wire.address,
          "devices.controller.from=" + wire.address, "control.socket=" + folder.path("socket"),
          std::string("frame.priority=0")}) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    return arguments;
  }

  Folder folder;
  Wire wire;
  std::string listen = free_address();
};

TEST(Udp, OfflineNothingIsSent) {
  const UdpExample at;
  const std::string report = at.folder.path("report.json");
  const Ended run =
      hild(at.with({"run", udp_example, "--offline", "--duration", "0.1", "--report", report}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(json::parse(read_file(report)).at_pointer("/devices/controller/sent"), 0);
  EXPECT_FALSE(at.wire.next(0));
}

// The peer is silent, so that the input is lost from the beginning, and 0 V stand in for it: the
// load alone turns the motor, backwards. A run whose peer is silent does not stand still.
TEST(Udp, ALiveRunSendsAndTellsWhatItCounted) {
  const UdpExample at;
  const std::string report = at.folder.path("report.json");
  const Ended run =
      hild(at.with({"run", udp_example, "--arm", "--duration", "0.5", "--report", report}));
  ASSERT_EQ(run.code, 0) << run.err;
  const json::value told = json::parse(read_file(report));
  EXPECT_EQ(told.at("lost_inputs"), 1);
  EXPECT_EQ(told.at_pointer("/devices/controller/received"), 0);
  EXPECT_GT(told.at_pointer("/devices/controller/sent").as_int64(), 10);
  EXPECT_THAT(run.out, HasSubstr("controller: sent"));
}

TEST(Udp, TheGuardSendsTheSafeValuesWithTheNextNumber) {
  const UdpExample at;
  // So slow that nothing is dropped while this process waits for a CPU.
  Program program(at.with({"run", udp_example, "--arm", "--set", "frame.period=20 ms"}));
  std::optional<Wire::Packet> last;
  do {
    last = at.wire.next();
    ASSERT_TRUE(last);
  } while (last->speed == 0);
  program.signal(SIGKILL);
  std::optional<Wire::Packet> safe;
  do {
    safe = at.wire.next();
    ASSERT_TRUE(safe) << "no safe values came";
    EXPECT_EQ(safe->number, last->number + 1);
    last = safe;
  } while (safe->speed != 0);
  EXPECT_EQ(safe->current, 0);
  static_cast<void>(program.wait());
}

TEST(Udp, MistakesAreToldWithTheirPlace) {
  const Folder folder;
  const std::string file =
      folder.file("bad.yaml",
                  "frame: {period: 1 ms, priority: 0}\n"
                  "model: {type: dc-motor}\n"
                  "integrator: {method: rtam-2}\n"
                  "devices:\n"
                  "  one: {driver: udp, listen: robot:5000}\n"
                  "  two: {driver: udp, send: 127.0.0.1:5001, transmit: {length: 8}}\n"
                  "outputs:\n"
                  "  shaft_speed: {device: two, at: 0, type: f32, unit: rad/s, safe: 0 rad/s}\n"
                  "  current: {device: two, at: 2, type: f32, unit: A, safe: 0 A}\n");
  const Ended check = hild({"check", file});
  EXPECT_EQ(check.code, 1);
  EXPECT_THAT(check.err, HasSubstr("bad.yaml:5: devices.one.listen: found \"robot:5000\", expected "
                                   "an address and a port"));
  EXPECT_THAT(check.err, HasSubstr("bad.yaml:9: outputs.current: found bytes 2..5 (f32), which "
                                   "overlaps bytes 0..3 (f32)"));
}

TEST(Udp, APortThatIsTakenEndsTheRunBeforeItBegins) {
  UdpExample at;
  at.listen = at.wire.address;
  const Ended run = hild(at.with({"run", udp_example, "--duration", "0.1"}));
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_THAT(run.err, HasSubstr("device controller: cannot listen at " + at.listen +
                                 ": it is in use; `ss -ulpn"));
}

TEST(Udp, WhatWasSentBeforeIsNotKnownToAnotherProgram) {
  const UdpExample at;
  const Ended io = hild(at.with({"io", udp_example}));
  EXPECT_EQ(io.code, 0) << io.err;
  EXPECT_THAT(io.out, testing::ContainsRegex("shaft_speed +not known on controller bytes"));
  EXPECT_FALSE(at.wire.next(0));
}

}  // namespace
}  // namespace hild::test
