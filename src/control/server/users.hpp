// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds out which user is at the other end of a connection. Over a Unix socket the path's
/// permissions decide who may connect; over loopback the kernel can tell, by sock_diag(7), which
/// user owns the socket at the other end.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <functional>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"

namespace hild::server {

/// The address of version 4 that one of version 6 stands for, if it does; else the same.
[[nodiscard]] boost::asio::ip::address unmapped(const boost::asio::ip::address& a);

/// Asks the kernel for the user of a TCP socket of this machine.
class SocketUsers {
 public:
  using Endpoint = boost::asio::ip::tcp::endpoint;

  /// Opens the query socket, and tries it out on a connection of its own. Error: why the kernel
  /// does not tell.
  [[nodiscard]] static Result<SocketUsers> open();

  /// The user of the socket at `at` that is connected to `to`. Error: there is none that is
  /// established and still open; one that was closed would be reported as root's.
  [[nodiscard]] Result<uid_t> of(const Endpoint& at, const Endpoint& to);

 private:
  explicit SocketUsers(Descriptor netlink) : netlink_(std::move(netlink)) {}
  Descriptor netlink_;
  std::uint32_t sequence_ = 0;
};

/// Decides which user may write by HTTP without a token.
struct Users {
  using Endpoint = SocketUsers::Endpoint;
  using Of = std::function<Result<uid_t>(const Endpoint& at, const Endpoint& to)>;

  uid_t own = ::geteuid();  ///< the user of the run
  /// Makes the function that tells the user at the other end of a loopback connection. Error: why
  /// nothing can.
  std::function<Result<Of>()> open = of_the_kernel;

  [[nodiscard]] static Result<Of> of_the_kernel();
};

}  // namespace hild::server
