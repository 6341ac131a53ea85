// SPDX-License-Identifier: Apache-2.0
#include "control/server/users.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

namespace hild::server {
namespace {

namespace asio = boost::asio;
using asio::ip::address;

/// As the kernel has it: an address of version 4 in the first word.
void put(const address& a, __be32 (&words)[4]) {
  const auto copy = [&](const auto& bytes) { std::memcpy(words, bytes.data(), bytes.size()); };
  a.is_v4() ? copy(a.to_v4().to_bytes()) : copy(a.to_v6().to_bytes());
}

address get(std::uint8_t family, const __be32 (&words)[4]) {
  if (family == AF_INET) {
    asio::ip::address_v4::bytes_type bytes;
    std::memcpy(bytes.data(), words, bytes.size());
    return asio::ip::address_v4(bytes);
  }
  asio::ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), words, bytes.size());
  return unmapped(asio::ip::address_v6(bytes));
}

struct Question {
  nlmsghdr head;
  inet_diag_req_v2 about;
};

}  // namespace

address unmapped(const address& a) {
  if (!a.is_v6() || !a.to_v6().is_v4_mapped()) return a;
  return asio::ip::make_address_v4(asio::ip::v4_mapped, a.to_v6());
}

Result<SocketUsers> SocketUsers::open() {
  Descriptor netlink(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!netlink) return fail("sock_diag: {}", std::strerror(errno));
  SocketUsers users(std::move(netlink));
  asio::io_context io;
  boost::system::error_code failure;
  asio::ip::tcp::acceptor acceptor(io);
  asio::ip::tcp::socket here(io);
  acceptor.open(asio::ip::tcp::v4(), failure);
  if (!failure) acceptor.bind({asio::ip::address_v4::loopback(), 0}, failure);
  if (!failure) acceptor.listen(1, failure);
  if (!failure) here.connect(acceptor.local_endpoint(), failure);
  if (failure) return fail("sock_diag: tried out on loopback: {}", failure.message());
  const auto user = users.of(here.local_endpoint(), here.remote_endpoint());
  if (!user) return tl::make_unexpected(user.error());
  if (*user == ::geteuid()) return users;
  return fail("sock_diag: it takes user {}'s connection for user {}'s", ::geteuid(), *user);
}

Result<uid_t> SocketUsers::of(const Endpoint& at, const Endpoint& to) {
  const address here = unmapped(at.address());
  const address there = unmapped(to.address());
  Question question{};
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.head.nlmsg_seq = ++sequence_;
  question.about.sdiag_family = here.is_v4() ? AF_INET : AF_INET6;
  question.about.sdiag_protocol = IPPROTO_TCP;
  question.about.idiag_states = 1U << TCP_ESTABLISHED;
  question.about.id.idiag_sport = htons(at.port());
  question.about.id.idiag_dport = htons(to.port());
  put(here, question.about.id.idiag_src);
  put(there, question.about.id.idiag_dst);
  question.about.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  question.about.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (::send(netlink_.get(), &question, sizeof question, 0) != sizeof question) {
    return fail("sock_diag: {}", std::strerror(errno));
  }
  // The kernel has answered when send() returns; what is left of earlier answers is passed over.
  alignas(nlmsghdr) std::array<char, 4096> answer;
  nlmsghdr head{};
  ssize_t size = 0;
  do {
    size = ::recv(netlink_.get(), answer.data(), answer.size(), MSG_DONTWAIT);
    if (size < static_cast<ssize_t>(sizeof head)) {
      return fail("sock_diag: {}", size < 0 ? std::strerror(errno) : "half an answer");
    }
    std::memcpy(&head, answer.data(), sizeof head);
  } while (head.nlmsg_seq != sequence_);
  if (head.nlmsg_type == NLMSG_ERROR) {
    nlmsgerr error{};
    std::memcpy(&error, answer.data() + NLMSG_HDRLEN, sizeof error);
    return fail("sock_diag: {}", std::strerror(-error.error));
  }
  inet_diag_msg found{};
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || head.nlmsg_len < NLMSG_LENGTH(sizeof found)) {
    return fail("sock_diag: an answer of another kind");
  }
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
  // Where the connection has gone, one that listens at its port could be found instead.
  const bool its = found.id.idiag_sport == question.about.id.idiag_sport &&
                   found.id.idiag_dport == question.about.id.idiag_dport &&
                   get(found.idiag_family, found.id.idiag_src) == here &&
                   get(found.idiag_family, found.id.idiag_dst) == there;
  if (!its || found.idiag_state != TCP_ESTABLISHED || found.idiag_inode == 0) {
    return fail("the connection was closed at its other end");
  }
  return found.idiag_uid;
}

Result<Users::Of> Users::of_the_kernel() {
  auto users = SocketUsers::open();
  if (!users) return tl::make_unexpected(users.error());
  const auto shared = std::make_shared<SocketUsers>(std::move(*users));
  return Of([shared](const Endpoint& at, const Endpoint& to) { return shared->of(at, to); });
}

}  // namespace hild::server
