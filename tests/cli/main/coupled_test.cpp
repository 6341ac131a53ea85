// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several models in one configuration, through the program: its plan, its runs, what it refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

const std::string example = HILD_SOURCE_DIR "/config/two_models.yaml";

/// A built-in model, an FMU in a process of its own and a slow FMU.
std::string three_models(const std::string& record) {
  return fmt::format(
      "frame: {{period: 1 ms, priority: 0}}\n"
      "models:\n"
      "  mass: {{type: spring-mass-damper, integrator: {{method: rtam-2}}, substeps: 2,\n"
      "          initial: {{position: 1 m}}}}\n"
      "  near: {{fmu: {0}/van_der_pol_3.fmu, integrator: {{method: rk-4}}, process: own,\n"
      "         answer_within: 2 s}}\n"
      "  far: {{fmu: {0}/van_der_pol_2.fmu, integrator: {{method: ab-2}}, every: 4}}\n"
      "connections:\n"
      "  - {{from: near.x, to: mass.force, scale: 2 N, extrapolation: linear}}\n"
      "  - {{from: mass.velocity, to: far.drive, scale: 1 1/s}}\n"
      "  - {{from: far.x, to: near.drive, scale: 0.5 m/s2, delay: frame}}\n"
      "record: {{file: {1}}}\n",
      HILD_FMUS, record);
}

TEST(CoupledModels, HaveAPlanThatNamesThem) {
  Folder folder;
  const std::string image = "devices.rig.image=" + folder.image();
  const Ended ended =
      hild({"check", example, "--set", image, "--set", "frame.priority=0", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value plan = json::parse(ended.out);
  EXPECT_EQ(plan.at("feasible"), true);
  EXPECT_EQ(plan.at("passes").as_array().size(), 6U);  // 4 substeps and the two of RTAM-2
  EXPECT_EQ(plan.at_pointer("/models/0/name"), "motor");
  EXPECT_EQ(plan.at_pointer("/models/0/substeps"), 4);
  EXPECT_EQ(plan.at_pointer("/connections/1/from"), "arm.rate");
  EXPECT_EQ(plan.at_pointer("/connections/1/factor"), 2e-3);
  const Ended words = hild({"check", example, "--set", image, "--set", "frame.priority=0"});
  EXPECT_THAT(words.out, HasSubstr("motor: dc-motor, rtam-2, order 2, 4 steps a frame"));
  EXPECT_THAT(words.out, HasSubstr("motor.torque -> arm.torque, carried on in a line"));
}

// y = 1 + x / 2 and y = 1 - x / 5, each of the other: 15 / 11 and 8 / 11.
TEST(CoupledModels, InASolvedLoopAreExactAndReplayToTheBit) {
  const Folder folder;
  const std::string log = folder.path("run.mcap");
  static_cast<void>(folder.file("a.csv", "x,y\n-10,-4\n10,6\n"));
  static_cast<void>(folder.file("b.csv", "x,y\n-10,3\n0,1\n10,-1\n"));
  const std::string file = folder.file("loop.yaml",
                                       "frame: {period: 1 ms, priority: 0}\n"
                                       "models:\n"
                                       "  a: {table: {file: a.csv}}\n"
                                       "  b: {table: {file: b.csv}}\n"
                                       "connections:\n"
                                       "  - {from: a.y, to: b.x}\n"
                                       "  - {from: b.y, to: a.x, loop: solve}\n"
                                       "record: {file: run.mcap, keyframes: 99}\n");
  const Ended plan = hild({"check", file});
  EXPECT_THAT(plan.out, HasSubstr("b.y -> a.x, held, its loop solved in every frame")) << plan.err;
  const Ended run = hild({"run", file, "--offline", "--duration", "0.5"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Ended replay = hild({"replay", log, "--from", "0.3", "--json"});
  ASSERT_EQ(replay.code, 0) << replay.err << replay.out;
  EXPECT_EQ(json::parse(replay.out).at("same"), true);
  const Ended rows = hild({"export", log, "--signals", "outputs", "--from", "0.4"});
  std::istringstream lines(rows.out);
  std::string line;
  std::getline(lines, line);
  ASSERT_THAT(line, HasSubstr("a.y"));
  std::getline(lines, line);
  double a = 0;
  double b = 0;
  ASSERT_EQ(std::sscanf(line.c_str(), "%*f,%lf,%lf", &a, &b), 2) << line;
  EXPECT_NEAR(a, 15.0 / 11, 1e-12);
  EXPECT_NEAR(b, 8.0 / 11, 1e-12);
}

TEST(CoupledModels, OfEveryKindRunAndReplayToTheBit) {
  const Folder folder;
  const std::string log = folder.path("run.mcap");
  const std::string file = folder.file("three.yaml", three_models(log));
  // Keyframes of each place within the four frames of the slow step.
  const Ended run =
      hild({"run", file, "--offline", "--duration", "1", "--set", "record.keyframes=99"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Ended replay = hild({"replay", log, "--json"});
  ASSERT_EQ(replay.code, 0) << replay.err << replay.out;
  EXPECT_EQ(json::parse(replay.out).at("same"), true);
  EXPECT_EQ(json::parse(replay.out).at("steps"), 1000);
  EXPECT_EQ(json::parse(replay.out).at("compared_keyframes"), 10);
  for (const char* from : {"0.1", "0.2", "0.3", "0.4"}) {
    const Ended part = hild({"replay", log, "--from", from, "--json"});
    ASSERT_EQ(part.code, 0) << part.err << part.out;
    EXPECT_TRUE(json::parse(part.out).as_object().contains("begins_at")) << from;
  }
}

// A process of its own changes no bit.
TEST(CoupledModels, RunAlikeInProcessesOfTheirOwn) {
  const Folder folder;
  const auto signals = [&](const std::string& process) {
    const std::string log = folder.path(process + ".mcap");
    std::string text = three_models(log);
    const std::string own = "process: own,\n         answer_within: 2 s";
    if (process == "shared") text.replace(text.find(own), own.size(), "process: shared");
    const Ended run =
        hild({"run", folder.file(process + ".yaml", text), "--offline", "--duration", "0.5"});
    EXPECT_EQ(run.code, 0) << run.err;
    const Ended csv = hild({"export", log, "--signals", "inputs,outputs,states"});
    EXPECT_EQ(csv.code, 0) << csv.err;
    return csv.out;
  };
  const std::string own = signals("own");
  EXPECT_THAT(own, HasSubstr("far.drive"));
  EXPECT_GT(own.size(), 10'000U);
  EXPECT_EQ(own, signals("shared"));
}

// A slow one in the background: live, whatever its thread did, a replay gives the same bits, and
// what it did is in the record.
TEST(CoupledModels, InTheBackgroundRunAndReplayToTheBit) {
  const Folder folder;
  const std::string log = folder.path("run.mcap");
  const std::string file =
      folder.file("slow.yaml",
                  "frame: {period: 2 ms, priority: 0, cpu: 0}\n"
                  "models:\n"
                  "  mass: {type: spring-mass-damper, integrator: {method: rtam-2},\n"
                  "          initial: {position: 1 m}}\n"
                  "  slow: {type: van-der-pol, integrator: {method: rk-4}, every: 5, cpu: 0}\n"
                  "connections:\n"
                  "  - {from: slow.x, to: mass.force, scale: 2 N, extrapolation: linear}\n"
                  "overrun: {policy: double, then: continue}\n"
                  "record: {file: " +
                      log + "}\n");
  const Ended plan = hild({"check", file});
  EXPECT_THAT(plan.out, HasSubstr("slow on CPU 0 below the frame thread, passes of")) << plan.err;
  const Ended run = hild({"run", file, "--duration", "1"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("a model in the background cannot be saved")) << "no keyframes";
  const Ended replay = hild({"replay", log, "--json"});
  ASSERT_EQ(replay.code, 0) << replay.err << replay.out;
  EXPECT_EQ(json::parse(replay.out).at("same"), true);
  const std::string trace = folder.path("run.json");
  ASSERT_EQ(hild({"log", log, "--trace", trace}).code, 0);
  EXPECT_THAT(read_file(trace), HasSubstr("slow in the background"));
  EXPECT_THAT(read_file(trace), HasSubstr(R"("name":"slow","ts")")) << "a step of it";
}

// A mass on a spring that a connection makes: x'' = -4 x, x(0) = 1.
const std::string spring =
    "frame: {period: 1 ms, priority: 0}\n"
    "models:\n"
    "  mass: {type: spring-mass-damper, integrator: {method: rk-4}, initial: {position: 1 m},\n"
    "         parameters: {damping: 0 N s/m, stiffness: 0 N/m}}\n"
    "connections:\n"
    "  - {from: mass.position, to: mass.force, scale: -4 N/m, extrapolation: linear}\n";

TEST(CoupledModels, HaveAReferenceThatConnectsThemWithoutSteps) {
  const Folder folder;
  const Ended ended = hild({"simulate", folder.file("spring.yaml", spring), "--duration", "3",
                            "--interval", "100 ms", "--rtol", "1e-10", "--atol", "1e-12"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::istringstream rows(ended.out);
  std::string row;
  std::getline(rows, row);
  ASSERT_THAT(row, HasSubstr("mass.position"));
  int count = 0;
  while (std::getline(rows, row)) {
    std::istringstream fields(row);
    std::array<double, 4> v{};  // t, force, position, velocity
    for (double& one : v) {
      fields >> one;
      fields.get();
    }
    EXPECT_NEAR(v[1], -4 * v[2], 1e-12) << row;  // the force, as it is connected
    EXPECT_NEAR(v[2], std::cos(2 * v[0]), 1e-8) << row;
    EXPECT_NEAR(v[3], -2 * std::sin(2 * v[0]), 1e-8) << row;
    ++count;
  }
  EXPECT_EQ(count, 31);
  const Ended given = hild(
      {"simulate", folder.path("spring.yaml"), "--duration", "1", "--input", "mass.force=3 N"});
  EXPECT_EQ(given.code, 1);
  EXPECT_THAT(given.err, HasSubstr("--input mass.force=3 N: it is connected to mass.position"));
}

std::string loop(const std::string& more) {
  return fmt::format(
      "frame: {{period: 1 ms, priority: 0}}\n"
      "models:\n"
      "  a: {{fmu: {0}/feedthrough_3.fmu, integrator: {{method: rk-4}}}}\n"
      "  b: {{fmu: {0}/feedthrough_2.fmu, integrator: {{method: rk-4}}}}\n"
      "connections:\n"
      "  - {{from: a.real out, to: b.real in}}\n"
      "  - {{from: b.real out, to: a.real in{1}}}\n",
      HILD_FMUS, more);
}

TEST(CoupledModels, InALoopAreRefusedUntilADelayBreaksIt) {
  const Folder folder;
  const std::string closed = folder.file("loop.yaml", loop(""));
  const Ended refused = hild({"run", closed, "--offline", "--duration", "1"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("loop.yaml:6: connections[1]: closes an algebraic loop, "
                                     "a.real out -> b.real in -> b.real out -> a.real in -> "
                                     "a.real out"));
  const std::string broken = folder.file("broken.yaml", loop(", delay: frame"));
  const Ended run = hild({"run", broken, "--offline", "--duration", "0.01"});
  EXPECT_EQ(run.code, 0) << run.err;
  const Ended reference = hild({"simulate", broken, "--duration", "0.01"});
  EXPECT_EQ(reference.code, 1);
  EXPECT_THAT(reference.err, HasSubstr("a reference has no delays"));
}

TEST(CoupledModels, GetAdviceOnTheirCpus) {
  const Ended ended = hild({"advise", example});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("workers  longest thread  of a frame of 1000.0 us"));
  EXPECT_THAT(ended.out, HasSubstr("frame thread: "));
  EXPECT_THAT(ended.out, HasSubstr("For steps and methods write each model into"));
  const auto told = json::parse(hild({"advise", example, "--json"}).out);
  EXPECT_EQ(told.at_pointer("/models/0/model"), "motor");
  EXPECT_GT(told.at_pointer("/models/0/step_us").to_number<double>(), 0);
  EXPECT_EQ(told.at_pointer("/choices/0/workers").as_array().size(), 0U);
  EXPECT_EQ(told.at_pointer("/choices/0/cpu_of_model").as_array().size(), 2U);
}

TEST(CoupledModels, HaveNoErrorToSplit) {
  const Folder folder;
  const std::string log = folder.path("run.mcap");
  const Ended run = hild({"run", folder.file("spring.yaml", spring), "--offline", "--duration",
                          "0.1", "--set", "record.file=" + log});
  ASSERT_EQ(run.code, 0) << run.err;
  const Ended ended = hild({"replay", log, "--reference"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("the error of several models is not split"));
}

// The call by its FMU's name for it, the FMU by the configuration's.
TEST(Coupled, TheModelWhoseCallFailsIsNamed) {
  const Folder folder;
  constexpr int discard = 9;  // as fmu/sources/trouble.h counts
  const auto model = [](int kind) {
    return "{fmu: " HILD_FMUS "/trouble_3.fmu, parameters: {kind: " + std::to_string(kind) +
           "}, integrator: {method: rk-4}}\n";
  };
  const std::string file =
      folder.file("two.yaml", "frame: {period: 1 ms, priority: 0}\nmodels:\n  good: " + model(0) +
                                  "  bad: " + model(discard));
  const Ended ended = hild({"run", file, "--offline", "--duration", "100 ms"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, testing::HasSubstr("`bad: get derivatives` of the model failed"));
}

}  // namespace
}  // namespace hild::test
