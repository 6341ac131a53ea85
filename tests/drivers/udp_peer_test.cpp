// SPDX-License-Identifier: Apache-2.0
/// \file
/// The peer that the documentation shows, as it stands in config/, at the other end of the device.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "drivers/udp_rig.hpp"

namespace hild::udp {
namespace {

using test::comes;
using test::UdpRig;

/// The text of the peer, which listens at a port of its own.
std::string peer_at(int port) {
  std::stringstream text;
  text << std::ifstream(HILD_SOURCE_DIR "/config/udp_peer.py").rdbuf();
  std::string program = text.str();
  const auto at = program.find("5001)");
  EXPECT_NE(at, program.npos);
  if (at != program.npos) program.replace(at, 4, std::to_string(port));
  return program;
}

/// A program of Python, until the end of the test.
class Python {
 public:
  explicit Python(const std::string& program) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::execlp("python3", "python3", "-c", program.c_str(), nullptr);
    ::_exit(127);
  }
  ~Python() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Python(const Python&) = delete;
  Python& operator=(const Python&) = delete;

 private:
  pid_t pid_;
};

TEST(UdpPeer, OfTheDocumentationControlsTheMotor) {
  if (std::system("python3 -c 'import socket' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  const int port = test::free_port();
  const Python peer(peer_at(port));
  // As in config/udp.yaml.
  const std::string address = "127.0.0.1:" + std::to_string(port);
  UdpRig rig({{"send", address},
              {"from", address},
              {"receive.length", "8"},
              {"receive.sequence.at", "0"},
              {"receive.sequence.type", "u32"},
              {"transmit.length", "20"},
              {"transmit.sequence.at", "0"},
              {"transmit.sequence.type", "u32"},
              {"transmit.time.at", "4"},
              {"transmit.time.type", "f64"}});
  rig.input({{"at", "4"}, {"type", "f32"}, {"unit", "V"}, {"range", "0 V..24 V"}});
  rig.output({{"at", "12"}, {"type", "f32"}, {"unit", "rad/s"}});
  rig.output({{"at", "16"}, {"type", "f32"}, {"unit", "A"}});
  rig.open();
  // The run has not started, so that its time is 0 and nothing is integrated: 0.05 V of each rad/s
  // that is missing to 100.
  ASSERT_TRUE(comes([&] { return rig.exchange({0, 0})[0] == 5; }));
  ASSERT_TRUE(comes([&] { return rig.exchange({60, 0})[0] == 2; }));
  ASSERT_TRUE(comes([&] { return rig.exchange({200, 0})[0] == 0; }));
  EXPECT_EQ(rig.count("wrong_length"), 0);
  EXPECT_EQ(rig.count("wrong_sender"), 0);
  EXPECT_GE(rig.count("received"), 3);
}

}  // namespace
}  // namespace hild::udp
