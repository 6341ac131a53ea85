// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild check` on models: what they do in their calls, named by function.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "main/program.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

// Kinds of trouble of the FMU, as tests/fmu/sources/trouble.h counts them.
enum Kind { none, crash = 3, leave = 4, allocate = 6, chat = 7, rounding = 8, wrong_slope = 11 };

Ended check_trouble(Kind kind, std::vector<std::string> more = {},
                    const std::string& method = "forward-euler") {
  const Folder folder;
  const std::string config = folder.file(
      "trouble.yaml", fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                                  "model: {{fmu: {}/trouble_3.fmu, parameters: {{kind: {}}}}}\n"
                                  "integrator: {{method: {}}}\n",
                                  HILD_FMUS, static_cast<int>(kind), method));
  more.insert(more.begin(), {"check", config});
  return hild(more);
}

TEST(CheckModel, SaysThatACleanOneIsFit) {
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
        {"check", "--json",
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
