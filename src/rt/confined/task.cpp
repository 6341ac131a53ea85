// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/confined/task.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "hild/core/descriptor.hpp"
#include "hild/rt/confined/process.hpp"

namespace hild::confined {
namespace {

bool read_all(void* to, std::size_t bytes) {
  return ::recv(socket_place, to, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
}

void abort_ends_it(int /*signal*/) { ::_exit(aborted); }

}  // namespace

bool started_as_one() {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(socket_place, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

std::string take_task() {
  std::uint64_t size = 0;
  if (!read_all(&size, sizeof size) || size > most_bytes) ::_exit(0);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!read_all(bytes.data(), bytes.size())) ::_exit(0);
  return bytes;
}

void say(Outcome outcome, std::string_view what) {
  const Head head{outcome, what.size()};
  const std::string_view first(reinterpret_cast<const char*>(&head), sizeof head);  // NOLINT
  if (!write_all(socket_place, first) || !write_all(socket_place, what)) ::_exit(1);
}

void give_up(std::string_view why) {
  say(Outcome::failed, why);
  ::_exit(1);
}

// Nothing more is sent: what can be read there is the end.
void await_end() noexcept {
  pollfd there{socket_place, POLLIN, 0};
  while (::poll(&there, 1, -1) < 0 && errno == EINTR) {
  }
}

void settle_signals() noexcept {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  std::signal(SIGABRT, abort_ends_it);
}

}  // namespace hild::confined
