// SPDX-License-Identifier: Apache-2.0
/// \file
/// The gateway's process, as the kernel shows it: what it has, what it may, and what it takes from
/// where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/drivers/dds_rig.hpp"

namespace hild::dds {
namespace {

namespace fs = std::filesystem;
using test::DdsNode;
using test::own_system;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

/// The lines of /proc/PID/status of each thread that begin so.
std::set<std::string> lines_of_threads(pid_t process, const std::string& key) {
  std::set<std::string> found;
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    std::ifstream status(thread.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(key + ":")) found.insert(line.substr(key.size() + 1));
    }
  }
  return found;
}

TEST(DdsGateway, HasNoRightsNoFilesAndFewSystemCallsLeft) {
  DdsNode node(own_system(), "plant");
  node.output("speed");
  ASSERT_NO_FATAL_FAILURE(node.begin());
  const pid_t gateway = node.gateway();
  EXPECT_EQ(lines_of_threads(gateway, "NoNewPrivs"), (std::set<std::string>{"\t1"}));
  EXPECT_EQ(lines_of_threads(gateway, "Seccomp"), (std::set<std::string>{"\t2"}));
  EXPECT_EQ(lines_of_threads(gateway, "CapEff"), (std::set<std::string>{"\t0000000000000000"}));
  for (const auto& open : fs::directory_iterator("/proc/" + std::to_string(gateway) + "/fd")) {
    const int number = std::stoi(open.path().filename());
    if (number <= STDERR_FILENO) continue;
    EXPECT_THAT(fs::read_symlink(open.path()).string(),
                AnyOf(StartsWith("socket:"), StartsWith("pipe:")));
  }
}

// Also where hild may give it the priority, but not the limit by which it could take it.
TEST(DdsGateway, HasThePriorityOfItsDevice) {
  const sched_param low{.sched_priority = 1};
  if (::sched_setscheduler(0, SCHED_FIFO, &low) != 0) GTEST_SKIP() << "no right to SCHED_FIFO";
  const sched_param ordinary{.sched_priority = 0};
  ::sched_setscheduler(0, SCHED_OTHER, &ordinary);
  DdsNode node(own_system(), "plant", {{"priority", "2"}});
  node.output("speed");
  ASSERT_NO_FATAL_FAILURE(node.begin());
  const fs::path threads = "/proc/" + std::to_string(node.gateway()) + "/task";
  for (const auto& thread : fs::directory_iterator(threads)) {
    const int id = std::stoi(thread.path().filename());
    sched_param has{};
    EXPECT_EQ(::sched_getscheduler(id), SCHED_FIFO) << "thread " << id;
    EXPECT_EQ(::sched_getparam(id, &has), 0);
    EXPECT_EQ(has.sched_priority, 2) << "thread " << id;
  }
}

TEST(DdsGateway, TakesNothingFromTheEnvironment) {
  const fs::path trace = fs::temp_directory_path() / own_system();
  const std::string uri =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"none0\"/></Interfaces>"
      "</General><Tracing><Verbosity>finest</Verbosity><OutputFile>" +
      trace.string() + "</OutputFile></Tracing></Domain></CycloneDDS>";
  ::setenv("CYCLONEDDS_URI", uri.c_str(), 1);
  {
    DdsNode node(own_system(), "plant");
    node.output("speed");
    node.begin();  // at an interface that is there
  }
  ::unsetenv("CYCLONEDDS_URI");
  EXPECT_FALSE(fs::exists(trace));
}

TEST(DdsGateway, StartedByHandSaysWhatItIs) {
  const auto program = confined::find_program("hild-dds", "which is tried");
  ASSERT_TRUE(program) << program.error().message;
  const std::string command = program->path + " 2>&1 3<&-";
  FILE* const said = ::popen(command.c_str(), "r");
  ASSERT_NE(said, nullptr);
  std::array<char, 256> words{};
  EXPECT_NE(std::fgets(words.data(), words.size(), said), nullptr);
  EXPECT_EQ(WEXITSTATUS(::pclose(said)), 1);
  EXPECT_THAT(words.data(), HasSubstr("hild starts it"));
}

}  // namespace
}  // namespace hild::dds
