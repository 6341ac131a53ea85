// SPDX-License-Identifier: Apache-2.0
/// \file
/// Clients of a run, in a process of their own. Of its control socket: most poll and subscribe,
/// eight set a parameter ten times a second, one reads nothing, one sends garbage. Of its HTTP
/// port: a crowd that says nothing, or the beginning of something.
#pragma once

#include <cstdint>
#include <string>

namespace hild::bench {

class ControlClients {
 public:
  /// Forks; call it before any thread is started.
  ControlClients(const std::string& socket, int clients);
  ControlClients(std::uint16_t port, int clients);
  ~ControlClients();
  ControlClients(const ControlClients&) = delete;
  ControlClients& operator=(const ControlClients&) = delete;

  /// All connect and ask; or all leave, but for one that polls and subscribes: what the run keeps
  /// for readers alone, it keeps in both cases. Of a crowd none stays.
  void begin() { tell('b'); }
  void end() { tell('e'); }

 private:
  void tell(char word) const;
  int pipe_ = -1;
  int child_ = -1;
};

}  // namespace hild::bench
