// SPDX-License-Identifier: Apache-2.0
#include "control/server/dispatcher.hpp"

#include "control/rpc/reply.hpp"
#include "control/server/answer.hpp"
#include "control/server/turns.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;

json::object result_of(const Transactions::Effect& e) {
  return {{"frame", e.frame}, {"time_s", in_seconds(e.time)}};
}

}  // namespace

struct Dispatcher::Work {
  Intake intake;
  std::weak_ptr<Client> client;  // what is left of one that has gone is not done
  std::shared_ptr<Answer> answer;
  Turns* turns;
  std::function<void()> done;
  std::size_t next = 0;
};

void Dispatcher::serve(Intake intake, const std::shared_ptr<Client>& client, Turns& turns,
                       std::function<void()> done) {
  const auto answer = std::make_shared<Answer>(client, intake.batch, intake.items.size());
  for (Intake::Item& item : intake.items) {
    if (item.urgent && !item.refused) serve(item.request, client, answer);
  }
  std::erase_if(intake.items, [](const Intake::Item& i) { return i.urgent && !i.refused; });
  go_on(
      std::make_shared<Work>(Work{std::move(intake), client, answer, &turns, std::move(done), 0}));
}

void Dispatcher::go_on(const std::shared_ptr<Work>& work) {
  const auto client = work->client.lock();
  if (client == nullptr) return;
  if (work->next < work->intake.items.size()) {
    const Intake::Item& item = work->intake.items[work->next++];
    if (!item.refused) {
      serve(item.request, client, work->answer);
    } else if (item.unknown) {
      work->answer->fail_unknown(item.request.id, *item.refused);
    } else {
      work->answer->fail(item.request.id, *item.refused);
    }
  }
  if (work->next == work->intake.items.size()) return work->done();
  work->turns->post([this, work] { go_on(work); });
}

void Dispatcher::serve(const rpc::Request& request, const std::shared_ptr<Client>& client,
                       const std::shared_ptr<Answer>& answer) try {
  const Method& method = find_method(request.method);
  if (method.writes && !context_.writing) {
    refuse(rpc::Code::writing_disabled,
           "{} changes the run, and control.writing is false: nothing can be changed", method.name);
  }
  if (const auto why = client->may_not_write(); method.writes && !why.empty()) {
    refuse(rpc::Code::writing_disabled, "{} changes the run, {}", method.name, why);
  }
  if (method.writes && !method.open) context_.ownership.allow(*client);
  Params params(request.params);
  if (const auto* answered = std::get_if<Answered>(&method.does)) {
    answer->succeed(request.id, (*answered)(context_, params));
  } else if (const auto* personal = std::get_if<Personal>(&method.does)) {
    answer->succeed(request.id, (*personal)(context_, params, client));
  } else {
    context_.transactions.submit(read_changes(context_, method, params), *client,
                                 [answer, id = request.id](const Transactions::Verdict& verdict) {
                                   if (verdict) {
                                     answer->succeed(id, result_of(*verdict));
                                   } else {
                                     answer->fail(id, verdict.error());
                                   }
                                 });
  }
} catch (const Refused& refused) {
  answer->fail(request.id, refused.error);
} catch (const std::exception& e) {
  answer->fail(request.id, {rpc::Code::internal, e.what(), {}});
}

}  // namespace hild::server
