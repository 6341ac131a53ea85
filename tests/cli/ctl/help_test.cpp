// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "cli/ctl/commands.hpp"
#include "cli/main/program.hpp"

namespace hild::ctl {
namespace {

using testing::HasSubstr;

TEST(Help, OfEveryCommandHasAnExampleAndTheCommonOptions) {
  CLI::App app("", "hildctl");
  Exit ignored = Exit::done;
  add_all(app, ignored);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    const auto ended = test::hild({command->get_name(), "--help"});
    EXPECT_EQ(ended.code, 0);
    EXPECT_THAT(ended.out, HasSubstr("Example")) << command->get_name();
    EXPECT_THAT(ended.out, HasSubstr("hildctl " + command->get_name()));
    if (command->get_name() == "completion" || command->get_name() == "snapshot") continue;
    for (const char* option : {"--socket", "--timeout", "--json"}) {
      EXPECT_THAT(ended.out, HasSubstr(option)) << command->get_name();
    }
  }
}

TEST(Help, ListsExitCodesAndVersion) {
  const auto ended = test::hild({"--help"});
  EXPECT_EQ(ended.code, 0);
  for (const char* words : {"0 done", "1 wrong arguments", "2 the connection failed",
                            "3 an expectation", "4 another client has control", "$HILD_SOCKET"}) {
    EXPECT_THAT(ended.out, HasSubstr(words));
  }
  EXPECT_THAT(test::hild({"--version"}).out,
              testing::MatchesRegex("hildctl [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

// It is to be installed where no plant ever runs.
TEST(Program, HasNothingOfTheExecutiveInIt) {
  if (HILD_HEAP_TRAP == 0) GTEST_SKIP() << "a sanitizer keeps what nobody calls";
  const test::Folder folder;
  const std::string out = folder.path("symbols");
  ASSERT_EQ(std::system(("nm -C '" HILD_PROGRAM "' >'" + out + "' 2>&1").c_str()), 0);
  const std::string symbols = test::read_file(out);
  EXPECT_THAT(symbols, HasSubstr("hild::ctl::"));
  // What a change is made of is known here, and nothing of those that make it.
  std::istringstream lines(symbols);
  for (std::string line; std::getline(lines, line);) {
    for (const char* part : {" T hild::exec::", " T hild::model::", " T hild::io::"}) {
      if (line.find(part) == std::string::npos) continue;
      EXPECT_TRUE(line.find("hild::exec::change_kind") != std::string::npos ||
                  line.find("hild::exec::ChangeKind::") != std::string::npos)
          << line;
    }
  }
  EXPECT_EQ(symbols.find("hild::exec::FrameLoop"), std::string::npos);
}

}  // namespace
}  // namespace hild::ctl
