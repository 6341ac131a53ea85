// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_image.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "drivers/sim_owner.hpp"

namespace hild::sim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class SimImageTest : public ::testing::Test {
 protected:
  ~SimImageTest() override { ::shm_unlink(path().c_str()); }
  [[nodiscard]] std::string path() const { return "/" + name_; }

  const std::string name_ = "hild-test-image-" + std::to_string(::getpid());
};

TEST_F(SimImageTest, OutlivesItsWriter) {
  {
    SimImage image;
    ASSERT_TRUE(image.open(name_, {}, 3));
    image.write(std::array{1.5, -2.5});
  }
  const auto kept = read_sim_image(name_);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_THAT(*kept, ElementsAre(1.5, -2.5, 0));

  SimImage again;
  ASSERT_TRUE(again.open(name_, {}, 3));
  std::array<double, 2> held{};
  ASSERT_TRUE(again.read(held));
  EXPECT_EQ(held, (std::array{1.5, -2.5}));
}

TEST_F(SimImageTest, GrowsForWhoNeedsMoreAndKeepsWhatItHeld) {
  {
    SimImage few;
    ASSERT_TRUE(few.open(name_, {}, 2));
    few.write(std::array{1.5, -2.5});
  }
  {
    SimImage many;
    ASSERT_TRUE(many.open(name_, {}, 5000));
    std::vector<double> held(5000, 7.0);
    ASSERT_TRUE(many.read(held));
    EXPECT_EQ(held[1], -2.5);
    EXPECT_EQ(std::count(held.begin() + 2, held.end(), 0.0), 4998);
    held[4999] = 9;
    many.write(held);
  }
  SimImage few;
  ASSERT_TRUE(few.open(name_, {}, 2));
  few.write(std::array{4.0, 5.0});
  const auto kept = read_sim_image(name_);
  ASSERT_TRUE(kept) << kept.error().message;
  ASSERT_EQ(kept->size(), 5000u);
  EXPECT_EQ((*kept)[0], 4);
  EXPECT_EQ((*kept)[4999], 9) << "nobody asked for it to be dropped";
}

TEST_F(SimImageTest, WhoLooksForMoreThanThereIsIsGivenWhatThereIs) {
  SimImage image;
  ASSERT_TRUE(image.open(name_, {}, 1));
  image.write(std::array{2.5});
  SimImage other;
  ASSERT_TRUE(other.look(name_, 3));
  std::array<double, 3> held{7, 7, 7};
  ASSERT_TRUE(other.read(held));
  EXPECT_EQ(held, (std::array{2.5, 7.0, 7.0}));
}

TEST_F(SimImageTest, AnotherProcessSeesItAndSetsNothing) {
  SimImage image;
  ASSERT_TRUE(image.open(name_, {}, 3));
  image.write(std::array{3.0});
  const pid_t child = ::fork();
  if (child == 0) {
    SimImage other;
    std::array<double, 1> held{};
    const bool seen = other.look(name_, 3).has_value() && other.read(held) && held[0] == 3;
    other.write(std::array{4.0});
    ::_exit(seen ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::array<double, 1> held{};
  ASSERT_TRUE(image.read(held));
  EXPECT_EQ(held[0], 3);
}

TEST_F(SimImageTest, WhoLooksSeesWhatIsWrittenLater) {
  SimImage image;
  ASSERT_TRUE(image.open(name_, {}, 3));
  SimImage other;
  ASSERT_TRUE(other.look(name_, 3));
  image.write(std::array{-7.5});
  std::array<double, 1> held{};
  ASSERT_TRUE(other.read(held));
  EXPECT_EQ(held[0], -7.5);
}

TEST_F(SimImageTest, WhoLooksWhereThereIsNoneSeesZerosAndMakesNone) {
  SimImage image;
  ASSERT_TRUE(image.look(name_, 3));
  std::array<double, 1> held{1};
  ASSERT_TRUE(image.read(held));
  EXPECT_EQ(held[0], 0);
  EXPECT_NE(::access(("/dev/shm" + path()).c_str(), F_OK), 0);
}

TEST_F(SimImageTest, IsForItsUserAlone) {
  SimImage image;
  ASSERT_TRUE(image.open(name_, {}, 3));
  struct stat status {};
  ASSERT_EQ(::stat(("/dev/shm" + path()).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(SimImageTest, RefusesWhatIsNoImage) {
  const int fd = ::shm_open(path().c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(fd, "hello", 5), 5);
  SimImage image;
  auto opened = image.open(name_, {}, 3);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ExitCode::device_failed);
  EXPECT_NE(opened.error().message.find("rm /dev/shm/" + name_), std::string::npos)
      << opened.error().message;
  // Of the right size, but of another layout.
  const off_t size = 16 + sizeof(Owner) + 8 + 8 * 64;
  ASSERT_EQ(::ftruncate(fd, size), 0);
  ::close(fd);
  opened = image.open(name_, {}, 3);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("another layout"), std::string::npos)
      << opened.error().message;
}

TEST_F(SimImageTest, RefusesWhatBelongsToAnother) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const int fd = ::shm_open(path().c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::fchown(fd, 65534, 65534), 0);
  // Where the kernel protects files of others in shared directories, it refuses first.
  const auto words = [&](bool look) {
    SimImage image;
    const auto opened = look ? image.look(name_, 3) : image.open(name_, {}, 3);
    EXPECT_FALSE(opened);
    if (opened) return std::string();
    EXPECT_EQ(opened.error().code, ExitCode::device_failed);
    return opened.error().message;
  };
  for (const bool look : {false, true}) {
    EXPECT_THAT(words(look), AllOf(HasSubstr("/dev/shm/" + name_), HasSubstr("left by user nobody"),
                                   HasSubstr("you are user root"), HasSubstr("`image`"),
                                   EndsWith("rm /dev/shm/" + name_)));
  }
  // It is not to be removed while it is used.
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_THAT(words(true), AllOf(HasSubstr("whose process " + std::to_string(::getpid())),
                                 Not(HasSubstr("rm "))));
  ::close(fd);
}

// Who may not even open it is told whose it is all the same.
TEST_F(SimImageTest, RefusesWhatBelongsToRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another";
  SimImage image;
  ASSERT_TRUE(image.open(name_, {}, 3));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    SimImage other;
    const bool became = ::setresuid(65534, 65534, 65534) == 0;
    const auto opened = other.open(name_, {}, 3);
    const std::string words = became && !opened ? opened.error().message : "opened";
    [[maybe_unused]] const auto told = ::write(ends[1], words.data(), words.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  char words[1000] = {};
  EXPECT_GT(::read(ends[0], words, sizeof words - 1), 0);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(words, AllOf(HasSubstr("it belongs to user root"),
                           HasSubstr("process " + std::to_string(::getpid()) + " has it")));
}

TEST_F(SimImageTest, LookingDoesNotMakeOne) {
  EXPECT_FALSE(read_sim_image(name_));
  EXPECT_NE(::access(("/dev/shm" + path()).c_str(), F_OK), 0);
}

TEST_F(SimImageTest, RefusesANameThatIsAPath) {
  SimImage image;
  EXPECT_FALSE(image.open("a/b", {}, 1));
  EXPECT_FALSE(image.open("", {}, 1));
  EXPECT_FALSE(image.look("a/b", 1));
}

}  // namespace
}  // namespace hild::sim
