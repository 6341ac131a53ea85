// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

namespace hild::udp {
namespace {

const sockaddr_in& as_v4(const sockaddr_storage& s) noexcept {
  return reinterpret_cast<const sockaddr_in&>(s);
}
const sockaddr_in6& as_v6(const sockaddr_storage& s) noexcept {
  return reinterpret_cast<const sockaddr_in6&>(s);
}

/// 1 ... 65535.
std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [read, problem] = std::from_chars(text.data(), end, port);
  if (problem != std::errc{} || read != end || port == 0) return {};
  return port;
}

std::optional<Address> host_of(std::string_view text, std::uint16_t port) {
  std::array<char, INET6_ADDRSTRLEN + 1> terminated{};
  if (text.size() + 1 > terminated.size() || text.find('\0') != text.npos) return {};
  std::ranges::copy(text, terminated.begin());
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  if (::inet_pton(AF_INET, terminated.data(), &v4.sin_addr) == 1) return Address(v4);
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  if (::inet_pton(AF_INET6, terminated.data(), &v6.sin6_addr) == 1) return Address(v6);
  return {};
}

std::string_view without_brackets(std::string_view host) {
  const bool has = host.size() > 1 && host.front() == '[' && host.back() == ']';
  return has ? host.substr(1, host.size() - 2) : host;
}

std::string_view expected(Without without) {
  switch (without) {
    case Without::host:
      return "an address and a port such as \"127.0.0.1:5000\" or \"[::1]:5000\", or a port alone, "
             "for 127.0.0.1; numbers, no names";
    case Without::port:
      return "an address such as \"10.0.0.7\", or with its port, \"10.0.0.7:5001\" or "
             "\"[fd00::7]:5001\"; numbers, no names";
    default:
      return "an address and a port such as \"10.0.0.7:5001\" or \"[fd00::7]:5001\"; numbers, no "
             "names";
  }
}

std::optional<Address> read_address(std::string_view text, Without without) {
  const bool bracketed = text.starts_with('[');
  const bool plain_v6 = !bracketed && std::ranges::count(text, ':') > 1;
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != text.npos && !plain_v6 && (!bracketed || colon > text.rfind(']'));
  if (!has_port) {
    if (without == Without::port) return host_of(without_brackets(text), 0);
    if (without != Without::host) return {};
    const auto port = port_of(text);
    return port ? host_of("127.0.0.1", *port) : std::nullopt;
  }
  const auto port = port_of(text.substr(colon + 1));
  if (!port) return {};
  const auto address = host_of(without_brackets(text.substr(0, colon)), *port);
  // "::1:5000" could be either; with brackets it cannot.
  if (address && address->v6() != bracketed) return {};
  return address;
}

}  // namespace

Address::Address(const sockaddr_in& v4) noexcept { std::memcpy(&storage_, &v4, sizeof v4); }
Address::Address(const sockaddr_in6& v6) noexcept { std::memcpy(&storage_, &v6, sizeof v6); }

std::uint16_t Address::port() const noexcept {
  return ntohs(v6() ? as_v6(storage_).sin6_port : as_v4(storage_).sin_port);
}

bool Address::loopback() const noexcept {
  if (v6()) return IN6_IS_ADDR_LOOPBACK(&in6());
  return ntohl(in4().s_addr) >> 24 == 127;
}

bool Address::multicast() const noexcept {
  return v6() ? IN6_IS_ADDR_MULTICAST(&in6()) : IN_MULTICAST(ntohl(in4().s_addr));
}

bool Address::link_local() const noexcept {
  return v6() && (IN6_IS_ADDR_LINKLOCAL(&in6()) || IN6_IS_ADDR_MC_LINKLOCAL(&in6()));
}

void Address::set_interface(unsigned index) noexcept {
  if (link_local()) reinterpret_cast<sockaddr_in6&>(storage_).sin6_scope_id = index;
}

const sockaddr* Address::get() const noexcept {
  return reinterpret_cast<const sockaddr*>(&storage_);
}
socklen_t Address::size() const noexcept {
  return v6() ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}
const in_addr& Address::in4() const noexcept { return as_v4(storage_).sin_addr; }
const in6_addr& Address::in6() const noexcept { return as_v6(storage_).sin6_addr; }

bool Address::is(const sockaddr_storage& sender, socklen_t size) const noexcept {
  if (size < this->size() || sender.ss_family != storage_.ss_family) return false;
  if (v6()) {
    const sockaddr_in6& other = as_v6(sender);
    return std::memcmp(&other.sin6_addr, &in6(), sizeof(in6_addr)) == 0 &&
           (port() == 0 || other.sin6_port == as_v6(storage_).sin6_port);
  }
  const sockaddr_in& other = as_v4(sender);
  return other.sin_addr.s_addr == in4().s_addr &&
         (port() == 0 || other.sin_port == as_v4(storage_).sin_port);
}

Name Address::words() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* const host = v6() ? static_cast<const void*>(&in6()) : &in4();
  ::inet_ntop(family(), host, text.data(), text.size());
  if (port() == 0) return Name(text.data());
  return Name(v6() ? fmt::format("[{}]:{}", text.data(), port())
                   : fmt::format("{}:{}", text.data(), port()));
}

Result<Address> parse_address(std::string_view text, Without without) {
  if (const auto address = read_address(text, without)) return *address;
  return fail("found \"{}\", expected {}", text, expected(without));
}

}  // namespace hild::udp
