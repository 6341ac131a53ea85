// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs that do what they should not, with caps, in `hild check`, and in a process of their own.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "cli/main/program.hpp"
#include "hild/rt/thread.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

// Kinds of trouble of the FMU, as tests/foreign/fmu/sources/trouble.h counts them.
enum class FmuKind { endless_events = 1, leave = 4, nap = 5, hang = 14, share = 18 };

Ended run(const Folder& folder, FmuKind kind, const std::string& model,
          const char* duration = "0.2") {
  return hild(
      {"run", "--offline", "--duration", duration, "--report", folder.path("report.json"),
       folder.file("trouble.yaml",
                   fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                               "model: {{fmu: {}/trouble_3.fmu, parameters: {{kind: {}}}{}}}"
                               "\nintegrator: {{method: forward-euler}}\n",
                               HILD_FMUS, static_cast<int>(kind), model))});
}

json::value report_of(const Folder& folder) {
  return json::parse(read_file(folder.path("report.json")));
}

// Its one event never comes to rest.
TEST(FmuCaps, AreThoseOfTheConfiguration) {
  const Folder folder;
  const Ended carried_on = run(folder, FmuKind::endless_events, "");
  EXPECT_EQ(carried_on.code, 0) << carried_on.err;
  EXPECT_EQ(report_of(folder).at_pointer("/capped_steps/event_iterations"), 1);
  const Ended stopped =
      run(folder, FmuKind::endless_events, ", caps: {event_iterations: {max: 4, then: stop}}");
  EXPECT_EQ(stopped.code, 2);
  EXPECT_THAT(std::string(report_of(folder).at_pointer("/outcome/message").as_string()),
              HasSubstr("update discrete states (more often than model.caps.event_iterations)"));
}

// Of two such models one is quiet: the report and the recording tell which is not.
TEST(FmuCaps, AreToldOfTheModelThatReachedThem) {
  const Folder folder;
  const std::string fmu = HILD_FMUS "/trouble_3.fmu";
  const std::string log = folder.path("run.mcap");
  const Ended ended =
      hild({"run", "--offline", "--duration", "0.2", "--report", folder.path("report.json"),
            folder.file("two.yaml",
                        fmt::format("frame: {{period: 1 ms, priority: 0}}\n"
                                    "models:\n"
                                    "  quiet: {{fmu: {0}, integrator: {{method: forward-euler}}}}\n"
                                    "  loud: {{fmu: {0}, parameters: {{kind: {1}}},\n"
                                    "         integrator: {{method: forward-euler}}}}\n"
                                    "record: {{file: {2}}}\n",
                                    fmu, static_cast<int>(FmuKind::endless_events), log))});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto by = report_of(folder).at("capped_steps_by_model").as_object();
  EXPECT_EQ(by.at("loud").at("event_iterations"), 1);
  EXPECT_FALSE(by.contains("quiet"));
  const auto said = json::parse(hild({"log", log, "--json"}).out);
  EXPECT_EQ(said.at_pointer("/capped_steps/event_iterations"), 1);
  EXPECT_EQ(said.at_pointer("/capped_steps_by_model/loud"), 1);
  EXPECT_EQ(said.at_pointer("/capped_steps_by_model/quiet"), 0);
  const std::string shown = hild({"log", log}).out;
  EXPECT_THAT(shown, HasSubstr("Steps cut short by a cap"));
  EXPECT_THAT(shown, HasSubstr("by loud"));
  EXPECT_THAT(shown, ::testing::Not(HasSubstr("by quiet")));
}

TEST(FmuCaps, ACallOfTheKernelIsFound) {
  const Ended ended = hild({"check", fmt::format("{}/trouble_3.fmu", HILD_FMUS), "--set",
                            fmt::format("model.parameters.kind={}", static_cast<int>(FmuKind::nap)),
                            "--set", "frame.priority=0"});
  if (ended.out.find("offers no user dispatch") != std::string::npos) {
    GTEST_SKIP() << "system calls are not seen here";
  }
  EXPECT_THAT(ended.out, HasSubstr("finding: derivatives calls the kernel ("));
}

// What its process does, hild does not; but the run is over. An offline one does not wait for the
// kernel to be done with the process: it goes through many frames meanwhile.
TEST(FmuProcess, AnExitIsContained) {
  const Folder folder;
  const Ended ended =
      run(folder, FmuKind::leave, ", process: own, answer_within: 500 ms", "100000");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the model's process ended by itself, exit code 3"));
  EXPECT_EQ(report_of(folder).at_pointer("/outcome/outputs_safe"), true);
}

TEST(FmuProcess, AHangIsContained) {
  const Folder folder;
  const Ended ended = run(folder, FmuKind::hang, ", process: own, answer_within: 5 ms");
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto report = report_of(folder);
  EXPECT_EQ(report.at("frames"), 200);
  EXPECT_GE(report.at_pointer("/capped_steps/late_answers").to_number<int>(), 148);
}

// ---- two instances of one FMU on different threads ---------------------------------------------

class FmuInstances : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cpus_.size() < 2) GTEST_SKIP() << "this machine has one CPU";
  }
  /// Two in one run, each on its CPU.
  [[nodiscard]] std::string two(const std::string& model, const std::string& more = "") const {
    return folder_.file(
        "two.yaml",
        fmt::format("frame: {{period: 10 ms, priority: 0, cpu: {0}}}\n"
                    "models:\n"
                    "  left:  {{fmu: {2}/{3}, integrator: {{method: forward-euler}}}}\n"
                    "  right: {{fmu: {2}/{3}, integrator: {{method: forward-euler}}, cpu: {1}{4}}}"
                    "\n",
                    cpus_[0], cpus_[1], HILD_FMUS, model, more));
  }

  Folder folder_;
  std::vector<int> cpus_ = rt::allowed_cpus();
};

TEST_F(FmuInstances, ThatBearItAreTriedAndTold) {
  const std::string file = two("van_der_pol_3.fmu");
  const Ended checked = hild({"check", file});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("left, right of " HILD_FMUS "/van_der_pol_3.fmu"));
  const auto plan = json::parse(hild({"check", file, "--json"}).out);
  EXPECT_GT(plan.at_pointer("/instances/0/steps").to_number<int>(), 0);
  EXPECT_EQ(plan.at_pointer("/instances/0/models"), (json::array{"left", "right"}));
  const Ended ran = hild({"run", file, "--duration", "100 ms"});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(FmuInstances, OnOneThreadAreNotTried) {
  const std::string on_one = fmt::format("models.right.cpu={}", cpus_[0]);
  const Ended ended = hild({"check", two("van_der_pol_3.fmu"), "--set", on_one, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto plan = json::parse(ended.out);
  EXPECT_TRUE(plan.at("instances").as_array().empty());
}

TEST_F(FmuInstances, ThatShareWhatTheyMustNotAreRefused) {
  const auto kind = static_cast<int>(FmuKind::share);
  const std::string file = two("trouble_3.fmu", fmt::format(", parameters: {{kind: {}}}", kind));
  const std::array both{std::string("--set"), fmt::format("models.left.parameters.kind={}", kind)};
  for (const char* command : {"check", "run"}) {
    const Ended ended = hild({command, file, both[0], both[1]});
    EXPECT_EQ(ended.code, 1) << command;
    EXPECT_THAT(ended.err, ::testing::AllOf(HasSubstr("two.yaml: models left, right"),
                                            HasSubstr("other values side by side than alone"),
                                            HasSubstr("process: own")))
        << command;
  }
  const Ended offline = hild({"run", file, both[0], both[1], "--offline", "--duration", "100 ms"});
  EXPECT_EQ(offline.code, 0) << "one thread: " << offline.err;
}

}  // namespace
}  // namespace hild::test
