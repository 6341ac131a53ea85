// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_socket.hpp"

#include <net/if.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace hild::udp {
namespace {

auto refuse(int error, std::string_view what) {
  return fail(ExitCode::device_failed, "cannot {}: {}; {}", what, std::strerror(error),
              remedy(error));
}

template <class T>
bool set(int fd, int level, int option, const T& value) noexcept {
  return ::setsockopt(fd, level, option, &value, sizeof value) == 0;
}

Result<unsigned> find_interface(const Name& name) {
  if (name.view().empty()) return 0U;
  if (const unsigned index = ::if_nametoindex(name.c_str()); index != 0) return index;
  return fail(ExitCode::device_failed,
              "there is no interface {} (`interface`); `ip -br link` lists those there are",
              name.view());
}

Result<void> bind_to(int fd, const Address& listen) {
  // Of a group there may be several listeners; of an address of one's own the second is told.
  if (listen.multicast() && !set(fd, SOL_SOCKET, SO_REUSEADDR, 1)) {
    return refuse(errno, "share the address of a group");
  }
  if (::bind(fd, listen.get(), listen.size()) == 0) return {};
  if (errno == EADDRINUSE) {
    return fail(ExitCode::device_failed,
                "cannot listen at {}: it is in use; `ss -ulpn 'sport = :{}'` tells by whom",
                listen.words().view(), listen.port());
  }
  if (errno == EADDRNOTAVAIL) {
    return fail(ExitCode::device_failed,
                "cannot listen at {}: it is no address of this machine; `ip -br addr` lists them",
                listen.words().view());
  }
  return refuse(errno, fmt::format("listen at {}", listen.words().view()));
}

Result<void> join(int fd, const Address& group, unsigned interface) {
  bool joined = false;
  if (group.v6()) {
    joined = set(fd, IPPROTO_IPV6, IPV6_JOIN_GROUP,
                 ipv6_mreq{.ipv6mr_multiaddr = group.in6(), .ipv6mr_interface = interface});
  } else {
    joined = set(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP,
                 ip_mreqn{.imr_multiaddr = group.in4(),
                          .imr_address = {},
                          .imr_ifindex = static_cast<int>(interface)});
  }
  if (joined) return {};
  return refuse(errno, fmt::format("join the group {}", group.words().view()));
}

Result<void> send_by(int fd, const Address& group, unsigned interface) {
  const bool chosen = group.v6() ? set(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, interface)
                                 : set(fd, IPPROTO_IP, IP_MULTICAST_IF,
                                       ip_mreqn{.imr_multiaddr = {},
                                                .imr_address = {},
                                                .imr_ifindex = static_cast<int>(interface)});
  if (chosen) return {};
  return refuse(errno, fmt::format("send to the group {}", group.words().view()));
}

// Only groups that were joined here: else those that any program of this machine has joined.
Result<void> keep_to_own_groups(int fd, bool v6) {
  const bool kept =
      v6 ? set(fd, IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0) : set(fd, IPPROTO_IP, IP_MULTICAST_ALL, 0);
  if (kept || errno == ENOPROTOOPT) return {};
  return refuse(errno, "keep to the group");
}

Result<void> prepare(int fd, bool v6) {
  const bool told =
      set(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1) && set(fd, SOL_SOCKET, SO_RXQ_OVFL, 1) &&
      (v6 ? set(fd, IPPROTO_IPV6, IPV6_RECVERR, 1) && set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1)
          : set(fd, IPPROTO_IP, IP_RECVERR, 1));
  if (told) return {};
  return refuse(errno, "set up the socket");
}

}  // namespace

Result<Descriptor> open_socket(Ends& ends) {
  const auto interface = find_interface(ends.interface);
  if (!interface) return tl::make_unexpected(interface.error());
  for (auto* const end : {&ends.listen, &ends.send}) {
    if (*end) (*end)->set_interface(*interface);
  }
  const Address& one = ends.listen ? *ends.listen : *ends.send;
  Descriptor made(::socket(one.family(), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int fd = made.get();
  if (!made) return refuse(errno, "make a socket");
  Result<void> done = prepare(fd, one.v6());
  if (done) done = keep_to_own_groups(fd, one.v6());
  if (done && ends.send && ends.send->multicast()) done = send_by(fd, *ends.send, *interface);
  if (done && ends.listen) done = bind_to(fd, *ends.listen);
  if (done && ends.listen && ends.listen->multicast()) done = join(fd, *ends.listen, *interface);
  if (!done) return tl::make_unexpected(done.error());
  return made;
}

Trouble trouble_of(int error) noexcept {
  switch (error) {
    case EAGAIN:
    case EINTR:
    case ENOBUFS:
    case ENOMEM:
      return Trouble::none;
    case ECONNREFUSED:  // nobody listens there
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case EPROTO:
    case ENOPROTOOPT:
    case EMSGSIZE:
    case EACCES:  // a firewall says no
    case EOPNOTSUPP:
      return Trouble::network;
    default:
      return Trouble::lasting;
  }
}

void forget_errors(int socket) noexcept {
  std::array<mmsghdr, 8> nothing{};
  ::recvmmsg(socket, nothing.data(), nothing.size(), MSG_ERRQUEUE | MSG_DONTWAIT, nullptr);
}

std::string_view remedy(int error) noexcept {
  switch (error) {
    case EACCES:
    case EPERM:
      return "a port below 1024 is for root, a broadcast address is not sent to, and a firewall "
             "may "
             "forbid it";
    case ENETDOWN:
    case ENODEV:
    case ENETUNREACH:
      return "look whether the interface is up and has an address (`ip -br addr`) and a route "
             "(`ip route`)";
    case EMSGSIZE:
      return "the packet is longer than the network takes: shorten `length`";
    case EINVAL:
      return "look whether the address that is sent to can be reached from the one that is "
             "listened "
             "at";
    case EAFNOSUPPORT:
      return "this machine, or the unit that it runs in, has no such addresses";
    case EMFILE:
    case ENFILE:
      return "too many files are open";
    default:
      return "look at the network (`ip -br addr`, `ss -ulpn`, `dmesg`)";
  }
}

}  // namespace hild::udp
