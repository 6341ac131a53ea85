// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clients of a control socket, in a process of their own: most poll and subscribe, eight set a
/// parameter ten times a second, one reads nothing, one sends garbage.
#pragma once

#include <string>

namespace hild::bench {

class ControlClients {
 public:
  /// Forks; call it before any thread is started.
  ControlClients(std::string socket, int clients);
  ~ControlClients();
  ControlClients(const ControlClients&) = delete;
  ControlClients& operator=(const ControlClients&) = delete;

  /// All connect and ask, or all leave.
  void begin() { tell('b'); }
  void end() { tell('e'); }

 private:
  void tell(char word) const;
  int pipe_ = -1;
  int child_ = -1;
};

}  // namespace hild::bench
