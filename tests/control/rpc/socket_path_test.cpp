// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/socket_path.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace hild::rpc {
namespace {

/// The environment of a test, put back after it.
class SocketPath : public testing::Test {
 protected:
  SocketPath() {
    for (const char* name : names) {
      const char* const was = std::getenv(name);
      kept_.emplace_back(was != nullptr ? was : "");
      unsetenv(name);
    }
  }
  ~SocketPath() override {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i].empty()) {
        unsetenv(names[i]);
      } else {
        setenv(names[i], kept_[i].c_str(), 1);
      }
    }
  }
  static constexpr const char* names[] = {"RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "HILD_SOCKET"};

 private:
  std::vector<std::string> kept_;
};

TEST_F(SocketPath, IsThatOfTheServiceFirst) {
  setenv("RUNTIME_DIRECTORY", "/run/hild-2:/run/other", 1);
  setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
  EXPECT_EQ(default_socket(), "/run/hild-2/control.sock");
}

TEST_F(SocketPath, IsOfTheUserElse) {
  setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
  const bool root = geteuid() == 0;
  EXPECT_EQ(default_socket(), root ? "/run/hild/control.sock" : "/run/user/7/hild/control.sock");
  unsetenv("XDG_RUNTIME_DIR");
  EXPECT_EQ(default_socket(), root ? "/run/hild/control.sock"
                                   : "/tmp/hild-" + std::to_string(geteuid()) + "/control.sock");
}

TEST_F(SocketPath, OfAClientIsWhatItWasTold) {
  EXPECT_EQ(client_socket(""), default_socket());
  setenv("HILD_SOCKET", "/here", 1);
  EXPECT_EQ(client_socket(""), "/here");
  EXPECT_EQ(client_socket("/there"), "/there");
}

}  // namespace
}  // namespace hild::rpc
