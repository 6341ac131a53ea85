// SPDX-License-Identifier: Apache-2.0
/// What the journal gets of each line.
#include "recording/record/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/logger.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "recording/record/overrun_log.hpp"
#include "records.hpp"

namespace hild::record {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

std::vector<std::vector<std::string>> sent;

int keep(const iovec* fields, int count) {
  auto& line = sent.emplace_back();
  for (const iovec& f : std::span(fields, static_cast<std::size_t>(count))) {
    line.emplace_back(static_cast<const char*>(f.iov_base), f.iov_len);
  }
  return 0;
}

class Journal : public testing::Test {
 protected:
  Journal() { sent.clear(); }
  std::shared_ptr<spdlog::logger> logger_ = std::make_shared<spdlog::logger>(
      "hild", journal_sink(std::vector<LogField>{{"HILD_MODEL", "dc-motor"}}, keep));
};

TEST_F(Journal, GetsTheLineItsPriorityAndTheFieldsOfTheRun) {
  logger_->warn("one\ntwo = {}");
  logger_->error("three");
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_THAT(sent[0], ElementsAre("MESSAGE=one\ntwo = {}", "PRIORITY=4", "SYSLOG_IDENTIFIER=hild",
                                   "HILD_MODEL=dc-motor"));
  EXPECT_THAT(sent[1], Contains("PRIORITY=3"));
}

TEST_F(Journal, GetsTheInnermostFieldsWhileTheyLive) {
  {
    const LogFields outer({{"HILD_EVENT", "overrun"}, {"HILD_FRAME", "7"}});
    logger_->info("a");
    {
      const LogFields inner(std::vector<LogField>{{"HILD_EVENT", "slip"}});
      logger_->info("b");
    }
    logger_->info("c");
  }
  logger_->info("d");
  EXPECT_THAT(sent[0], Contains("HILD_FRAME=7"));
  EXPECT_THAT(sent[1], Contains("HILD_EVENT=slip"));
  EXPECT_THAT(sent[1], Not(Contains("HILD_FRAME=7")));
  EXPECT_THAT(sent[2], Contains("HILD_EVENT=overrun"));
  EXPECT_THAT(sent[3], Not(Contains(StartsWith("HILD_EVENT"))));
}

TEST_F(Journal, GetsOverrunsWithTheirFacts) {
  OverrunLog sink(logger_);
  give(sink, late(10, 1'200_us, io::Cause::device));
  give(sink, doubled(header(11)));
  ASSERT_EQ(sent.size(), 2U);
  for (const char* field : {"HILD_EVENT=overrun", "HILD_FRAME=10", "HILD_CAUSE=device",
                            "HILD_LATENESS_NS=1200000", "HILD_NEXT_SPAN=2", "PRIORITY=4"}) {
    EXPECT_THAT(sent[0], Contains(field));
  }
  EXPECT_THAT(sent[1], Contains("HILD_EVENT=in_step"));
}

TEST(JournalStream, IsKnownByDeviceAndInode) {
  struct stat status {};
  ASSERT_EQ(fstat(STDERR_FILENO, &status), 0);
  const std::string here = fmt::format("{}:{}", status.st_dev, status.st_ino);
  setenv("JOURNAL_STREAM", here.c_str(), 1);
  EXPECT_TRUE(goes_to_journal(STDERR_FILENO));
  setenv("JOURNAL_STREAM", (here + "1").c_str(), 1);
  EXPECT_FALSE(goes_to_journal(STDERR_FILENO));
  unsetenv("JOURNAL_STREAM");
  EXPECT_FALSE(goes_to_journal(STDERR_FILENO));
}

}  // namespace
}  // namespace hild::record
