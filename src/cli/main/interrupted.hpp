// SPDX-License-Identifier: Apache-2.0
/// \file
/// SIGINT and SIGTERM as a flag, for commands that loop until the user has seen enough.
#pragma once

#include <csignal>

#include "hild/rt/atomic.hpp"

namespace hild::commands {

class Interrupted {
 public:
  Interrupted() {
    std::signal(SIGINT, handle);
    std::signal(SIGTERM, handle);
  }
  ~Interrupted() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
  Interrupted(const Interrupted&) = delete;
  Interrupted& operator=(const Interrupted&) = delete;

  [[nodiscard]] static bool raised() noexcept { return flag().raised(); }

 private:
  static rt::Flag& flag() noexcept {
    static rt::Flag flag;
    return flag;
  }
  static void handle(int /*signal*/) noexcept { flag().raise(); }
};

}  // namespace hild::commands
