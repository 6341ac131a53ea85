// SPDX-License-Identifier: Apache-2.0
/// \file
/// A node that is no hild: the program of config/, made of the description of the topics alone, at
/// the other end of the device.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tests/drivers/dds_rig.hpp"

namespace hild::dds {
namespace {

using test::comes_true;
using test::DdsNode;

/// On the loopback, as its user would configure it; until the end of the test.
class PeerProgram {
 public:
  PeerProgram(const std::string& system, const char* node, const char* reads_node,
              const char* reads_signal)
      : pid_(::fork()) {
    if (pid_ != 0) return;
    ::setenv("CYCLONEDDS_URI",
             "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces>"
             "<AllowMulticast>false</AllowMulticast></General><Discovery>"
             "<ParticipantIndex>auto</ParticipantIndex>"
             "<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex>"
             "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>",
             1);
    ::execl(HILD_DDS_PEER, "dds_peer", test::own_domain_of(::getppid()).c_str(), system.c_str(),
            node, reads_node, reads_signal, nullptr);
    ::_exit(127);
  }
  ~PeerProgram() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] bool alive() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
  }
  PeerProgram(const PeerProgram&) = delete;
  PeerProgram& operator=(const PeerProgram&) = delete;

 private:
  pid_t pid_;
};

TEST(DdsPeer, ReadsAndSendsWhatTheDescriptionOfTheTopicsSays) {
  const std::string system = test::own_system();
  DdsNode plant(system, "plant");
  plant.output("current", {{"unit", "A"}});
  plant.output("speed", {{"unit", "rad/s"}});
  plant.input("desk", "voltage", {{"unit", "mV"}});
  ASSERT_NO_FATAL_FAILURE(plant.begin());
  const PeerProgram peer(system, "desk", "plant", "speed");
  ASSERT_TRUE(comes_true([&] { return plant.exchange({7, 90})[0] != 0 || !peer.alive(); }));
  ASSERT_TRUE(peer.alive());
  EXPECT_NEAR(plant.exchange({7, 90})[0], 1000, 1e-9);
  EXPECT_GE(plant.age().ns, 0);
  EXPECT_EQ(plant.count("unmatched"), 0);
  EXPECT_EQ(plant.count("wrong_run"), 0);
}

// The peer's run is the later one. The node goes on all the while, and never says its plan again.
TEST(DdsPeer, AnEarlierRunInItsNameIsHeardAgainOnceItHasEnded) {
  const std::string system = test::own_system();
  DdsNode plant(system, "plant");
  plant.output("speed", {{"unit", "rad/s"}});
  plant.input("desk", "voltage", {{"unit", "mV"}});
  DdsNode desk(system, "desk");
  desk.output("voltage", {{"unit", "V"}});
  ASSERT_NO_FATAL_FAILURE(desk.begin());
  ASSERT_NO_FATAL_FAILURE(plant.begin());
  const auto hears = [&](double voltage) {
    return comes_true([&] {
      desk.exchange({3});
      return plant.exchange({90})[0] == voltage;
    });
  };
  EXPECT_TRUE(hears(3000));
  {
    const PeerProgram peer(system, "desk", "plant", "speed");
    EXPECT_TRUE(hears(1000));
  }
  EXPECT_TRUE(hears(3000));
}

}  // namespace
}  // namespace hild::dds
