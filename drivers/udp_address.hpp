// SPDX-License-Identifier: Apache-2.0
/// \file
/// Addresses of UDP, as they are written and as the kernel has them. Numbers only: a name would be
/// looked up somewhere, and somebody else would decide where outputs go.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string_view>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::udp {

/// An address of IPv4 or IPv6 and a port; port 0: any.
class Address {
 public:
  Address() noexcept = default;
  explicit Address(const sockaddr_in& v4) noexcept;
  explicit Address(const sockaddr_in6& v6) noexcept;

  [[nodiscard]] bool v6() const noexcept { return storage_.ss_family == AF_INET6; }
  [[nodiscard]] int family() const noexcept { return storage_.ss_family; }
  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] bool loopback() const noexcept;
  [[nodiscard]] bool multicast() const noexcept;
  /// Of one link only, so that an interface has to be named.
  [[nodiscard]] bool link_local() const noexcept;
  /// Of an address of one link, the link.
  void set_interface(unsigned index) noexcept;

  /// For system calls.
  [[nodiscard]] const sockaddr* get() const noexcept;
  [[nodiscard]] socklen_t size() const noexcept;
  [[nodiscard]] const in_addr& in4() const noexcept;
  [[nodiscard]] const in6_addr& in6() const noexcept;

  /// Whether `sender`, as the kernel gave it with `size` bytes, is this one; any port where this
  /// has none. Real-time safe.
  [[nodiscard]] bool is(const sockaddr_storage& sender, socklen_t size) const noexcept;

  /// "127.0.0.1:5000", "[::1]:5000"; without a port where that is 0.
  [[nodiscard]] Name words() const;

 private:
  sockaddr_storage storage_{};
};

/// What may be left out of an address.
enum class Without {
  nothing,
  host,  ///< "5000" is 127.0.0.1:5000
  port,  ///< "10.0.0.7" is any port of it
};

/// Reads "127.0.0.1:5000" or "[::1]:5000". The error says what was found and expected.
[[nodiscard]] Result<Address> parse_address(std::string_view text, Without without);

}  // namespace hild::udp
