// SPDX-License-Identifier: Apache-2.0
/// \file
/// What comes out on a terminal: a child writes to one, whose other side the test reads.
#include "cli/terminal/print.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace hild::cli {
namespace {

struct Environment {
  const char* term = "xterm";
  const char* no_color = "";
  unsigned short columns = 50;
};

/// Of `write`, whose standard output and error are one terminal.
std::string on_a_terminal(const std::function<void()>& write, const Environment& e = {}) {
  winsize size{};
  size.ws_col = e.columns;
  int other = -1;
  const pid_t child = ::forkpty(&other, nullptr, nullptr, &size);
  if (child == 0) {
    ::setenv("TERM", e.term, 1);
    ::setenv("NO_COLOR", e.no_color, 1);
    write();
    ::_exit(0);
  }
  std::string text;
  char part[256];
  for (ssize_t n = 0; (n = ::read(other, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(n));
  }
  ::close(other);
  ::waitpid(child, nullptr, 0);
  return text;
}

constexpr const char* erased = "\r\x1b[K";

TEST(Progress, IsWrittenOverAndLeftAtItsEnd) {
  EXPECT_EQ(on_a_terminal([] {
              show_progress(1, "one");
              show_progress(1, "two");
              end_progress();
            }),
            std::string("one") + erased + "two\r\n");
}

TEST(Progress, GivesItsPlaceToWords) {
  EXPECT_EQ(on_a_terminal([] {
              show_progress(1, "half");
              tell("a {}\n", "warning");
              show_progress(1, "more");
              print_text("an answer\n");
              show_progress(1, "all");
              clear_progress();
              tell_text("last\n");
            }),
            std::string("half") + erased + "a warning\r\nmore" + erased + "an answer\r\nall" +
                erased + "last\r\n");
}

TEST(Terminal, IsAskedWhatItCanDo) {
  const auto asked = [](const Environment& e) {
    return on_a_terminal([] { print("{} {} {}", cursor_moves(1), may_colour(1), columns_of(1)); },
                         e);
  };
  EXPECT_EQ(asked({}), "true true 50");
  EXPECT_EQ(asked({.no_color = "1"}), "true false 50");
  EXPECT_EQ(asked({.term = "dumb"}), "false false 50");
  EXPECT_EQ(asked({.columns = 0}), "true true 80");
}

TEST(Terminal, IsNoFile) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(cursor_moves(ends[1]));
  EXPECT_FALSE(may_colour(ends[1]));
  EXPECT_EQ(columns_of(ends[1]), 80);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace hild::cli
