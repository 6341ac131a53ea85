// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/claim.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "drivers/dds/inbox.hpp"

namespace hild::dds {

// A socket that nobody talks to: its name is of no file, and goes with its last holder. It is
// short, which those of system and node may not be.
Result<Descriptor> claim_name(const GatewayTask& task) {
  const std::array<SignalName, 1> who{{{task.system, task.node}}};
  const std::string name = fmt::format("hild-dds-{}-{:016x}", task.domain, plan_number(who));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(name, address.sun_path + 1);  // behind a 0: abstract
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  if (socket && ::bind(socket.get(), at, size) == 0) return socket;
  if (errno == EADDRINUSE) {
    return fail(ExitCode::device_failed,
                "another program on this machine is node {} of system {} in domain {}; `ss -xap "
                "| grep {}` shows which",
                task.node.view(), task.system.view(), task.domain, name);
  }
  return fail(ExitCode::device_failed, "cannot take the name of node {}: {}", task.node.view(),
              std::strerror(errno));
}

}  // namespace hild::dds
