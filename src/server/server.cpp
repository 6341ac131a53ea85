// SPDX-License-Identifier: Apache-2.0
#include "server/server.hpp"

#include <boost/json/serialize.hpp>

#include "rpc/reply.hpp"
#include "rpc/socket_path.hpp"
#include "server/health.hpp"
#include "server/http_pages.hpp"
#include "server/http_session.hpp"
#include "server/listen.hpp"
#include "server/state_watch.hpp"
#include "server/unix_session.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Failure = boost::system::error_code;

constexpr auto soon = 100ms;  // descriptors may have run out; some will be given back

std::string too_many_clients(std::size_t most) {
  return fmt::format(
      "{} clients already: try again when one has left, or raise "
      "control.limits.clients",
      most);
}

}  // namespace

struct Server::Parts {
  Parts(asio::io_context& context_of_all, config::Control settings, Run its_run)
      : io(context_of_all),
        control(std::move(settings)),
        run(std::move(its_run)),
        names(run.description),
        tap(run.layout, run.settings.grid.rate_hz()),
        transactions(io, run, in_force),
        subscriptions(io, tap, names, run.settings.grid.rate_hz()),
        clients(control.clients, subscriptions, transactions, ownership) {
    clients.when_gone([this](const Client& client) { watch.forget(client); });
  }

  asio::io_context& io;
  config::Control control;
  Run run;
  Names names;
  InForce in_force;
  OverrunHistory overruns;
  SampleTap tap;
  Transactions transactions;
  Subscriptions subscriptions;
  Ownership ownership;
  Clients clients;
  Context context{run,           names,   in_force,  overruns, transactions,
                  subscriptions, clients, ownership, watch,    control.writing};
  StateWatch watch{io, context};
  Health health{run};
  HttpPages pages{context, health};
  rpc::Limits limits{control.message, control.depth};
  Dispatcher dispatcher{context, limits};
  TokenBucket http_requests{control.rate};
  Service service{io,     dispatcher,   clients,       pages,
                  limits, control.rate, http_requests, control.token};

  std::optional<UnixListener> unix_listener;
  std::optional<asio::ip::tcp::acceptor> http_acceptor;
  Timer heartbeat{io};
  Timer retry_unix{io};
  Timer retry_http{io};
  bool closing = false;

  Result<void> listen_unix();
  Result<void> listen_http();
  void accept_unix();
  void accept_http();
  void look();
  void close();
};

Result<void> Server::Parts::listen_unix() {
  if (control.socket.empty()) return {};
  const bool usual = control.socket == "auto";
  const std::string path = usual ? rpc::default_socket() : control.socket;
  if (usual) {
    if (auto made = make_folder_of(path); !made) return made;
  }
  auto listener = UnixListener::open(io, path, control.mode, control.group);
  if (!listener) return tl::make_unexpected(listener.error());
  unix_listener.emplace(std::move(*listener));
  accept_unix();
  return {};
}

Result<void> Server::Parts::listen_http() {
  if (control.address.empty()) return {};
  auto acceptor = listen_tcp(io, control.address, control.port);
  if (!acceptor) return tl::make_unexpected(acceptor.error());
  http_acceptor.emplace(std::move(*acceptor));
  accept_http();
  return {};
}

void Server::Parts::accept_unix() {
  unix_listener->acceptor().async_accept([this](const Failure& failure, auto socket) {
    if (closing) return;
    if (failure) return retry_unix.after(soon, [this] { accept_unix(); });
    if (clients.full()) {
      const rpc::Error error{rpc::Code::too_many, too_many_clients(clients.most()), {}};
      const std::string text = boost::json::serialize(rpc::error_reply(nullptr, error)) + "\n";
      Failure ignored;
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(text), ignored);
    } else {
      const auto session = std::make_shared<UnixSession>(std::move(socket), service);
      clients.add(session);
      session->start();
    }
    accept_unix();
  });
}

void Server::Parts::accept_http() {
  http_acceptor->async_accept([this](const Failure& failure, auto socket) {
    if (closing) return;
    if (failure) return retry_http.after(soon, [this] { accept_http(); });
    if (clients.full()) {
      const std::string body = too_many_clients(clients.most()) + "\n";
      const std::string text = fmt::format(
          "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
          "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
          body.size(), body);
      Failure ignored;
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(text), ignored);
    } else {
      const auto session = std::make_shared<HttpSession>(std::move(socket), service);
      clients.add(session);
      session->start();
    }
    accept_http();
  });
}

void Server::Parts::look() {
  health.look(Health::Clock::now());
  heartbeat.after(250ms, [this] { look(); });
}

void Server::Parts::close() {
  if (std::exchange(closing, true)) return;
  unix_listener.reset();
  http_acceptor.reset();
  transactions.close();
  subscriptions.close();
  watch.close();
  clients.each([](Client& client) { client.finish(); });
  retry_unix.cancel();
  retry_http.cancel();
  heartbeat.cancel();
  if (clients.size() == 0) return;
  // Those who do not read are not waited for.
  clients.when_none([this] { heartbeat.cancel(); });
  heartbeat.after(1s, [this] { clients.each([](Client& client) { client.close(); }); });
}

Server::Server(asio::io_context& io, const config::Control& control, Run run)
    : parts_(std::make_unique<Parts>(io, control, std::move(run))) {}

Server::~Server() {
  parts_->closing = true;
  parts_->clients.each([](Client& client) { client.close(); });
}

std::vector<record::Sink*> Server::sinks() { return {&parts_->tap, &parts_->overruns}; }

Result<void> Server::open() {
  if (auto listening = parts_->listen_unix(); !listening) return listening;
  if (auto listening = parts_->listen_http(); !listening) return listening;
  parts_->look();
  parts_->watch.start();
  return {};
}

std::string Server::where() const {
  std::string text;
  if (parts_->unix_listener) text = "unix " + parts_->unix_listener->path();
  if (parts_->http_acceptor) {
    const auto end = parts_->http_acceptor->local_endpoint();
    const bool v6 = end.address().is_v6();
    text += fmt::format("{}http://{}{}{}:{}/", text.empty() ? "" : ", ", v6 ? "[" : "",
                        end.address().to_string(), v6 ? "]" : "", end.port());
  }
  return text;
}

void Server::close() { parts_->close(); }

}  // namespace hild::server
