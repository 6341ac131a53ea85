// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model in a process of its own does there stays there, from the first moment of a run to
/// its last.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;

// The parameter `fault` of plugin/objects/misbehaving.cpp.
enum class Fault { none, crash, leave = 3, hang };

class Contained : public ::testing::TestWithParam<Fault> {
 protected:
  static std::string model(Fault fault) {
    return "{plugin: " HILD_PLUGINS "/misbehaving.so, parameters: {fault: " +
           std::to_string(static_cast<int>(fault)) + "}, process: own, answer_within: " +
           (fault == Fault::none ? "60 s" : "100 ms");  // it is waited for; what is faulty owes one
  }
  static Ended run(const std::string& models) {
    const Folder folder;
    const std::string file =
        folder.file("own.yaml", "frame: {period: 10 ms, priority: 0}\n" + models);
    const bool whole = models.find("{fault: 0}") != std::string::npos;
    return hild({"run", file, "--offline", "--duration", whole ? "100 ms" : "100000 s"});
  }
  // Where it is gone or silent the run is over, in its own words.
  static void expect_whole(const Ended& ended, Fault fault) {
    EXPECT_EQ(ended.code, fault == Fault::none ? 0 : 3) << ended.err;
    EXPECT_THAT(ended.out,
                HasSubstr(fault == Fault::none ? "The run ended after the duration asked for."
                                               : "Stopped in frame"));
    EXPECT_EQ(ended.out.find("answers missed") != std::string::npos, fault != Fault::none)
        << ended.out;
  }
};
INSTANTIATE_TEST_SUITE_P(Fault, Contained,
                         ::testing::Values(Fault::none, Fault::crash, Fault::leave, Fault::hang));

// Implicit methods hold a model's Jacobian against its derivatives before the run.
TEST_P(Contained, StaysThereUnderAnImplicitMethod) {
  const Ended ended =
      run("model: " + model(GetParam()) + "}\nintegrator: {method: backward-euler}\n");
  expect_whole(ended, GetParam());
}

TEST_P(Contained, StaysThereOfSeveralModelsUnderAnImplicitMethod) {
  const Ended ended = run("models:\n  bad: " + model(GetParam()) +
                          ", integrator: {method: backward-euler}}\n"
                          "  good: {type: dc-motor, integrator: {method: rk-4}}\n");
  expect_whole(ended, GetParam());
}

// What lies beside the declared structure is lost to the method, in whose process it may be.
TEST(ContainedPlugIn, WhoseStructureIsTooNarrowIsRefusedAsOneThatIsNot) {
  for (const char* process : {"", ", process: own"}) {
    const Folder folder;
    const std::string file =
        folder.file("narrow.yaml", fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                                               "model: {{plugin: {}/narrow.so{}}}\n"
                                               "integrator: {{method: libe}}\n",
                                               HILD_PLUGINS, process));
    const Ended ended = hild({"run", file, "--offline", "--duration", "10 ms"});
    EXPECT_EQ(ended.code, 1) << process;
    EXPECT_THAT(ended.err,
                HasSubstr("its Jacobian has d(x')/d(v) = 0, but its derivatives change by 1"))
        << process;
    EXPECT_THAT(ended.err, HasSubstr("the declared `structure`")) << process;
  }
}

TEST(ContainedFmu, IsHeardThroughItsLogger) {
  const Folder folder;
  constexpr int chat = 7;  // as fmu/sources/trouble.h counts, from 0.05 s on
  const std::string file =
      folder.file("chat.yaml", "frame: {period: 1 ms, priority: 0}\nmodel: {fmu: " HILD_FMUS
                               "/trouble_3.fmu, parameters: {kind: " +
                                   std::to_string(chat) + "}, process: own, answer_within: 5 s}\n" +
                                   "integrator: {method: rk-4}\n");
  const Ended ended = hild({"run", file, "--offline", "--duration", "100 ms"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("model trouble: warning: here I am"));
  EXPECT_THAT(ended.err, HasSubstr(" more, then"));
}

/// Of tests/support/hostile.h: what its constructors leave where they are not held.
class ConstructorOf : public ::testing::TestWithParam<const char*> {
 protected:
  ConstructorOf() {
    ::setenv("HILD_HOSTILE_PID", std::to_string(::getpid()).c_str(), 1);
    ::setenv("HILD_HOSTILE_FILE", trace_.c_str(), 1);
    std::filesystem::remove(trace_);
  }
  ~ConstructorOf() override {
    ::unsetenv("HILD_HOSTILE_PID");
    ::unsetenv("HILD_HOSTILE_FILE");
    std::filesystem::remove(trace_);
  }
  // Of no command does it run where it could write a file.
  void expect_held(const std::vector<std::string>& command) const {
    const Ended ended = hild(command);
    EXPECT_EQ(ended.code, 0) << command[0] << ": " << ended.err;
    EXPECT_FALSE(std::filesystem::exists(trace_)) << command[0];
  }
  std::string trace_ =
      std::filesystem::temp_directory_path() / ("hild-constructor-" + std::to_string(::getpid()));
};
INSTANTIATE_TEST_SUITE_P(Contained, ConstructorOf,
                         ::testing::Values("{plugin: " HILD_PLUGINS "/hostile.so",
                                           "{fmu: " HILD_FMUS "/hostile_3.fmu"));

TEST_P(ConstructorOf, AModelThatIsNotTrustedRunsInItsProcessAlone) {
  const Folder folder;
  const std::string log = folder.path("run.mcap");
  const std::string file = folder.file(
      "hostile.yaml", "frame: {period: 1 ms, priority: 0}\nmodel: " + std::string(GetParam()) +
                          ", process: own, answer_within: 5 s}\nintegrator: {method: rk-4}\n"
                          "record: {file: " +
                          log + "}\n");
  expect_held({"check", file, "--no-measure"});
  expect_held({"run", file, "--offline", "--duration", "20 ms"});
  expect_held({"replay", log});
  expect_held({"simulate", file, "--duration", "5 ms"});
  expect_held({"advise", file});
}

// The other model's numbers, and what `check` takes for usual, are those of a process without it.
TEST_P(ConstructorOf, ChangesNoFloatingPointControlOfHild) {
  const Folder folder;
  const std::string file = folder.file(
      "two.yaml", "frame: {period: 1 ms, priority: 0}\nmodels:\n  bad: " + std::string(GetParam()) +
                      ", process: own, answer_within: 5 s, integrator: {method: rk-4}}\n"
                      "  good: {type: dc-motor, integrator: {method: rk-4}}\n");
  const Ended ended = hild({"check", file, "--no-measure", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(R"("containment":{"models":["bad"])"));
  EXPECT_THAT(ended.out, ::testing::Not(HasSubstr("floating-point control")));
  EXPECT_FALSE(std::filesystem::exists(trace_));
}

}  // namespace
}  // namespace hild::test
