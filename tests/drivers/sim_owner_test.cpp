// SPDX-License-Identifier: Apache-2.0
/// \file
/// One process drives an image: a second one is told whose it is.
#include "drivers/sim_owner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "drivers/sim_image.hpp"
#include "drivers/sim_rig.hpp"

namespace hild::sim {
namespace {

using test::SimRig;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A process that does what it is told to, until it is told that the test is over.
class Other {
 public:
  template <class Does>
  explicit Other(Does does) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    EXPECT_EQ(::pipe(over_), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(over_[1]);
      does([&] {
        [[maybe_unused]] const auto told = ::write(ready[1], "r", 1);
        char end = 0;
        [[maybe_unused]] const auto waited = ::read(over_[0], &end, 1);
      });
      ::_exit(0);
    }
    ::close(ready[1]);
    ::close(over_[0]);
    char told = 0;
    EXPECT_EQ(::read(ready[0], &told, 1), 1) << "it did not come up";
    ::close(ready[0]);
  }
  ~Other() { end(); }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  void end() {
    if (pid_ < 0) return;
    ::close(over_[1]);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  void kill() {
    ::kill(pid_, SIGKILL);
    end();
  }
  [[nodiscard]] int pid() const { return pid_; }

 private:
  int pid_ = -1;
  int over_[2] = {-1, -1};
};

class SimOwner : public testing::Test {
 protected:
  ~SimOwner() override { ::shm_unlink(("/" + name_).c_str()); }

  [[nodiscard]] std::string refusal() const {
    SimImage image;
    const auto opened = image.open(name_, "mine.yaml", 2);
    if (opened) return "";
    EXPECT_EQ(opened.error().code, ExitCode::device_failed);
    return opened.error().message;
  }
  /// Owns the image for as long as `wait` takes.
  [[nodiscard]] auto owning(const std::string& configuration) const {
    return [this, configuration](const auto& wait) {
      SimImage image;
      if (!image.open(name_, configuration, 2)) ::_exit(1);
      image.write(std::array{2.0});
      wait();
    };
  }

  const std::string name_ = "hild-test-owner-" + std::to_string(::getpid());
};

TEST_F(SimOwner, ASecondProcessIsToldWhoHasIt) {
  Other other(owning("some/where/theirs.yaml"));
  const std::string theirs = std::filesystem::current_path().string() + "/some/where/theirs.yaml";
  EXPECT_THAT(refusal(),
              AllOf(StartsWith("D/A image /dev/shm/" + name_ + ": process " +
                               std::to_string(other.pid()) + " of user "),
                    HasSubstr(", with the configuration " + theirs + ", has it"),
                    HasSubstr("kill " + std::to_string(other.pid())), HasSubstr("image: NAME")));
  EXPECT_EQ(read_sim_image(name_).value()[0], 2);
  other.end();
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(read_sim_image(name_).value()[0], 2) << "what it held is there still";
}

TEST_F(SimOwner, TheKernelGivesBackWhatADeadProcessHad) {
  Other other(owning({}));
  EXPECT_THAT(refusal(), Not(HasSubstr("configuration ")));
  other.kill();
  EXPECT_EQ(refusal(), "");
}

// As a guard does: it is forked from the run, outlives it, and has the image until it ends.
TEST_F(SimOwner, AForkedProcessKeepsItBeyondTheDeathOfTheFirst) {
  int over[2];
  ASSERT_EQ(::pipe(over), 0);
  int guards = 0;
  {
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    Other run([&](const auto& wait) {
      SimImage image;
      if (!image.open(name_, "theirs.yaml", 2)) ::_exit(1);
      const int guard = ::fork();
      if (guard == 0) {
        ::close(over[1]);
        char end = 0;
        [[maybe_unused]] const auto waited = ::read(over[0], &end, 1);
        image.write(std::array{1.0});
        ::_exit(0);
      }
      [[maybe_unused]] const auto wrote = ::write(told[1], &guard, sizeof guard);
      wait();
    });
    ASSERT_EQ(::read(told[0], &guards, sizeof guards), static_cast<ssize_t>(sizeof guards));
    run.kill();
  }
  EXPECT_THAT(refusal(), AllOf(HasSubstr("has died, and its guard"), HasSubstr("theirs.yaml"),
                               HasSubstr("hild safe --wait")));
  ::close(over[0]);
  ::close(over[1]);
  // It lets go when it has written: within the patience of open(), or of the next.
  std::string words = "unknown";
  for (int tries = 0; tries < 30 && !words.empty(); ++tries) words = refusal();
  EXPECT_EQ(words, "");
  EXPECT_EQ(read_sim_image(name_).value()[0], 1);
}

TEST_F(SimOwner, TwoDevicesOfAProcessAreToldApart) {
  SimImage first;
  ASSERT_TRUE(first.open(name_, {}, 2));
  EXPECT_THAT(refusal(), HasSubstr("another device of this configuration has it"));
}

TEST_F(SimOwner, OfAPathThatIsTooLongTheEndIsKept) {
  const std::string deep = "/" + std::string(2000, 'd') + "/motor.yaml";
  const Owner owner = this_process(deep);
  EXPECT_EQ(owner.pid, ::getpid());
  EXPECT_EQ(owner.user, ::geteuid());
  const std::string kept = owner.configuration.data();
  EXPECT_EQ(kept.size(), owner.configuration.size() - 1);
  EXPECT_TRUE(kept.ends_with("d/motor.yaml"));
}

TEST(UsualImage, IsOfUserConfigurationAndDevice) {
  const std::string user = "hild-" + std::to_string(::geteuid()) + "-";
  const auto name = [](std::string_view device, std::string_view configuration) {
    return std::string(usual_image(device, configuration).view());
  };
  EXPECT_THAT(name("rig", "/a/demo.yaml"), AllOf(StartsWith(user + "demo-"), HasSubstr("-rig")));
  EXPECT_EQ(name("rig", "/a/demo.yaml"), name("rig", "/a/b/../demo.yaml"));
  EXPECT_NE(name("rig", "/a/demo.yaml"), name("rig", "/b/demo.yaml"));
  EXPECT_NE(name("rig", "/a/demo.yaml"), name("rig2", "/a/demo.yaml"));
  EXPECT_THAT(name("rig", ""), StartsWith(user));
  // Names that do not fit, or are none of a file, are told apart all the same.
  const std::string longest(63, 'r');
  EXPECT_LE(name(longest, "/a/a_configuration_of_a_long_name.yaml").size(), Name::capacity);
  EXPECT_NE(name(longest + "a", "/a/b.yaml"), name(longest + "b", "/a/b.yaml"));
  EXPECT_EQ(name("a/b c", "/a/d e.yaml").find_first_of("/ "), std::string::npos);
  EXPECT_NE(name("a/b", "/a/b.yaml"), name("a_b", "/a/b.yaml"));
}

TEST(SimDevice, OfALineThatIsLookedAtNothingIsWritten) {
  SimRig rig;
  rig.output({{"channel", "0"}, {"resolution", "0"}});
  rig.open();
  rig.exchange({2.5});
  SimRig second(SimRig::Texts{{"image", rig.image()}});
  second.output({{"channel", "0"}, {"resolution", "0"}});
  EXPECT_FALSE(second.device().open(second.clock()));
  ASSERT_TRUE(second.device().observe());
  second.open();
  std::vector<double> held(1);
  ASSERT_TRUE(second.device().read_back(held));
  EXPECT_EQ(held[0], 2.5);
  second.exchange({-1});
  rig.exchange({3.5});
  ASSERT_TRUE(second.device().read_back(held));
  EXPECT_EQ(held[0], 3.5);
}

}  // namespace
}  // namespace hild::sim
