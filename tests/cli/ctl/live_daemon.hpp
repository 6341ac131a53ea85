// SPDX-License-Identifier: Apache-2.0
/// \file
/// What tests of hildctl against a daemon that runs share: its socket, and what hildctl is told
/// there.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "cli/main/program.hpp"

namespace hild::test {

class LiveDaemon : public ::testing::Test {
 protected:
  /// It measures what a frame costs before it listens.
  void wait_until_it_answers(Program& daemon) const {
    Ended answer;
    for (int tries = 0; tries < 3000 && !daemon.ended(); ++tries) {
      answer = run({"get"});
      if (answer.code == 0) return;
      ::usleep(20'000);
    }
    FAIL() << answer.err << (daemon.ended() ? daemon.wait().err : "");
  }
  Ended run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--socket", socket, "--timeout", "60"});
    return hild(std::move(arguments));
  }
  [[nodiscard]] boost::json::value result(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto ended = run(std::move(arguments));
    EXPECT_EQ(ended.code, 0) << ended.out;
    return boost::json::parse(ended.out);
  }

  Folder folder;
  std::string socket = folder.path("control.sock");
};

}  // namespace hild::test
