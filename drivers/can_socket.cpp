// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_socket.hpp"

#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "drivers/stamped_reads.hpp"

namespace hild::can {
namespace {

template <class T>
bool set(int fd, int level, int option, const T& value) noexcept {
  return ::setsockopt(fd, level, option, &value, sizeof value) == 0;
}

ifreq request_of(const Link& link) noexcept {
  ifreq request{};
  const std::string_view name = link.interface.view();
  std::copy_n(name.begin(), std::min<std::size_t>(name.size(), IFNAMSIZ - 1), request.ifr_name);
  return request;
}

Result<void> prepare(int fd, const Link& link, std::span<const can_filter> wanted) {
  constexpr can_err_mask_t errors = CAN_ERR_CRTL | CAN_ERR_BUSOFF | CAN_ERR_RESTARTED |
                                    CAN_ERR_PROT | CAN_ERR_TRX | CAN_ERR_ACK | CAN_ERR_BUSERROR;
  // More filters than the kernel takes: then all frames come, and those not wanted are passed over.
  const bool filters = wanted.size() <= CAN_RAW_FILTER_MAX;
  const auto size = static_cast<socklen_t>(wanted.size_bytes());
  const bool told =
      (!filters || ::setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FILTER, wanted.data(), size) == 0) &&
      set(fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, errors) && set(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1) &&
      set(fd, SOL_SOCKET, SO_RXQ_OVFL, 1) &&
      (!link.fd || set(fd, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, 1));
  if (!told) return refuse(errno, "set up the socket", link);
  // Adapters that stamp do so always: nothing has to be switched on by SIOCSHWTSTAMP.
  ask_for_hardware_stamps(fd);
  return {};
}

}  // namespace

Result<void> check_interface(const Link& link) {
  const std::string_view name = link.interface.view();
  if (::if_nametoindex(link.interface.c_str()) == 0) {
    return fail(ExitCode::device_failed,
                "there is no interface {0}; `ip -br link show type can` lists those there are, and "
                "`modprobe vcan && ip link add dev {0} type vcan` makes a virtual one",
                name);
  }
  // Any socket tells of any interface, also where the kernel has no CAN.
  const Descriptor asks(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq kind = request_of(link);
  ifreq flags = request_of(link);
  ifreq mtu = request_of(link);
  if (!asks || ::ioctl(asks.get(), SIOCGIFHWADDR, &kind) != 0 ||
      ::ioctl(asks.get(), SIOCGIFFLAGS, &flags) != 0 ||
      ::ioctl(asks.get(), SIOCGIFMTU, &mtu) != 0) {
    return refuse(errno, "look at the interface", link);
  }
  if (kind.ifr_hwaddr.sa_family != ARPHRD_CAN) {
    return fail(ExitCode::device_failed,
                "{} is no interface of a CAN bus; `ip -br link show type can` lists those", name);
  }
  if (link.fd && mtu.ifr_mtu < static_cast<int>(CANFD_MTU)) {
    return fail(ExitCode::device_failed,
                "{0} takes no frames of CAN FD (`fd: true`), since its MTU is {1} and not {2}; set "
                "it up by `ip link set {0} down && ip link set {0} up type can bitrate 500000 "
                "dbitrate 2000000 fd on`, a virtual one by `ip link set {0} mtu {2}`",
                name, mtu.ifr_mtu, CANFD_MTU);
  }
  if ((flags.ifr_flags & IFF_UP) == 0) {
    return fail(
        ExitCode::device_failed,
        "{0} is down; `ip link set {0} up type can bitrate 500000` sets it up, with the bit "
        "rate of the bus, and `ip link set {0} up` a virtual one",
        name);
  }
  return {};
}

Result<Descriptor> open_socket(const Link& link, std::span<const can_filter> wanted) {
  if (auto there = check_interface(link); !there) return tl::make_unexpected(there.error());
  Descriptor made(::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW));
  if (!made) return refuse(errno, "make a socket of CAN", link);
  if (auto done = prepare(made.get(), link, wanted); !done) {
    return tl::make_unexpected(done.error());
  }
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(::if_nametoindex(link.interface.c_str()));
  if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return refuse(errno, "listen", link);
  }
  return made;
}

bool is_virtual(const Link& link) {
  const Descriptor asks(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ethtool_drvinfo driver{};
  driver.cmd = ETHTOOL_GDRVINFO;
  ifreq request = request_of(link);
  request.ifr_data = reinterpret_cast<char*>(&driver);
  if (!asks || ::ioctl(asks.get(), SIOCETHTOOL, &request) != 0) return false;
  const std::string_view name(driver.driver, ::strnlen(driver.driver, sizeof driver.driver));
  return name == "vcan" || name == "vxcan";
}

void tell_error(int socket, const ControllerError& error) noexcept {
  can_frame frame{};
  frame.can_id = CAN_ERR_FLAG | error.kind;
  frame.can_dlc = CAN_ERR_DLC;
  frame.data[1] = error.controller;
  frame.data[2] = error.protocol;
  static_cast<void>(::send(socket, &frame, sizeof frame, MSG_DONTWAIT));
}

bool is_lasting(int error) noexcept {
  switch (error) {
    case 0:
    case EAGAIN:
    case EINTR:
    case ENOBUFS:
    case ENOMEM:
      return false;
    default:
      return true;
  }
}

tl::unexpected<Error> refuse(int error, std::string_view what, const Link& link) {
  return fail(ExitCode::device_failed, "cannot {} on {}: {}; {}", what, link.interface.view(),
              std::strerror(error), remedy(error));
}

std::string_view remedy(int error) noexcept {
  switch (error) {
    case ENETDOWN:
    case ENETUNREACH:
      return "the interface is down: set it up again (`ip link set … up`), and look at `dmesg`";
    case ENODEV:
    case ENXIO:
      return "the interface is gone: look whether its adapter is there (`ip -br link`, `dmesg`)";
    case EAFNOSUPPORT:
      return "this kernel has no CAN (`modprobe can`), or the unit that this runs in forbids it "
             "(RestrictAddressFamilies=)";
    case EPROTONOSUPPORT:
    case ESOCKTNOSUPPORT:
      return "this kernel has no raw sockets of CAN (`modprobe can_raw`)";
    case EPERM:
    case EACCES:
      return "it is not permitted here: let an administrator allow sockets of CAN";
    case EMSGSIZE:
    case EINVAL:
      return "the interface takes no such frames: look at its MTU (`ip -d link`)";
    case EMFILE:
    case ENFILE:
      return "too many files are open";
    default:
      return "look at the interface (`ip -d -s link`, `dmesg`)";
  }
}

}  // namespace hild::can
