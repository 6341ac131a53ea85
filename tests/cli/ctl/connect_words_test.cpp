// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whoever finds no daemon is told of those that services run.
#include "cli/ctl/connect_words.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hild::ctl {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class DaemonsElsewhere : public ::testing::Test {
 protected:
  DaemonsElsewhere() { fs::create_directories(run_); }
  ~DaemonsElsewhere() override { fs::remove_all(run_); }
  std::string socket(const std::string& service) {
    fs::create_directories(run_ / service);
    const fs::path path = run_ / service / "control.sock";
    const std::ofstream created{path};
    return path;
  }
  fs::path run_ = fs::path(testing::TempDir()) / ("daemons." + std::to_string(::getpid()));
};

TEST_F(DaemonsElsewhere, AreNamedWithTheirSockets) {
  const std::string demo = socket("demo");
  const std::string rig = socket("rig1");
  const std::string words = daemons_elsewhere("/nowhere/control.sock", run_);
  EXPECT_THAT(words, HasSubstr("`--socket " + demo + "`"));
  EXPECT_THAT(words, HasSubstr("`--socket " + rig + "`"));
}

TEST_F(DaemonsElsewhere, AreNotTheOneThatWasAsked) {
  const std::string demo = socket("demo");
  EXPECT_EQ(daemons_elsewhere(demo, run_), "");
  EXPECT_EQ(daemons_elsewhere("/nowhere/control.sock", run_ / "nowhere"), "");
}

// Of a folder that this user may not enter only the name is known. Root may enter any, so that a
// child that is nobody looks.
TEST_F(DaemonsElsewhere, OfAServiceThatIsClosedToThisUserTellTheGroupToJoin) {
  const std::string demo = socket("demo");
  fs::permissions(run_ / "demo", fs::perms::none);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    const std::string words = daemons_elsewhere("/nowhere/control.sock", run_);
    const bool told = words.find("the service demo") != std::string::npos &&
                      words.find("usermod -aG hild") != std::string::npos &&
                      words.find("--socket") == std::string::npos;
    _exit(told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  fs::permissions(run_ / "demo", fs::perms::owner_all);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace hild::ctl
