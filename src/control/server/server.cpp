// SPDX-License-Identifier: Apache-2.0
#include "control/server/server.hpp"

#include <deque>

#include "control/rpc/socket_path.hpp"
#include "control/server/front.hpp"
#include "control/server/http_pages.hpp"
#include "control/server/listen.hpp"
#include "control/server/state_watch.hpp"
#include "control/server/unix_session.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Failure = boost::system::error_code;

constexpr auto soon = 100ms;  // descriptors may have run out; some will be given back

/// Beyond the clients that may be, of the Unix socket, for what makes the run safe: who comes next
/// takes the place of the one that has been there longest.
constexpr std::size_t urgent_places = 16;

std::string too_many_clients(std::size_t most) {
  return fmt::format(
      "{} clients already: only disarm, freeze and stop are taken; try again when one has left, or "
      "raise control.limits.clients",
      most);
}

}  // namespace

struct Server::Parts {
  Parts(asio::io_context& context_of_all, config::Control settings, Run its_run, Users users)
      : io(context_of_all),
        control(std::move(settings)),
        run(std::move(its_run)),
        front(control, gate, pages, std::move(users)) {
    gate.answer_by(front);
  }

  asio::io_context& io;
  config::Control control;
  Run run;
  Names names{run.description};
  ActiveChanges active;
  OverrunHistory overruns;
  SampleTap tap{run.layout, run.settings.grid.rate_hz()};
  Transactions transactions{io, run, active};
  Subscriptions subscriptions{io, tap, names, run.settings.grid.rate_hz()};
  Ownership ownership;
  Clients clients{subscriptions, transactions, ownership};
  Context context{run,           names,   active,    overruns, transactions,
                  subscriptions, clients, ownership, watch,    control.writing};
  StateWatch watch{io, context};
  Health health{run};
  HttpPages pages{context, health};
  Turns turns{io};
  Service service{io, context, clients, turns, {control.message, control.depth}, control.rate};
  Gate gate{service, pages};

  std::optional<UnixListener> unix_listener;
  std::deque<std::weak_ptr<UnixSession>> unix_sessions;
  std::deque<std::weak_ptr<UnixSession>> urgent_sessions;
  Timer heartbeat{io};
  Timer retry_unix{io};
  bool closing = false;
  Front front;  // goes first, and its thread with it

  Result<void> listen_unix() {
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

  Result<void> listen_http() {
    if (control.address.empty()) return {};
    const std::string otherwise =
        unix_listener ? fmt::format("use hildctl --socket {}, or ", unix_listener->path()) : "";
    if (auto listening = front.open(otherwise); !listening) return listening;
    if (!front.nobody_writes().empty()) run.tell(front.nobody_writes(), false);
    return {};
  }

  void accept_unix() {
    unix_listener->acceptor().async_accept([this](const Failure& failure, auto socket) {
      if (closing) return;
      if (failure) return retry_unix.after(soon, [this] { accept_unix(); });
      welcome(std::move(socket));
      accept_unix();
    });
  }

  void welcome(UnixSession::Socket socket) {
    const auto gone = [](const auto& session) { return session.expired(); };
    std::erase_if(unix_sessions, gone);
    std::erase_if(urgent_sessions, gone);
    const bool crowded = unix_sessions.size() >= control.clients;
    auto& its = crowded ? urgent_sessions : unix_sessions;
    if (crowded && its.size() == urgent_places) {
      if (const auto oldest = its.front().lock()) oldest->close();
      its.pop_front();
    }
    const auto session = std::make_shared<UnixSession>(
        std::move(socket), service, crowded ? too_many_clients(control.clients) : std::string());
    its.push_back(session);
    clients.add(session);
    session->start();
  }

  void look() {
    health.look();
    heartbeat.after(250ms, [this] { look(); });
  }

  void close() {
    if (std::exchange(closing, true)) return;
    unix_listener.reset();
    gate.finish();
    front.finish();
    transactions.close();
    subscriptions.close();
    watch.close();
    clients.each([](Client& client) { client.finish(); });
    retry_unix.cancel();
    heartbeat.cancel();
    if (clients.size() == 0) return;
    // Those who do not read are not waited for.
    clients.when_none([this] { heartbeat.cancel(); });
    heartbeat.after(1s, [this] { clients.each([](Client& client) { client.close(); }); });
  }
};

Server::Server(asio::io_context& io, const config::Control& control, Run run, Users users)
    : parts_(std::make_unique<Parts>(io, control, std::move(run), std::move(users))) {}

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
  const std::string& http = parts_->front.where();
  if (!http.empty()) text += (text.empty() ? "" : ", ") + http;
  return text;
}

void Server::close() { parts_->close(); }

}  // namespace hild::server
