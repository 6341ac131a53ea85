// SPDX-License-Identifier: Apache-2.0
#include "control/server/front.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <thread>
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
      users_(std::move(users)),
      limits_{control.message, control.depth},
      places_(control.clients),
      rates_(control.rate) {}

Front::~Front() {
  if (thread_) {
    finish();
    const auto end = std::chrono::steady_clock::now() + to_be_sent;
    while (!done_.raised() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
  }
  io_.stop();
  thread_.reset();
  const auto left = std::exchange(here_, {});
  for (const auto& [id, connection] : left) connection->close();
  acceptor_.reset();
  io_.restart();
  io_.poll();  // what waited on them ends while all that it refers to is there
}

Result<void> Front::open(const std::string& otherwise) {
  auto acceptor = listen_tcp(io_, control_.address, control_.port);
  if (!acceptor) return tl::make_unexpected(acceptor.error());
  acceptor_.emplace(std::move(*acceptor));
  where_ = url_of(acceptor_->local_endpoint());
  ask_who_may_write(otherwise);
  accept();
  return start_thread();
}

Result<void> Front::start_thread() {
  rt::Warnings none;  // nothing is asked for that could be refused
  const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name("hild-http")};
  auto thread = rt::Thread::start(ordinary, none, [this] {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_of_front);
    io_.run();
    done_.raise();
  });
  if (!thread) return fail(thread.error().code, "control.http: {}", thread.error().message);
  thread_.emplace(std::move(*thread));
  return {};
}

// Where there is a token, it alone decides.
void Front::ask_who_may_write(const std::string& otherwise) {
  otherwise_ = otherwise + "configure control.token_file and send the token";
  auto of = users_.open();
  if (of) of_ = std::move(*of);
  if (!control_.token.empty() || !control_.writing || !control_.http_writing) return;
  if (!of) {
    nobody_writes_ = fmt::format(
        "nobody may change the run by HTTP, since nothing tells whose a connection is ({})",
        of.error().message);
  } else if (users_.own == 0) {
    nobody_writes_ =
        "nobody may change the run by HTTP: it is root's, and a connection of user 0 may be "
        "anybody's";
  }
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
  const auto user = user_of(at, to);
  const asio::ip::address here = unmapped(to.address());
  const Visitor visitor{
      .id = ++last_,
      .from = user ? fmt::format("user {}", *user) : address_of(unmapped(at.address())),
      .names = own_names(here.to_string(), here.is_loopback()),
      .may_not_write = may_not_write(user)};
  const bool own = user && *user != 0 && *user == users_.own;
  if (!own || !join(visitor)) {
    const auto out = places_.enter(visitor.id, visitor.from);
    if (out) std::shared_ptr(here_.at(*out))->make_room();  // it goes at that
  }
  const auto session = std::make_shared<HttpSession>(std::move(socket), *this, visitor);
  here_.emplace(visitor.id, session);
  session->start();
}

std::optional<uid_t> Front::user_of(const Socket::endpoint_type& at,
                                    const Socket::endpoint_type& to) const {
  if (!of_ || !unmapped(at.address()).is_loopback()) return {};
  const auto user = of_(at, to);
  return user ? std::optional(*user) : std::nullopt;
}

std::string Front::may_not_write(std::optional<uid_t> user) const {
  if (!control_.http_writing) {
    return "and control.writing is `socket`: by HTTP nothing can be changed; use hildctl";
  }
  if (!control_.token.empty()) return {};  // without it nothing is taken
  if (!nobody_writes_.empty()) return fmt::format("but {}: {}", nobody_writes_, otherwise_);
  if (user && *user != 0 && *user == users_.own) return {};
  return fmt::format(
      "and by HTTP without a token only the run's own user {} may, on a loopback connection that "
      "is still open: this is {}; {}",
      users_.own, user ? fmt::format("user {}'s", *user) : "nobody's that could be told",
      otherwise_);
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
  asio::post(io_, [this] {
    finishing_ = true;
    work_.reset();  // the thread ends with the last connection
    retry_.cancel();
    acceptor_.reset();
    const auto now = here_;
    for (const auto& [id, connection] : now) connection->finish();
  });
}

void Front::tell(LinkId to, std::function<void(Connection&)> what) {
  asio::post(io_, [this, to, what = std::move(what)] {
    const auto found = here_.find(to);
    if (found == here_.end()) return;
    const auto connection = found->second;  // it may go at that
    what(*connection);
  });
}

}  // namespace hild::server
