// SPDX-License-Identifier: Apache-2.0
/// \file
/// Standard files that take nothing: a full disk, a reader that left, a closed file. /dev/full is
/// the disk, which answers as a full one does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Line = std::vector<std::string>;

const std::vector<Line>& answers() {
  static const std::vector<Line> all{{"--help"},
                                     {"--version"},
                                     {"methods"},
                                     {"methods", "--json"},
                                     {"methods", "rk-4"},
                                     {"check", demo, "--no-measure"},
                                     {"check", demo, "--no-measure", "--json"}};
  return all;
}

TEST(Output, ThatADiskHasNoRoomForIsNoSuccess) {
  for (const Line& line : answers()) {
    const Ended ended = hild(line, {.out = "/dev/full"});
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(line);
    EXPECT_EQ(ended.err, "hild: cannot write to standard output: No space left on device\n");
  }
}

TEST(Output, ThatIsClosedIsNoSuccessAndNoOtherFile) {
  for (const Line& line : answers()) {
    const Ended ended = hild(line, {.out = "-"});
    EXPECT_EQ(ended.code, 2) << testing::PrintToString(line);
    EXPECT_THAT(ended.err, HasSubstr("cannot write to standard output: Bad file descriptor\n"));
  }
}

TEST(Output, ThatNobodyReadsAnyMoreIsEnoughOfIt) {
  for (const Line& line : answers()) {
    const Ended ended = hild(line, {.unread = true});
    EXPECT_EQ(ended.code, 0) << testing::PrintToString(line);
    EXPECT_THAT(ended.err, IsEmpty()) << testing::PrintToString(line);
  }
}

TEST(Output, OfErrorsThatNobodyTakesLeavesTheExitCode) {
  const Folder folder;
  const std::string missing = folder.path("none.yaml");
  for (const std::string& file : {std::string("/dev/full"), std::string("-")}) {
    for (const Line& line : {Line{"check", missing}, Line{"run", missing}, Line{"rnu"},
                             Line{"run", "--frobnicate"}, Line{}}) {
      EXPECT_EQ(hild(line, {.err = file}).code, 1) << testing::PrintToString(line);
    }
    EXPECT_EQ(hild({"methods"}, {.out = "/dev/full", .err = file}).code, 2);
  }
}

TEST(Output, OfARunThatNobodyReadsLeavesTheRun) {
  const Motor motor;
  const Folder folder;
  const std::string report = folder.path("report.json");
  const Line line{"run", motor.file, "--offline", "--duration", "2", "--report", report};
  EXPECT_EQ(hild(line, {.unread = true}).code, 0);
  EXPECT_THAT(read_file(report), HasSubstr("\"frames\""));
}

// The report was asked for; that of a file is whole all the same.
TEST(Output, OfARunThatADiskHasNoRoomForIsNoSuccess) {
  const Motor motor;
  const Folder folder;
  const std::string report = folder.path("report.json");
  const Line line{"run", motor.file, "--offline", "--duration", "2", "--report", report};
  const Ended ended = hild(line, {.out = "/dev/full"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("hild: cannot write to standard output"));
  EXPECT_THAT(read_file(report), HasSubstr("\"frames\""));
  EXPECT_EQ(hild(line, {.out = "/dev/full", .err = "/dev/full"}).code, 2);
  EXPECT_EQ(hild({"run", motor.file, "--offline", "--duration", "2", "--report", "/dev/full"}).code,
            1);
}

TEST(Output, OfASimulationEndsWithItsReader) {
  const Motor motor;
  const Line line{"simulate",   motor.file, "--duration", "1000",
                  "--interval", "1 ms",     "--input",    "armature_voltage=5 V"};
  const Ended left = hild(line, {.unread = true});
  EXPECT_EQ(left.code, 0);
  EXPECT_THAT(left.err, AllOf(HasSubstr("interrupted after"), Not(HasSubstr("Broken pipe"))));
  const Ended full = hild(line, {.out = "/dev/full"});
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, HasSubstr("cannot write standard output: No space left on device"));
}

TEST(Command, ThatIsMistypedIsRefusedWithTheOneThatWasMeant) {
  const Ended ended = hild({"rnu"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("there is no command \"rnu\", did you mean \"run\"?"));
}

TEST(Errors, OfOneFileAreToldAtOnceEachWithItsPlace) {
  const Motor motor;
  const Ended ended = hild({"check", motor.file, "--set", "frame.cpu=all", "--set",
                            "overrun.max_debt=0", "--set", "outputs.spped.safe=1 V"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, testing::StartsWith("hild: --set frame.cpu: frame.cpu: found \"all\""));
  EXPECT_THAT(ended.err,
              HasSubstr("\nhild: --set overrun.max_debt: overrun.max_debt: found \"0\""));
  EXPECT_THAT(ended.err, HasSubstr("\nhild: --set outputs.spped.safe: outputs.spped: "));
}

// What a shell asks when Tab is pressed.
TEST(Completion, OffersCommandsOptionsAndMethods) {
  const auto offered = [](Line words) {
    words.insert(words.begin(), {"__complete", "--"});
    return hild(words).out;
  };
  EXPECT_EQ(offered({"exp"}), "export\n");
  EXPECT_EQ(offered({"run", "--off"}), "--offline\n");
  EXPECT_EQ(offered({"run", ""}), "") << "a file: the shell knows those";
  EXPECT_EQ(offered({"methods", "rtrk-4"}), "rtrk-4\n");
  EXPECT_EQ(offered({"completion", "z"}), "zsh\n");
}

TEST(Completion, HasAScriptForEachShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = hild({"completion", shell}).out;
    EXPECT_THAT(script, AllOf(HasSubstr("_hild"), HasSubstr("__complete -- "),
                              Not(HasSubstr("hildctl")), Not(HasSubstr("PROGRAM"))));
  }
  EXPECT_EQ(hild({"completion", "tcsh"}).code, 1);
}

}  // namespace
}  // namespace hild::test
