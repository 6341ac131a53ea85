// SPDX-License-Identifier: Apache-2.0
#include "cli/report/terminal.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/report/text.hpp"
#include "sample_run.hpp"
#include "styles.hpp"

namespace hild::report {
namespace {

int widest(const std::string& text) {
  std::istringstream lines(text);
  int most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, columns(line));
  return most;
}

TEST(Terminal, CountsInTwoColumns) {
  EXPECT_EQ(counts_table(SampleRun().report(), ascii),
            " frames                          1002   simulated time               1.002 s\n"
            " steps                           1000   late wakes                         4\n"
            " overruns                    3  0.3 %   doubled steps                      2\n"
            " slips (frames)                     1   frozen frames                      5\n"
            " late samples                       6   state events                       7\n"
            "   put off                          8   time events                        9\n"
            " over budget                       14   records lost                      13\n"
            " not ahead                         16   external events                   10\n"
            "   put off                         11     refused                         12\n"
            " clamped outputs                   15\n");
}

TEST(Terminal, WhatDidNotHappenIsLeftOut) {
  const config::Config config;
  const exec::Statistics statistics;
  const Report r = make_report({.config = config, .statistics = statistics});
  EXPECT_EQ(counts_table(r, ascii),
            " frames                             0   simulated time               0.000 s\n"
            " steps                              0   late wakes                         0\n"
            " overruns                           0   doubled steps                      0\n"
            " slips (frames)                     0\n");
  EXPECT_EQ(causes_table(r, ascii), "");
}

TEST(Terminal, CausesWithTheMostFrequentFirst) {
  EXPECT_EQ(causes_table(SampleRun().report(), ascii),
            " device                             2   66.7 %  ###################\n"
            " late wake                          1   33.3 %  #########\n");
}

TEST(Terminal, AnUnknownCauseSaysHowToFindIt) {
  Report r = SampleRun().report();
  r.by_cause[static_cast<std::size_t>(io::Cause::unknown)] = 1;
  EXPECT_THAT(causes_table(r, ascii), testing::HasSubstr("overrun.evidence=true"));
  r.evidence = true;
  EXPECT_THAT(causes_table(r, ascii), testing::Not(testing::HasSubstr("overrun.evidence=true")));
}

TEST(Terminal, TimesAligned) {
  EXPECT_EQ(times_table(SampleRun().report(), ascii),
            " us                           p50       p99     p99.9       max\n"
            " wake latency                12.3      12.3      12.3      12.3\n"
            " device                      40.0      40.0      40.0      40.0\n"
            " passes                       9.0       9.0       9.0       9.0\n"
            "     pass 0                   5.0       5.0       5.0       5.0\n"
            "     pass 1                   4.0       4.0       4.0       4.0\n"
            " work in a frame            250.0     250.0     250.0     250.0\n"
            " lateness of overruns       214.0     214.0     214.0     214.0\n");
}

// A quarter of 50 cells is 12 or 13; the budget's mark is at 0.8 of the way, cell 39 of 0 ... 49.
TEST(Terminal, UtilisationAgainstTheBudget) {
  const std::string row = std::string(13, '#') + std::string(26, '.') + "|" + std::string(10, '.');
  EXPECT_EQ(load_table(SampleRun().report(), ascii),
            " p50           25.0 %  " + row + "\n p99           25.0 %  " + row +
                "\n max           25.0 %  " + row +
                "\n budget 80 % of 1000.0 us, exceeded in 14 frames\n"
                " margin left: min 750.0 us, p1 750.0 us, p50 750.0 us\n");
}

TEST(Terminal, VerdictAndWarningsAreWrapped) {
  const Style narrow{.utf8 = false, .colour = false, .width = 30};
  EXPECT_EQ(verdict_text({"Stopped in frame 7: a step was late.", "see the manual"}, false, narrow),
            " Stopped in frame 7: a step\n was late.\n Next: see the manual.\n");
  const std::vector<std::string> warnings{"no SCHED_FIFO, run as root or allow it"};
  EXPECT_EQ(warnings_text(warnings, narrow),
            " warning: no SCHED_FIFO, run\n   as root or allow it\n");
}

TEST(Terminal, TheWholeInOrder) {
  const PlottedSignal signal{.name = "shaft_speed",
                             .unit = "rad/s",
                             .points = {{0, 0, 0, 0}, {1, 100, 100, 100}},
                             .latest = 100};
  const std::string text = terminal_report(SampleRun().report(), {&signal, 1}, ascii);
  std::size_t at = 0;
  for (const char* part :
       {" hild run demo.yaml\n dc-motor with rtam-2 at 1000 Hz, sampling: stage\n",
        " The run ended after the duration asked for.\n", " frames ", "\n\n Overruns by cause\n",
        "\n\n Where the time goes\n", "\n\n Utilisation\n",
        "\n\n Wake latency\n   10 .. 20 us     1 100.00 %  ####", "\n\n ** shaft_speed ",
        "\n\n warning: no SCHED_FIFO\n"}) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "\nin\n" << text;
    at = found;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (const char c : text) ASSERT_GE(c, 0) << "plain ASCII only";
}

TEST(Terminal, EveryLineFitsWhateverTheNamesAndNumbers) {
  SampleRun run;
  run.config.file = std::string(200, 'f');
  run.config.model.type = std::string(100, 'm');
  run.statistics.frames.set(9'000'000'000'000);
  run.statistics.overruns.set(8'000'000'000);
  run.statistics.steps.set(9'000'000'000);
  run.statistics.by_cause[3].set(8'000'000'000);
  run.statistics.wake.add(999_s);
  run.statistics.wake.add(10_ns);
  run.statistics.lateness.add(999_s);
  run.outcome.end = exec::End::overrun_limit;
  run.outcome.safe = false;
  run.config.settings.overrun.limit_percent = 1;
  const PlottedSignal signal{.name = std::string(63, 's'),
                             .unit = "kg m2 s-3 A-1",
                             .points = {{0, -1.2345e-12, 0, 0}, {1e6, 1, 1.2345e12, 1}},
                             .latest = -1.2345e-12};
  Report r = run.report();
  r.verdict.next = "see the manual";
  for (const bool utf8 : {false, true}) {
    for (const int width : {64, 77, 78, 80, 120}) {
      const Style style{.utf8 = utf8, .colour = false, .width = width};
      const std::string text = terminal_report(r, {&signal, 1}, style);
      EXPECT_LE(widest(text), width) << text;
    }
  }
}

TEST(Terminal, ColourMarksWhatIsWrong) {
  const Style colour{.utf8 = false, .colour = true, .width = 80};
  SampleRun run;
  EXPECT_NE(terminal_report(run.report(), {}, colour).find("\x1b[32mThe run ended"),
            std::string::npos);
  run.outcome.end = exec::End::device_failed;
  EXPECT_NE(terminal_report(run.report(), {}, colour).find("\x1b[31mStopped"), std::string::npos);
}

}  // namespace
}  // namespace hild::report
