// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild check` on models: what they do in their calls, named by function.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

// Kinds of trouble of the FMU, as tests/foreign/fmu/sources/trouble.h counts them.
enum CheckKind {
  none,
  endless_events,
  crash = 3,
  leave,
  allocate = 6,
  chat,
  rounding,
  discard,
  zeno,
  wrong_slope,
  growth,
  chatter
};

// What frames cost on a busy machine is not asked for: it may refuse any plan.
Ended check_trouble(CheckKind kind, std::vector<std::string> more = {},
                    const std::string& method = "forward-euler") {
  const Folder folder;
  const std::string config = folder.file(
      "trouble.yaml", fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                                  "model: {{fmu: {}/trouble_3.fmu, parameters: {{kind: {}}}}}\n"
                                  "integrator: {{method: {}}}\n",
                                  HILD_FMUS, static_cast<int>(kind), method));
  more.insert(more.begin(), {"check", config, "--no-measure"});
  return hild(more);
}

TEST(CheckModel, SaysThatACleanOneIsFit) {
  if (HILD_HEAP_TRAP == 0) GTEST_SKIP() << "the memory of a sanitizer faults too";
  const Ended ended = check_trouble(none);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("The model is fit for real time"));
  EXPECT_THAT(ended.out, Not(HasSubstr("finding: ")));
}

TEST(CheckModel, NamesTheFunctionThatAllocates) {
  if (HILD_HEAP_TRAP == 0) GTEST_SKIP() << "a sanitizer owns the heap";
  const Ended ended = check_trouble(allocate);
  EXPECT_EQ(ended.code, 0) << ended.err;  // it may run, and is told what to mend
  EXPECT_THAT(ended.out, HasSubstr("finding: derivatives calls the heap"));
  EXPECT_THAT(ended.out, HasSubstr("The model may miss its frame"));
}

TEST(CheckModel, SpeaksJson) {
  if (HILD_HEAP_TRAP == 0) GTEST_SKIP() << "the memory of a sanitizer faults too";
  const Ended ended = check_trouble(rounding, {"--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto model = json::parse(ended.out).at("model_examined");
  EXPECT_FALSE(model.at("real_time").as_bool());
  const auto& calls = model.at("calls").as_object();
  EXPECT_GT(calls.at("derivatives").at("floating_point_control").to_number<long>(), 0);
  EXPECT_EQ(calls.at("outputs_of").at("heap").to_number<long>(), 0);
  EXPECT_THAT(std::string(model.at("findings").at(0).as_string()),
              HasSubstr("derivatives changes the floating-point control"));
}

// A message of an FMU goes into memory taken beforehand.
TEST(CheckModel, LoggingInTheLoopCostsNoCall) {
  const Ended ended = check_trouble(chat);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, Not(AnyOf(HasSubstr("calls the heap"), HasSubstr("system call"),
                                   HasSubstr("prints"))));
}

TEST(CheckModel, NamesTheFunctionThatLogs) {
  const Ended ended = check_trouble(chat);
  EXPECT_THAT(ended.out, HasSubstr("finding: derivatives logs"));
  EXPECT_THAT(ended.out, HasSubstr("The model may miss its frame"));
}

TEST(CheckModel, NamesTheFunctionThatReachesACap) {
  const Ended endless = check_trouble(endless_events);
  EXPECT_EQ(endless.code, 0) << endless.err;
  EXPECT_THAT(endless.out, HasSubstr("finding: on_event is not done with an event"));
  const Ended never_ahead = check_trouble(zeno);
  EXPECT_EQ(never_ahead.code, 0) << never_ahead.err;
  EXPECT_THAT(never_ahead.out,
              HasSubstr("finding: on_time_event asks for time events that do not"));
  const Ended relay = check_trouble(chatter);
  EXPECT_EQ(relay.code, 0) << relay.err;
  EXPECT_THAT(relay.out, HasSubstr("finding: on_event is due in every step for "));
}

// By the FMU's own name for it.
TEST(CheckModel, NamesTheCallThatFails) {
  const Ended discarded = check_trouble(discard);
  EXPECT_EQ(discarded.code, 1);
  EXPECT_THAT(discarded.out, HasSubstr("model trouble: `get derivatives` fails"));
  EXPECT_THAT(discarded.out, HasSubstr("finding: `get derivatives` fails"));
  EXPECT_THAT(discarded.out, Not(HasSubstr("no number")));  // which follows from it
  const Ended grown = check_trouble(growth);
  EXPECT_EQ(grown.code, 1);
  EXPECT_THAT(grown.out, HasSubstr("`get number of states (it is not what it was at load)` fails"));
}

// Two of them, of which the first is as it should be.
Ended check_two(CheckKind bad, const std::string& method = "forward-euler") {
  const Folder folder;
  const auto model = [&](CheckKind kind) {
    return fmt::format(
        "{{fmu: {}/trouble_3.fmu, parameters: {{kind: {}}}, integrator: {{method: {}}}}}\n",
        HILD_FMUS, static_cast<int>(kind), method);
  };
  const std::string config = folder.file(
      "two.yaml", "frame: {period: 1 ms, priority: 0}\nmodels:\n  good: " + model(none) +
                      "  bad: " + model(bad));
  return hild({"check", config, "--no-measure"});
}

TEST(CheckModel, NamesWhichOfSeveralItIs) {
  if (HILD_HEAP_TRAP == 0) GTEST_SKIP() << "the memory of a sanitizer faults too";
  const Ended logs = check_two(chat);
  EXPECT_EQ(logs.code, 0) << logs.err;
  EXPECT_THAT(logs.out, HasSubstr("finding: bad: derivatives logs"));
  EXPECT_THAT(logs.out, Not(AnyOf(HasSubstr("finding: good"), HasSubstr("connected: "))));
  EXPECT_THAT(check_two(crash).err, HasSubstr("two.yaml: models.bad: derivatives crashes ("));
  const Ended failed = check_two(discard);
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.out, HasSubstr("models.bad: `get derivatives` fails"));
  EXPECT_THAT(failed.out, Not(HasSubstr("connected: ")));
}

TEST(CheckModel, TellsOfSeveralWhatAJacobianTakes) {
  const Ended ended = check_two(none, "backward-euler");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("good: directional derivatives, "));
  EXPECT_THAT(ended.out, HasSubstr("bad: directional derivatives, "));
}

TEST(CheckModel, FindsDirectionalDerivativesThatAreNone) {
  EXPECT_EQ(check_trouble(none, {}, "backward-euler").code, 0);
  const Ended ended = check_trouble(wrong_slope, {}, "backward-euler");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("its Jacobian has d(x')/d(x) = 5, but its derivatives change"));
}

// structure: of an FMU gives its arrays their sizes.
TEST(CheckModel, TakesSizesOfArrays) {
  const Folder folder;
  const auto with = [&](const std::string& structure) {
    return hild(
        {"check", "--json", "--no-measure",
         folder.file("sizes.yaml", fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                                               "model: {{fmu: {}/state_space_3.fmu, structure: {}, "
                                               "initial: {{'x[4]': 0.5}}}}\n"
                                               "integrator: {{method: rk-4}}\n",
                                               HILD_FMUS, structure))});
  };
  EXPECT_EQ(with("{n: 4}").code, 0) << with("{n: 4}").err;
  EXPECT_THAT(with("{n: 3}").err, HasSubstr("x[4]"));
  EXPECT_THAT(with("{n: -1}").err, HasSubstr("model.structure.n"));
  EXPECT_THAT(with("{m: 3}").err, HasSubstr("sizes.yaml:2: model.fmu"));
  EXPECT_THAT(with("{m: 3}").err, HasSubstr("`m` is no structural parameter; there is n"));
}

// Ten thousand states, of which a step takes milliseconds: some are enough.
TEST(CheckModel, TakesNoThousandStepsOfALargeOne) {
  if (HILD_HEAP_TRAP == 0) GTEST_SKIP() << "the memory of a sanitizer faults too";
  const Folder folder;
  const Ended ended = hild({"check", "--json", "--no-measure",
                            folder.file("plate.yaml",
                                        "frame: {period: 10 s, priority: 0}\n"
                                        "model: {plugin: " HILD_PLUGINS "/plate.so}\n"
                                        "integrator: {method: libe}\n")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto model = json::parse(ended.out).at("model_examined");
  EXPECT_TRUE(model.at("real_time").as_bool()) << ended.out;
  const auto& calls = model.at("calls").as_object();
  EXPECT_GE(calls.at("derivatives").at("calls").to_number<long>(), 1);
  EXPECT_LT(calls.at("derivatives").at("calls").to_number<long>(), 1000);
}

TEST(CheckModel, OutlivesAModelThatEndsTheProcess) {
  const Ended crashed = check_trouble(crash);
  EXPECT_EQ(crashed.code, 1);
  EXPECT_THAT(crashed.err, HasSubstr("model trouble: derivatives crashes ("));
  const Ended left = check_trouble(leave);
  EXPECT_EQ(left.code, 1);
  EXPECT_THAT(left.err, HasSubstr("derivatives ends the process (exit code 3)"));
}

}  // namespace
}  // namespace hild::test
