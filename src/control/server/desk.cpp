// SPDX-License-Identifier: Apache-2.0
#include "control/server/desk.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <utility>

#include "control/server/dashboards.hpp"
#include "control/server/dispatcher.hpp"
#include "control/server/history.hpp"
#include "control/server/model_times.hpp"
#include "control/server/roles.hpp"
#include "control/server/sequences.hpp"
#include "control/server/showing.hpp"
#include "control/server/state_watch.hpp"

namespace hild::server {

// As the server has them, on an io_context that nobody runs.
struct Desk::Parts {
  explicit Parts(Run its_run) : run(std::move(its_run)) {}

  /// Keeps the answer that is sent to it.
  class AtTheDesk final : public Client {
   public:
    void answer(std::string text) override { told = std::move(text); }
    void finish() override {}
    void close() override {}

    std::optional<std::string> told;
  };

  boost::asio::io_context io{1};
  Run run;
  Names names{run.description, run.device_faults, run.alarms};
  ActiveChanges active;
  OverrunHistory overruns;
  ModelTimes model_times;
  SampleTap tap{run.layout, run.settings.grid.rate_hz()};
  Transactions transactions{io, run, active};
  Subscriptions subscriptions{io, tap, names, run.settings.grid.rate_hz()};
  Ownership ownership;
  Clients clients{subscriptions, transactions, ownership};
  const std::vector<config::Role> no_roles{};
  Roles roles{no_roles, names};
  History history{io, run.layout, names, run.settings.grid.rate_hz()};
  Dashboards dashboards{Dashboards::usual_folder()};
  const std::vector<config::Control::Sequence> no_sequences{};
  Sequences sequences{io, run, no_sequences, [] { return std::string(); }};
  Showing showing;
  Context context{run,           names,     active,    overruns, model_times, transactions,
                  subscriptions, clients,   ownership, roles,    watch,       history,
                  dashboards,    sequences, showing,   true};
  StateWatch watch{io, context};
  Turns turns{io};
  std::shared_ptr<AtTheDesk> client;
};

Desk::Desk(Run run) : parts_(std::make_unique<Parts>(std::move(run))) {}
Desk::~Desk() = default;

void Desk::ask(std::string_view method, json::object params) {
  Parts& p = *parts_;
  p.client = std::make_shared<Parts::AtTheDesk>();
  Intake intake;
  intake.items.emplace_back();
  intake.items.back().request = {1, std::string(method), std::move(params)};
  serve(p.context, std::move(intake), p.client, p.turns, [] {});
}

std::optional<Desk::Answer> Desk::answer() {
  Parts& p = *parts_;
  if (p.client != nullptr && !p.client->told) p.transactions.poll();
  if (p.client == nullptr || !p.client->told) return std::nullopt;
  const json::value told = json::parse(*p.client->told);
  p.client.reset();
  const json::object& answer = told.as_object();
  if (const json::value* const result = answer.if_contains("result")) return Answer(*result);
  const json::object& error = answer.at("error").as_object();
  rpc::Error refused{static_cast<rpc::Code>(error.at("code").to_number<int>()),
                     std::string(error.at("message").as_string()),
                     {}};
  return Answer(tl::make_unexpected(std::move(refused)));
}

void Desk::close() { parts_->transactions.close(); }

const Names& Desk::names() const noexcept { return parts_->names; }

}  // namespace hild::server
