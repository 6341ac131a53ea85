// SPDX-License-Identifier: Apache-2.0
#include "control/server/server.hpp"

#include <deque>

#include "control/server/dashboards.hpp"
#include "control/server/front.hpp"
#include "control/server/history.hpp"
#include "control/server/http_pages.hpp"
#include "control/server/model_times.hpp"
#include "control/server/roles.hpp"
#include "control/server/sequences.hpp"
#include "control/server/showing.hpp"
#include "control/server/state_watch.hpp"
#include "control/server/unix_front.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

}  // namespace

struct Server::Parts {
  Parts(asio::io_context& context_of_all, config::Control settings, Run its_run, Users users)
      : io(context_of_all),
        control(std::move(settings)),
        run(std::move(its_run)),
        front(control, gate, pages, std::move(users)) {
    gate.answer_by(front);
    for (const config::Role& role : control.roles) {
      if (role.socket.empty()) continue;
      role_fronts.emplace_back(
          UnixPlace{role.socket, role.mode, role.group, control.clients, role.name}, service);
    }
    for (const Run::Earlier& e : run.earlier) {
      active.apply(e.change, e.frame, e.time);
      transactions.number_after(e.transaction);
    }
    // Before the run itself is told: what is shown is not held up by what it does with it.
    run.accepted = [this, before = std::move(run.accepted)](
                       const exec::Transaction& made, const exec::Reply& reply, Run::Texts texts) {
      history.note(made, reply.frame, reply.time, texts);
      before(made, reply, texts);
    };
  }

  asio::io_context& io;
  config::Control control;
  Run run;
  Names names{run.description, run.device_faults, run.alarms};
  ActiveChanges active;
  OverrunHistory overruns;
  ModelTimes model_times;
  SampleTap tap{run.layout, run.settings.grid.rate_hz()};
  Transactions transactions{io, run, active};
  Subscriptions subscriptions{io, tap, names, run.settings.grid.rate_hz()};
  History history{io, run.layout, names, run.settings.grid.rate_hz()};
  Dashboards dashboards{Dashboards::usual_folder(), control.dashboards};
  Sequences sequences{io, run, control.sequences, [this] { return unix_front.path(); }};
  Showing showing;
  Ownership ownership;
  Clients clients{subscriptions, transactions, ownership};
  Roles roles{control.roles, names};
  Context context{run,           names,     active,    overruns,       model_times, transactions,
                  subscriptions, clients,   ownership, roles,          watch,       history,
                  dashboards,    sequences, showing,   control.writing};
  StateWatch watch{io, context};
  Health health{run};
  HttpPages pages{context, health};
  Turns turns{io};
  Service service{io, context, clients, turns, {control.message, control.depth}, control.rate};
  Gate gate{service, pages};

  UnixFront unix_front{{control.socket, control.mode, control.group, control.clients}, service};
  std::deque<UnixFront> role_fronts;
  Timer heartbeat{io};
  bool closing = false;
  Front front;  // goes first, and its thread with it

  Result<void> listen_http() {
    if (control.address.empty()) return {};
    const std::string path = unix_front.path();
    const std::string otherwise =
        path.empty() ? "" : fmt::format("use hildctl --socket {}, or ", path);
    if (auto listening = front.open(otherwise); !listening) return listening;
    const std::string& nobody = front.access().nobody();
    if (!nobody.empty()) run.tell(nobody, false);
    return {};
  }

  void look() {
    health.look();
    heartbeat.after(250ms, [this] { look(); });
  }

  void close() {
    if (std::exchange(closing, true)) return;
    unix_front.close();
    for (UnixFront& one : role_fronts) one.close();
    gate.finish();
    front.finish();
    transactions.close();
    subscriptions.close();
    history.close();
    sequences.close();
    watch.close();
    clients.each([](Client& client) { client.finish(); });
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
  parts_->clients.each([](Client& client) { client.close(); });
}

std::vector<record::Sink*> Server::sinks() {
  return {&parts_->tap, &parts_->history.tap(), &parts_->history.events(), &parts_->overruns,
          &parts_->model_times};
}

Result<void> Server::open() {
  if (auto known = parts_->roles.open(); !known) return known;
  if (auto listening = parts_->unix_front.open(); !listening) return listening;
  for (UnixFront& one : parts_->role_fronts) {
    if (auto listening = one.open(); !listening) return listening;
  }
  if (auto listening = parts_->listen_http(); !listening) return listening;
  parts_->look();
  parts_->history.start();
  parts_->watch.start();
  return {};
}

std::string Server::where() const {
  std::string text = parts_->unix_front.path();
  if (!text.empty()) text.insert(0, "unix ");
  for (const UnixFront& one : parts_->role_fronts) {
    text += fmt::format("{}unix {} ({})", text.empty() ? "" : ", ", one.path(), one.role());
  }
  const std::string& http = parts_->front.where();
  if (!http.empty()) text += (text.empty() ? "" : ", ") + http;
  return text;
}

void Server::close() { parts_->close(); }

}  // namespace hild::server
