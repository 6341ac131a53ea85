// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a model in a process of its own waits until the test lets it go on: what is to be late is
/// late on any machine, and what is to come back does.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hild::testing {

/// Made before the model's process is, which inherits the name of a file: it is open when that is
/// there.
class Gate {
 public:
  Gate() {
    std::filesystem::remove(file_);
    ::setenv(name, file_.c_str(), 1);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    ::unsetenv(name);
    std::filesystem::remove(file_);
  }
  void open() const { std::ofstream(file_) << "open"; }
  /// In the model's process.
  static void wait() noexcept {
    while (::access(std::getenv(name), F_OK) != 0) ::usleep(1000);
  }

 private:
  static constexpr const char* name = "HILD_TEST_GATE";
  std::string file_ =
      std::filesystem::temp_directory_path() / ("hild-gate-" + std::to_string(::getpid()));
};

}  // namespace hild::testing
