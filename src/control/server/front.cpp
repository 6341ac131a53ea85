// SPDX-License-Identifier: Apache-2.0
#include "control/server/front.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "control/server/http_guard.hpp"
#include "control/server/http_session.hpp"
#include "control/server/listen.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto descriptors_come_back = 100ms;
constexpr int nice_of_front = 5;  // who waits at the Unix socket goes before
constexpr auto to_be_sent = 1s;   // what is owed at the end

/// What counts as one address: of version 6 the network, since each has many.
std::string address_of(const asio::ip::address& a) {
  if (a.is_loopback()) return "loopback";
  if (a.is_v4()) return a.to_string();
  auto bytes = a.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string() + "/64";
}

std::string url_of(const asio::ip::tcp::endpoint& end) {
  const bool v6 = end.address().is_v6();
  return fmt::format("http://{}{}{}:{}/", v6 ? "[" : "", end.address().to_string(), v6 ? "]" : "",
                     end.port());
}

}  // namespace

Front::Front(const config::Control& control, Gate& gate, const HttpPages& pages, Users users)
    : control_(control),
      gate_(gate),
      pages_(pages),
      access_(control_, std::move(users)),
      places_(control.clients),
      rates_(control.rate) {}

Front::~Front() {
  if (thread_.started()) finish();
  thread_.stop(to_be_sent);
  const auto left = std::exchange(here_, {});
  for (const auto& [id, connection] : left) connection->close();
  acceptor_.reset();
  thread_.do_rest();  // what waited on them ends while all that it refers to is there
}

Result<void> Front::open(const std::string& otherwise) {
  auto acceptor = listen_tcp(thread_.io(), control_.address, control_.port);
  if (!acceptor) return tl::make_unexpected(acceptor.error());
  acceptor_.emplace(std::move(*acceptor));
  where_ = url_of(acceptor_->local_endpoint());
  access_.open(otherwise);
  accept();
  auto started = thread_.start("hild-http", nice_of_front);
  if (!started) return fail(started.error().code, "control.http: {}", started.error().message);
  return {};
}

void Front::accept() {
  acceptor_->async_accept([this](const Failure& failure, Socket socket) {
    if (finishing_) return;
    if (failure) return retry_.after(descriptors_come_back, [this] { accept(); });
    welcome(std::move(socket));
    accept();
  });
}

void Front::welcome(Socket socket) {
  Failure failure;
  const auto at = socket.remote_endpoint(failure);
  if (failure) return;  // it has gone already
  const auto to = socket.local_endpoint(failure);
  if (failure) return;
  const auto user = access_.user_of(at, to);
  const asio::ip::address here = unmapped(to.address());
  const Visitor visitor{
      .id = ++last_,
      .from = user ? fmt::format("user {}", *user) : address_of(unmapped(at.address())),
      .names = own_names(here.to_string(), here.is_loopback()),
      .rights = {.may_not_write = access_.may_not_write(user)}};
  if (!access_.is_own(user) || !join(visitor)) {
    const auto out = places_.enter(visitor.id, visitor.from);
    if (out) std::shared_ptr(here_.at(*out))->make_room();  // it goes at that
  }
  const auto session = std::make_shared<HttpSession>(std::move(socket), *this, visitor);
  here_.emplace(visitor.id, session);
  session->start();
}

TokenBucket& Front::bucket(const Visitor& visitor) {
  return rates_.of((is_member(visitor) ? "member " : "stranger ") + visitor.from,
                   TokenBucket::Clock::now());
}

void Front::become(std::shared_ptr<Connection> connection) {
  const LinkId id = connection->visitor().id;
  here_[id] = std::move(connection);
}

void Front::leave(const Visitor& visitor) {
  places_.leave(visitor.id);
  here_.erase(visitor.id);
}

void Front::finish() {
  asio::post(thread_.io(), [this] {
    finishing_ = true;
    thread_.let_end();  // with the last connection
    retry_.cancel();
    acceptor_.reset();
    const auto now = here_;
    for (const auto& [id, connection] : now) connection->finish();
  });
}

void Front::tell(LinkId to, std::function<void(Connection&)> what) {
  asio::post(thread_.io(), [this, to, what = std::move(what)] {
    const auto found = here_.find(to);
    if (found == here_.end()) return;
    const auto connection = found->second;  // it may go at that
    what(*connection);
  });
}

}  // namespace hild::server
