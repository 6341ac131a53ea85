// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a configuration says of an FMU: its kind, its caps, its parameters, the step of its solver.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// `model` begins with the name of the FMU.
std::string error_of(const std::string& frame, const std::string& model,
                     const std::string& method) {
  return fakes::error_of(
      fakes::read(fmt::format("frame: {{{}}}\nmodel: {{fmu: {}/{}}}\nintegrator: {{method: {}}}\n",
                              frame, HILD_FMUS, model, method)));
}

constexpr const char* co_simulation = "state_space_3.fmu, kind: co-simulation";

TEST(FmuSource, IsModelExchangeUnlessItIsSaid) {
  EXPECT_EQ(error_of("period: 1 ms", "state_space_3.fmu", "rk-4"), "loaded");
  EXPECT_EQ(error_of("period: 1 ms", "state_space_3.fmu, kind: model-exchange", "rk-4"), "loaded");
  EXPECT_EQ(error_of("period: 1 ms", co_simulation, "forward-euler"), "loaded");
  EXPECT_THAT(error_of("period: 1 ms", co_simulation, "rk-4"),
              StartsWith("rig.yaml:3: integrator.method: found \"rk-4\", expected forward-euler, "
                         "which has one pass a step"));
  EXPECT_THAT(error_of("period: 1 ms", "state_space_3.fmu, kind: neither", "rk-4"),
              StartsWith("rig.yaml:2: model.kind: found \"neither\", expected one of "));
}

// That takes steps of 1 ms. Model exchange has none.
TEST(FmuSource, FramesAreWholeStepsOfItsSolver) {
  for (const char* whole : {"period: 1 ms", "period: 3 ms", "rate: 500 Hz"}) {
    EXPECT_EQ(error_of(whole, co_simulation, "forward-euler"), "loaded") << whole;
  }
  for (const char* broken : {"period: 1.5 ms", "period: 500 us", "rate: 400 Hz", "rate: 3 kHz"}) {
    const std::string error = error_of(broken, co_simulation, "forward-euler");
    EXPECT_THAT(error, StartsWith(broken[0] == 'p' ? "rig.yaml:1: frame.period: found "
                                                   : "rig.yaml:1: frame.rate: found "));
    EXPECT_THAT(error, HasSubstr("expected steps of a whole multiple of 0.001 s"));
  }
  EXPECT_EQ(error_of("rate: 400 Hz", "state_space_3.fmu", "rk-4"), "loaded");
}

TEST(FmuSource, CapsAreNumbersAndWords) {
  const auto with = [](const std::string& caps) {
    return error_of("period: 1 ms", "trouble_3.fmu, caps: {" + caps + "}", "rk-4");
  };
  EXPECT_EQ(with("event_iterations: {max: 4, then: stop}, step_parts: {max: 2, then: carry-on}"),
            "loaded");
  EXPECT_THAT(with("event_iterations: {max: 0}"),
              StartsWith("rig.yaml:2: model.caps.event_iterations.max: found \"0\", expected a"));
  EXPECT_THAT(with("zero_advance: {then: wait}"),
              StartsWith("rig.yaml:2: model.caps.zero_advance.then: found \"wait\""));
  EXPECT_THAT(with("steps: {max: 1}"),
              StartsWith("rig.yaml:2: model.caps.steps: found an unknown"));
}

// Nothing is rounded, or cut to what an Int32 holds.
TEST(FmuSource, WholeParametersTakeWholeNumbersOfTheirType) {
  const auto with = [](const std::string& kind) {
    return error_of("period: 1 ms", "trouble_3.fmu, parameters: {kind: " + kind + "}", "rk-4");
  };
  EXPECT_EQ(with("2"), "loaded");
  EXPECT_THAT(with("1.5"), StartsWith("rig.yaml:2: model.parameters.kind: found \"1.5\", expected "
                                      "a whole number"));
  for (const char* far : {"99999999999", "2147483648", "-2147483649"}) {
    EXPECT_THAT(with(far), HasSubstr(fmt::format("model.parameters.kind: found \"{}\", expected a "
                                                 "number, -2147483648..2147483647",
                                                 far)));
  }
}

}  // namespace
}  // namespace hild::config
