// SPDX-License-Identifier: Apache-2.0
/// \file
/// A service runs only what nobody but root and its own user could have written.
#include <sys/stat.h>
#include <unistd.h>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

using testing::HasSubstr;

/// As a service manager starts it, though nobody listens.
Ended as_service(const Motor& motor, const std::string& file) {
  return hild({"run", file, "--duration", "50 ms"},
              {.notify_socket = motor.folder.path("nobody-listens")});
}

/// A configuration whose clients may begin trial.yaml.
std::string with_sequence(const Motor& motor) {
  return motor.folder.file("outer.yaml", "include: " + motor.file + "\ncontrol: {socket: " +
                                             motor.folder.path("control.sock") +
                                             ", sequences: {trial: trial.yaml}}\n");
}

TEST(Trust, IsGivenToFilesOfTheUser) {
  const Motor motor;
  EXPECT_EQ(as_service(motor, motor.file).code, 0);
}

TEST(Trust, IsNotGivenToWhatAnybodyMayWrite) {
  const Motor motor;
  ASSERT_EQ(::chmod(motor.file.c_str(), 0666), 0);
  const Ended ended = as_service(motor, motor.file);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr(motor.file + ": may be written by anybody"));
  EXPECT_THAT(ended.err, HasSubstr("chmod o-w"));
}

TEST(Trust, IsNotGivenToWhatIsIncludedEither) {
  const Motor motor;
  const std::string file = motor.folder.file("outer.yaml", "include: " + motor.file + "\n");
  EXPECT_EQ(as_service(motor, file).code, 0);
  ASSERT_EQ(::chmod(motor.file.c_str(), 0622), 0);
  EXPECT_THAT(as_service(motor, file).err, HasSubstr(motor.file + ": may be written by anybody"));
}

// Whoever writes one steers the run as soon as somebody begins it.
TEST(Trust, IsNotGivenToSequencesEither) {
  const Motor motor;
  const std::string sequence = motor.folder.file("trial.yaml", "steps: [{mark: 1}]\n");
  const std::string file = with_sequence(motor);
  EXPECT_EQ(as_service(motor, file).code, 0);
  ASSERT_EQ(::chmod(sequence.c_str(), 0666), 0);
  const Ended ended = as_service(motor, file);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr(sequence + ": may be written by anybody"));
}

TEST(Trust, IsNotGivenToWhatASequenceIncludes) {
  const Motor motor;
  const std::string part = motor.folder.file("part.yaml", "always: [{mark: 1}]\n");
  motor.folder.file("trial.yaml", "include: part.yaml\nsteps: [{mark: 1}]\n");
  const std::string file = with_sequence(motor);
  EXPECT_EQ(as_service(motor, file).code, 0);
  ASSERT_EQ(::chmod(part.c_str(), 0666), 0);
  const Ended ended = as_service(motor, file);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr(part + ": may be written by anybody"));
}

TEST(Trust, IsNotGivenWhereAnybodyMayPutAnotherFile) {
  const Motor motor;
  const std::string folder = motor.folder.path("");
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);  // without the sticky bit
  const Ended ended = as_service(motor, motor.file);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("may be written by anybody"));
}

// Who may replace a folder far above may replace all that lies in it.
TEST(Trust, IsNotGivenWhereAnybodyMayPutAnotherFolder) {
  const Motor motor;
  const std::string open = motor.folder.path("open");
  for (const char* folder : {"/open", "/open/rigs", "/open/rigs/one"}) {
    ASSERT_EQ(::mkdir((motor.folder.path("") + folder).c_str(), 0755), 0);
  }
  const std::string file =
      motor.folder.file("open/rigs/one/outer.yaml", "include: " + motor.file + "\n");
  EXPECT_EQ(as_service(motor, file).code, 0);
  ASSERT_EQ(::chmod(open.c_str(), 0777), 0);
  const Ended ended = as_service(motor, file);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err,
              testing::AllOf(HasSubstr("lies in " + open + ", which may be written by anybody"),
                             HasSubstr("chmod o-w " + open)));
  ASSERT_EQ(::chmod(open.c_str(), 01777), 0);  // with the sticky bit
  EXPECT_EQ(as_service(motor, file).code, 0);
}

// Nor where anybody may put another link.
TEST(Trust, IsNotGivenToWhatALinkInAnOpenFolderLeadsTo) {
  const Motor motor;
  const std::string open = motor.folder.path("open");
  ASSERT_EQ(::mkdir(open.c_str(), 0755), 0);
  ASSERT_EQ(::symlink(motor.file.c_str(), (open + "/link.yaml").c_str()), 0);
  EXPECT_EQ(as_service(motor, open + "/link.yaml").code, 0);
  ASSERT_EQ(::chmod(open.c_str(), 0777), 0);
  EXPECT_THAT(as_service(motor, open + "/link.yaml").err, HasSubstr("lies in " + open));
}

TEST(Trust, IsNotGivenToFilesOfOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const Motor motor;
  ASSERT_EQ(::chown(motor.file.c_str(), 12345, 12345), 0);
  const Ended ended = as_service(motor, motor.file);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("belongs to user 12345"));
}

TEST(Trust, OfAPersonIsNotRefused) {
  const Motor motor;
  ASSERT_EQ(::chmod(motor.file.c_str(), 0666), 0);
  EXPECT_EQ(hild({"run", motor.file, "--duration", "50 ms"}).code, 0);
}

}  // namespace
}  // namespace hild::test
