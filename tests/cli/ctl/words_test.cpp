// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a person reads of replies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

TEST(Words, ValuesComeWithTheirUnits) {
  FakeDaemon daemon;
  daemon.answer("get", json::parse(R"({"frame":41,"time_s":0.042,"frozen":true,
      "values":{"shaft_speed":119.875,"output:current":null,"ratio":2}})"));
  EXPECT_EQ(hildctl(daemon, {"get"}).out,
            "frame 41  0.042 s  frozen\n"
            "shaft_speed     119.875  rad/s\n"
            "output:current        -  A\n"
            "ratio                 2\n");
}

TEST(Words, ValuesSayWhenTheirLineCarriesSomethingElse) {
  FakeDaemon daemon;
  daemon.answer("get", json::parse(R"({"frame":41,"time_s":0.042,"frozen":false,
      "values":{"shaft_speed":467,"output:current":1.5},
      "differs":{"shaft_speed":{"plant":467,"line":0,"why":"disarmed"},
                 "output:current":{"plant":2,"line":null,"why":"fault stuck"}},
      "told":[{"of":"outputs","is":"disarmed","level":"fair","words":"disarmed: they are safe"}]})"));
  EXPECT_EQ(hildctl(daemon, {"get"}).out,
            "frame 41  0.042 s\n"
            "outputs: disarmed: they are safe\n"
            "shaft_speed     467  rad/s  line 0 rad/s, plant 467 rad/s: disarmed\n"
            "output:current  1.5  A      plant 2 A: fault stuck\n");
}

TEST(Words, StatusHasTheWordsOfTheDaemon) {
  FakeDaemon daemon;
  daemon.answer("status", json::parse(R"({"state":"frozen","armed":true,
      "recording":{"file":"run.mcap","blocks":1,"blocks_max":128},
      "told":[{"of":"run","is":"frozen","level":"fair","words":"frozen, single-stepping"},
              {"of":"outputs","is":"armed","level":"fair","words":"armed, but not the plant's"},
              {"of":"alarms","is":"open","level":"fair","words":"open: slow"},
              {"of":"faults","is":"falsified","level":"fair","words":"u stuck 3"},
              {"of":"stimuli","is":"none","level":"quiet","words":"none"},
              {"of":"recording","is":"losing","level":"bad","words":"run.mcap: 12 frames are missing"},
              {"of":"guard","is":"watching","level":"quiet","words":"watching"},
              {"of":"access","is":"read-only","level":"note","words":"read-only: as configured"}]})"));
  const std::string out = hildctl(daemon, {"status"}).out;
  for (const char* words :
       {"state         frozen, single-stepping\n", "outputs       armed, but not the plant's\n",
        "alarms        open: slow\n", "faults        u stuck 3\n", "stimuli       none\n",
        "recording     run.mcap: 12 frames are missing; at most 1 of 128 blocks",
        "guard         watching\n", "access        read-only: as configured\n"}) {
    EXPECT_THAT(out, HasSubstr(words));
  }
}

TEST(Words, TheListTellsUnitsLimitsAndWires) {
  FakeDaemon daemon;
  const std::string all = hildctl(daemon, {"list"}).out;
  EXPECT_THAT(all, HasSubstr("parameters\n"
                             "  inertia  0.0004  kg m2  from 1e-12, start 0.0004\n"
                             "  ratio         1         0 ... 10, start 1\n"));
  EXPECT_THAT(all, HasSubstr("shaft_speed  120  rad/s  to rig channel 0, safe 0\n"));
  const std::string inputs = hildctl(daemon, {"list", "inputs"}).out;
  EXPECT_THAT(inputs, HasSubstr("load_torque"));
  EXPECT_THAT(inputs, testing::Not(HasSubstr("shaft_speed")));
}

TEST(Words, AlarmsAreListedWithWhetherTheyAreOpen) {
  FakeDaemon daemon;
  const std::string alarms =
      "alarms\n"
      "  hot   open    state:current above 40 A: the winding is hot; latches; then disarm\n"
      "  slow  active  shaft_speed below 20 rad/s\n";
  EXPECT_EQ(hildctl(daemon, {"list", "alarms"}).out, alarms);
  EXPECT_THAT(hildctl(daemon, {"list"}).out, HasSubstr(alarms));
}

TEST(Words, OverrunsTellWhy) {
  FakeDaemon daemon;
  daemon.answer("overruns", json::parse(R"({"total":12,"overruns":[
      {"step":100,"frame":101,"time_s":0.101,"lateness_us":56.2,"cause":"device","span":1,
       "words":"frame 101: +56 us late, device took 900 us",
       "before":[{"step":99,"phases_us":{"wake":3.1,"device":4.0,"commit":0}}]}]})"));
  EXPECT_EQ(hildctl(daemon, {"overruns"}).out,
            "12 overruns, the last 1:\n"
            "  0.101000 s  frame 101: +56 us late, device took 900 us\n"
            "                step 99: wake 3.1, device 4.0 us\n");
  daemon.answer("overruns", json::parse(R"({"total":0,"overruns":[]})"));
  EXPECT_EQ(hildctl(daemon, {"overruns"}).out, "no overruns\n");
}

TEST(Words, FaultsAreListed) {
  FakeDaemon daemon;
  daemon.answer("status", json::parse(R"({"overrides":[
      {"signal":"shaft_speed","kind":"stuck","value":0,"until_frame":900},
      {"signal":"current","kind":"dropout"}]})"));
  EXPECT_EQ(hildctl(daemon, {"fault"}).out,
            "shaft_speed  stuck    0  until frame 900\n"
            "current      dropout  -  until released\n");
}

TEST(Words, StatusShowsWhatMatters) {
  FakeDaemon daemon;
  daemon.answer("status", json::parse(R"({"state":"running","model":"dc-motor","method":"rtam-2",
      "sampling":"stage","period_s":0.001,"frame":5000,"frames":5000,"steps":4999,"sim_time_s":5,
      "overruns":{"total":3,"percent":0.06,"by_cause":{"late_wake":2,"device":1,"pass":0}},
      "late_wakes":4,"doubled_steps":1,"slips":0,"frozen_frames":0,"state_events":0,
      "external_events":{"served":7,"deferred":1,"refused":2,"by_class":{}},
      "records_dropped":0,"work_us":{"p50":12.5,"p99":20,"p999":31,"max":40},
      "utilisation":{"p50":0.0125,"p99":0.02,"max":0.04,"limit":0.8},
      "overrides":[{"signal":"shaft_speed","kind":"stuck","value":0}],"stimuli":[],
      "clients":1,"samples_lost":0,"writing":false,"version":"0.1.0","pid":42})"));
  const std::string out = hildctl(daemon, {"status"}).out;
  for (const char* words :
       {"state         running\n", "dc-motor by rtam-2, sampling stage, frame 1 ms",
        "3, 0.06 % (late_wake 2, device 1)", "p50 1.2 %  p99 2.0 %  max 4.0 %, 80 % allowed",
        "p50 12.5  p99 20  p999 31  max 40 us", "served 7, deferred 1, refused 2",
        "faults        shaft_speed stuck 0\n", "stimuli       none\n",
        "hild 0.1.0, pid 42, 1 clients, writing disabled"}) {
    EXPECT_THAT(out, HasSubstr(words));
  }
}

TEST(Words, ADaemonThatTellsLessIsNoReasonToFail) {
  FakeDaemon daemon;
  daemon.answer("status", json::object{});
  daemon.answer("list", json::object{});
  daemon.answer("overruns", 3);
  for (const char* command : {"status", "list", "overruns", "fault"}) {
    EXPECT_EQ(hildctl(daemon, {command}).code, 0) << command;
  }
}

TEST(Words, HistogramsHaveABarForEachBin) {
  FakeDaemon daemon;
  daemon.answer("models", json::parse(R"({"cpus":[{"worker":-1,"cpu":0},{"worker":0,"cpu":3}],
      "planned":[{"model":"pump","worker":0,"start_us":1,"took_us":20.5}],
      "observed":[{"model":"valve","worker":-1,"runs":9,"start_us":{"p50":25.125,"p99":30,"max":31},
                   "took_us":{"p50":7,"p99":9,"max":10}},
                  {"model":"pump","worker":0,"runs":9,"start_us":{"p50":26,"p99":30,"max":31},
                   "took_us":{"p50":21,"p99":24.5,"max":30}}]})"));
  const std::string table = hildctl(daemon, {"models"}).out;
  EXPECT_THAT(table, testing::ContainsRegex("valve +frame thread, CPU 0 +25.1 +7.0 +9.0"));
  EXPECT_THAT(table, testing::ContainsRegex("pump +CPU 3 +26.0 +21.0 +24.5 +20.5"));
  daemon.answer("models", json::parse(R"({"cpus":[],"planned":[],"observed":[]})"));
  EXPECT_EQ(hildctl(daemon, {"models"}).out, "no model is run beside another\n");
  daemon.answer("histograms", json::parse(R"({"wake":{"edges_us":[1,2,5],"counts":[0,10,5,0]},
                                              "work":{"edges_us":[1],"counts":[0,0]}})"));
  const std::string out = hildctl(daemon, {"histograms"}).out;
  EXPECT_THAT(out, HasSubstr("wake\n  1  ..  2  us  10  █"));
  EXPECT_THAT(out, HasSubstr("\n  2  ..  5  us   5  █"));
  EXPECT_THAT(out, HasSubstr("work: nothing yet\n"));
}

}  // namespace
}  // namespace hild::ctl
