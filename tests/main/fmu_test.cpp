// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a configuration says of an FMU: its kind, its caps, the step of its solver; and FMUs in a
/// process of their own.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

// Kinds of trouble of the FMU, as tests/fmu/sources/trouble.h counts them.
enum Kind { endless_events = 1, leave = 4, nap = 5, hang = 14 };

// ---- co-simulation -----------------------------------------------------------------------------

Ended check(const std::string& frame, const std::string& kind, const std::string& method) {
  const Folder folder;
  return hild({"check", "--json",
               folder.file("fmu.yaml", fmt::format("frame: {{{}, priority: 0}}\n"
                                                   "model: {{fmu: {}/state_space_3.fmu{}}}\n"
                                                   "integrator: {{method: {}}}\n",
                                                   frame, HILD_FMUS, kind, method))});
}
constexpr const char* co_simulation = ", kind: co-simulation";

TEST(FmuKind, IsModelExchangeUnlessItIsSaid) {
  EXPECT_EQ(check("period: 1 ms", "", "rk-4").code, 0);
  EXPECT_EQ(check("period: 1 ms", ", kind: model-exchange", "rk-4").code, 0);
  const Ended ended = check("period: 1 ms", co_simulation, "rk-4");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("fmu.yaml:3: integrator.method: found rk-4, expected "
                                   "forward-euler, which has one pass a step"));
  EXPECT_EQ(check("period: 1 ms", co_simulation, "forward-euler").code, 0);
  EXPECT_THAT(check("period: 1 ms", ", kind: neither", "rk-4").err, HasSubstr("fmu.yaml:2: "));
}

// Its solver takes steps of 1 ms.
TEST(FmuKind, FramesAreWholeStepsOfItsSolver) {
  for (const char* whole : {"period: 1 ms", "period: 3 ms", "rate: 500 Hz"}) {
    const Ended ended = check(whole, co_simulation, "forward-euler");
    EXPECT_EQ(ended.code, 0) << whole << ended.err;
  }
  for (const char* broken : {"period: 1.5 ms", "period: 500 us", "rate: 400 Hz", "rate: 3 kHz"}) {
    const Ended ended = check(broken, co_simulation, "forward-euler");
    EXPECT_EQ(ended.code, 1) << broken;
    EXPECT_THAT(ended.err, HasSubstr(std::string("fmu.yaml:1: frame.") +
                                     (broken[0] == 'p' ? "period" : "rate") + ": "));
    EXPECT_THAT(ended.err, HasSubstr("expected steps of a whole multiple of 0.001 s"));
  }
  EXPECT_EQ(check("rate: 400 Hz", "", "rk-4").code, 0);  // model exchange has none
}

// ---- trouble -----------------------------------------------------------------------------------

Ended run(const Folder& folder, Kind kind, const std::string& model, const std::string& more = "") {
  return hild(
      {"run", "--offline", "--duration", "0.2", "--report", folder.path("report.json"),
       folder.file("trouble.yaml",
                   fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                               "model: {{fmu: {}/trouble_3.fmu, parameters: {{kind: {}}}{}}}"
                               "\nintegrator: {{method: forward-euler}}\n{}",
                               HILD_FMUS, static_cast<int>(kind), model, more))});
}

json::value report_of(const Folder& folder) {
  return json::parse(read_file(folder.path("report.json")));
}

// Its one event never comes to rest.
TEST(FmuCaps, AreThoseOfTheConfiguration) {
  const Folder folder;
  const Ended carried_on = run(folder, endless_events, "");
  EXPECT_EQ(carried_on.code, 0) << carried_on.err;
  EXPECT_EQ(report_of(folder).at_pointer("/capped_steps/event_iterations"), 1);
  const Ended stopped =
      run(folder, endless_events, ", caps: {event_iterations: {max: 4, then: stop}}");
  EXPECT_EQ(stopped.code, 2);
  EXPECT_THAT(stopped.err, HasSubstr("model.caps.event_iterations"));
  const Ended refused = run(folder, endless_events, ", caps: {event_iterations: {max: 0}}");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("trouble.yaml:2: model.caps.event_iterations.max: "));
}

TEST(FmuCaps, ACallOfTheKernelIsFound) {
  const Ended ended = hild({"check", fmt::format("{}/trouble_3.fmu", HILD_FMUS), "--set",
                            fmt::format("model.parameters.kind={}", static_cast<int>(nap)), "--set",
                            "frame.priority=0"});
  if (ended.out.find("offers no user dispatch") != std::string::npos) {
    GTEST_SKIP() << "system calls are not seen here";
  }
  EXPECT_THAT(ended.out, HasSubstr("finding: derivatives calls the kernel ("));
}

// What its process does, hild does not.
TEST(FmuProcess, AnExitIsContained) {
  const Folder folder;
  const Ended ended = run(folder, leave, ", process: own, answer_within: 500 ms");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the model's process ended by itself, exit code 3"));
  EXPECT_EQ(report_of(folder).at("frames"), 200);
}

TEST(FmuProcess, AHangIsContained) {
  const Folder folder;
  const Ended ended = run(folder, hang, ", process: own, answer_within: 5 ms");
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto report = report_of(folder);
  EXPECT_EQ(report.at("frames"), 200);
  EXPECT_GE(report.at_pointer("/capped_steps/late_answers").to_number<int>(), 148);
}

}  // namespace
}  // namespace hild::test
