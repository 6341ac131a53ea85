// SPDX-License-Identifier: Apache-2.0
#include "cli/report/outcome.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hild::report {
namespace {

using exec::End;

constexpr std::array states{model::State{"current", "A"}, model::State{"speed", "rad/s"}};
constexpr std::array outputs{model::Output{"shaft_speed", "rad/s"}};
const model::Description motor{
    .name = "dc-motor", .summary = "", .states = states, .outputs = outputs};

OutcomeFacts facts() {
  OutcomeFacts f;
  f.config = "demo.yaml";
  f.plant = &motor;
  return f;
}

exec::Outcome fault(bool in_states, std::size_t index) {
  exec::Outcome o;
  o.end = End::model_fault;
  o.frame = 812;
  o.in_states = in_states;
  o.index = index;
  return o;
}

// A service does not begin again after it by itself: systemd/hild@.service,
// RestartPreventExitStatus.
TEST(Outcome, AnInterlockHasAnExitCodeOfItsOwn) {
  exec::Outcome o;
  o.end = End::interlock;
  EXPECT_EQ(static_cast<int>(exit_code(o)), 5);
  EXPECT_EQ(exit_code(fault(true, 0)), ExitCode::fault);
}

TEST(Outcome, TellsOfErrorsThatStayedTooLarge) {
  OutcomeFacts f = facts();
  f.frames = 100;
  f.inaccurate_steps = 45;
  const Verdict v = verdict({}, f);
  EXPECT_EQ(v.what,
            "The run ended after the duration asked for. In 45 of 100 frames the estimated error "
            "of a step stayed larger than accuracy.limit allows.");
  EXPECT_EQ(v.next,
            "take a shorter step or another method: `hild advise demo.yaml` finds what suits");
}

TEST(Outcome, NamesTheStateWhoseErrorEndedTheRun) {
  exec::Outcome o = fault(true, 1);
  o.fault = exec::Fault::inaccurate;
  o.t = SimTime{} + 813_ms;
  o.value = 0.032;
  EXPECT_EQ(verdict(o, facts()).what,
            "Stopped at 0.813 s (frame 812): the estimated error of a step stayed 0.032 of the "
            "size of `speed`, larger than accuracy.limit allows.");
  EXPECT_EQ(to_string(o.fault), "inaccurate");
}

TEST(Outcome, AGoodEndNeedsNoAdvice) {
  const Verdict v = verdict({}, facts());
  EXPECT_EQ(v.what, "The run ended after the duration asked for.");
  EXPECT_EQ(v.next, "");
  exec::Outcome asked;
  asked.end = End::requested;
  EXPECT_EQ(verdict(asked, facts()).what, "The run was stopped on request.");
}

TEST(Outcome, AnInterlockIsNamedWithItsLimit) {
  const config::Interlock interlocks[] = {
      {"button", "line button", {exec::Interlock::Of::input, 3, -INFINITY, 0.5}},
      {"overspeed", "output shaft_speed", {exec::Interlock::Of::output, 0, -400, 400}}};
  OutcomeFacts f = facts();
  f.interlocks = interlocks;
  exec::Outcome o;
  o.end = End::interlock;
  o.frame = 12;
  o.value = 1;
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 12: interlock `button` tripped: line button was 1, allowed is at "
            "most 0.5.");
  o.index = 1;
  o.value = 412;
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 12: interlock `overspeed` tripped: output shaft_speed was 412, "
            "allowed is -400 to 400.");
  EXPECT_EQ(exit_code(o), ExitCode::interlock);
}

TEST(Outcome, AnAlarmIsNamedWithWhatItMeans) {
  const config::Alarm alarms[] = {
      {"hot", "output temperature", "K", "the winding is hot", {.low = -INFINITY, .high = 360}},
      {"odd", "state x", "1", "", {.low = -1, .high = 1}}};
  OutcomeFacts f = facts();
  f.alarms = alarms;
  exec::Outcome o;
  o.end = End::alarm;
  o.frame = 12;
  o.value = 361.5;
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 12: alarm `hot`, the winding is hot: output temperature was 361.5 K, "
            "allowed is at most 360.");
  o.index = 1;
  o.value = 2;
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 12: alarm `odd`: state x was 2, allowed is -1 to 1.");
  EXPECT_EQ(to_string(o.end), "alarm");
  EXPECT_EQ(exit_code(o), ExitCode::interlock);
}

TEST(Outcome, ARunWithoutItsGuardIsAFault) {
  exec::Outcome o;
  o.end = End::guard_lost;
  o.frame = 12;
  EXPECT_EQ(verdict(o, facts()).what, "Stopped in frame 12: the guard of the outputs died.");
  EXPECT_EQ(exit_code(o), ExitCode::fault);
  EXPECT_EQ(to_string(o.end), "guard_lost");
}

TEST(Outcome, AModelFaultNamesTheValue) {
  exec::Outcome state = fault(true, 1);
  state.value = std::nan("");
  EXPECT_EQ(verdict(state, facts()).what,
            "Stopped: state `speed` of dc-motor became NaN in frame 812.");
  exec::Outcome output = fault(false, 0);
  output.value = -INFINITY;
  EXPECT_EQ(verdict(output, facts()).what,
            "Stopped: output `shaft_speed` of dc-motor became minus infinite in frame 812.");
  EXPECT_NE(verdict(output, facts()).next.find("a shorter frame.period"), std::string::npos);
}

TEST(Outcome, AnImplausibleStateIsToldWithItsRangeTheTimeAndWhatToDo) {
  exec::Outcome state = fault(true, 1);
  state.fault = exec::Fault::implausible;
  state.value = -2.5e6;
  state.t = SimTime{} + 1500_ms;
  state.plausible = {-1e6, 1e6};
  const Verdict v = verdict(state, facts());
  EXPECT_EQ(v.what,
            "Stopped: state `speed` of dc-motor was -2.5e+06 rad/s at 1.5 s (frame 812), plausible "
            "is -1e+06 to 1e+06 rad/s.");
  for (const char* next : {"`hild check demo.yaml`", "`hild advise demo.yaml`", "`plausible`"}) {
    EXPECT_NE(v.next.find(next), std::string::npos) << next;
  }
  EXPECT_EQ(exit_code(state), ExitCode::fault);
}

TEST(Outcome, OutputsCutForTooLongAreAFaultOfTheirOwn) {
  exec::Outcome o = fault(true, 0);
  o.fault = exec::Fault::clamped;
  o.t = SimTime{} + 12_s;
  OutcomeFacts f = facts();
  f.clamped = "`shaft_speed`";
  EXPECT_EQ(verdict(o, f).what,
            "Stopped at 12 s (frame 812): outputs were cut to their limits for as long as "
            "safety.clamped allows: `shaft_speed`.");
  EXPECT_EQ(exit_code(o), ExitCode::fault);
}

TEST(Outcome, AnEndInTimeTellsOfOutputsThatWereCut) {
  OutcomeFacts f = facts();
  f.frames = 100;
  f.clamped_frames = 77;
  f.clamped = "`shaft_speed`";
  const Verdict v = verdict({}, f);
  EXPECT_EQ(v.what,
            "The run ended after the duration asked for. Its outputs were cut to their limits in "
            "77 of 100 frames (`shaft_speed`), and did not follow the model there.");
  EXPECT_NE(v.next.find("`hild check demo.yaml`"), std::string::npos);
  EXPECT_EQ(exit_code({}), ExitCode::done) << "it only warns";
}

TEST(Outcome, AModelFaultWithoutNamesOrValue) {
  EXPECT_EQ(verdict(fault(true, 7), facts()).what,
            "Stopped: state 7 of dc-motor was no longer a finite number in frame 812.");
}

TEST(Outcome, AnOverrunLimitTellsTheLimitAndWhatToDoAboutTheCause) {
  exec::Outcome o;
  o.end = End::overrun_limit;
  o.frame = 1200;
  OutcomeFacts f = facts();
  f.overrun.limit_percent = 1;
  f.overrun.consecutive = 10;
  f.by_cause[static_cast<std::size_t>(io::Cause::late_wake)] = 12;
  f.by_cause[static_cast<std::size_t>(io::Cause::device)] = 3;
  const Verdict v = verdict(o, f);
  EXPECT_EQ(v.what,
            "Stopped in frame 1200: more than 1 % of the last 1000 steps, or 10 in a row were "
            "late, slipped or unanswered.");
  EXPECT_EQ(v.next,
            "the kernel woke hild late: use a PREEMPT_RT kernel, an isolated CPU (frame.cpu) and "
            "SCHED_FIFO (frame.priority)");
}

TEST(Outcome, APolicyOfStoppingAtTheFirstLateStep) {
  exec::Outcome o;
  o.end = End::overrun_limit;
  o.frame = 7;
  OutcomeFacts f = facts();
  f.overrun.policy = exec::OverrunPolicy::stop;
  EXPECT_EQ(verdict(o, f).what, "Stopped in frame 7: a step was late or unanswered.");
}

TEST(Outcome, AFreezeIsToldThoughTheRunWentOn) {
  exec::Outcome o;
  o.limit_reached = true;
  OutcomeFacts f = facts();
  f.overrun.consecutive = 3;
  EXPECT_EQ(verdict(o, f).what,
            "The run ended after the duration asked for. Before that an overrun limit was reached "
            "(3 in a row were late, slipped or unanswered) and the plant was frozen.");
  EXPECT_NE(verdict(o, f).next, "");
}

TEST(Outcome, APlantThatStoodStill) {
  exec::Outcome o;
  o.end = End::overrun_limit;
  o.frame = 812;
  o.limit_reached = true;
  o.stood = 4'100_ms;
  OutcomeFacts f = facts();
  f.overrun.standstill = 1_s;
  o.limit = exec::Limit::standstill;
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 812: no frame began for 4.1 s, and overrun.standstill allows 1 s.");
  EXPECT_NE(verdict(o, f).next.find("SIGSTOP"), std::string::npos);
  o.limit = exec::Limit::silent;
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 812: the model did not answer for 4.1 s, and overrun.standstill "
            "allows 1 s.");
  o.limit = exec::Limit::gone;
  EXPECT_EQ(verdict(o, f).what, "Stopped in frame 812: the model's process has ended.");
  f.model_ending = "the model's process was ended by signal 9 (Killed)";
  EXPECT_EQ(verdict(o, f).what,
            "Stopped in frame 812: the model's process was ended by signal 9 (Killed).");
  EXPECT_NE(verdict(o, f).next.find("`hild check demo.yaml`"), std::string::npos);
  o.end = End::requested;
  EXPECT_EQ(exit_code(o), ExitCode::overrun_limit);
  EXPECT_EQ(verdict(o, f).what,
            "The run was stopped on request. Before that the plant stood still (the model's "
            "process was ended by signal 9 (Killed)) and its outputs were made safe.");
  f.overrun.then = exec::LimitAction::freeze;
  EXPECT_NE(verdict(o, f).what.find("the plant was frozen, its outputs were made safe."),
            std::string::npos);
}

TEST(Outcome, ADeviceFailureGivesTheDevicesWords) {
  exec::Outcome o;
  o.end = End::device_failed;
  o.frame = 5;
  OutcomeFacts f = facts();
  f.device_failure = "device daq: no such device";
  EXPECT_EQ(verdict(o, f).what, "Stopped in frame 5: device daq: no such device.");
  EXPECT_NE(verdict(o, f).next.find("`hild io demo.yaml`"), std::string::npos);
}

TEST(Outcome, UnsafeOutputsComeFirstInTheAdvice) {
  exec::Outcome o;
  o.safe = false;
  const Verdict v = verdict(o, facts());
  EXPECT_EQ(v.what,
            "The run ended after the duration asked for. Not every output took its safe value!");
  EXPECT_EQ(v.next, "make the outputs safe by hand or with `hild safe demo.yaml`");
}

TEST(Outcome, ExitCodes) {
  const auto code = [](End end, bool limit, bool safe) {
    exec::Outcome o;
    o.end = end;
    o.limit_reached = limit;
    o.safe = safe;
    return static_cast<int>(exit_code(o));
  };
  EXPECT_EQ(code(End::duration, false, true), 0);
  EXPECT_EQ(code(End::requested, false, true), 0);
  EXPECT_EQ(code(End::duration, true, true), 3) << "frozen";
  EXPECT_EQ(code(End::duration, false, false), 4) << "outputs not safe";
  EXPECT_EQ(code(End::overrun_limit, true, true), 3);
  EXPECT_EQ(code(End::device_failed, false, false), 4);
  EXPECT_EQ(code(End::model_fault, false, true), 2);
}

TEST(Outcome, TheMainCauseIsNotALatenessInherited) {
  ByCause by_cause{};
  EXPECT_EQ(main_cause(by_cause), io::Cause::none);
  by_cause[static_cast<std::size_t>(io::Cause::carried)] = 50;
  by_cause[static_cast<std::size_t>(io::Cause::pass)] = 4;
  by_cause[static_cast<std::size_t>(io::Cause::device)] = 2;
  EXPECT_EQ(main_cause(by_cause), io::Cause::pass);
}

}  // namespace
}  // namespace hild::report
