// SPDX-License-Identifier: Apache-2.0
#include "control/server/dispatcher.hpp"

#include <boost/json/serialize.hpp>

#include "control/rpc/message.hpp"
#include "control/server/conversation.hpp"
#include "control/server/roles.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

rpc::Error too_many(const TokenBucket& bucket) {
  const double wait = bucket.wait().count();
  return {
      rpc::Code::too_many,
      fmt::format("too many requests a second: wait {:.3g} s, or raise control.limits.rate", wait),
      {{"retry_after_s", wait}}};
}

Intake refused_whole(rpc::Error error) {
  Intake intake;
  intake.items.push_back({.request = {}, .refused = std::move(error), .unknown = true});
  return intake;
}

/// Collects the answer to one text: that to a single request is sent at once, that to a batch when
/// all its requests have theirs. A client that has gone meanwhile gets no answer; one whose answer
/// is larger than what may wait for it is closed.
class Answer {
 public:
  Answer(const std::shared_ptr<Client>& client, bool batch, std::size_t requests)
      : client_(client), batch_(batch), left_(requests) {}

  /// Answers one request; to be called once for each, one of the two. A notification (id null) is
  /// not answered.
  void succeed(const json::value& id, json::value result) {
    done(id.is_null() ? json::object() : rpc::reply(id, std::move(result)));
  }
  /// `unknown`: it is not a request, and its id may not be known.
  void fail(const json::value& id, const rpc::Error& error, bool unknown = false) {
    done(id.is_null() && !unknown ? json::object() : rpc::error_reply(id, error));
  }

 private:
  // Kept as text: as values a batch would take many times the memory.
  void done(const json::object& reply) {
    if (!reply.empty()) {
      if (batch_) text_ += text_.empty() ? '[' : ',';
      text_ += json::serialize(reply);
    }
    const bool last = --left_ == 0;
    const auto client = client_.lock();
    if (client == nullptr) return;
    if (text_.size() > Outbox::most) {
      client_.reset();
      return client->close();
    }
    if (!last) return;
    if (batch_ && !text_.empty()) text_ += ']';
    client->answer(std::move(text_));
  }

  std::weak_ptr<Client> client_;
  bool batch_;
  std::size_t left_;
  std::string text_;
};

void serve_one(const Context& context, const rpc::Request& request,
               const std::shared_ptr<Client>& client, const std::shared_ptr<Answer>& answer) try {
  const Method& method = find_method(request.method);
  if (method.writes && !context.writing) {
    refuse(rpc::Code::writing_disabled,
           "{} changes {}, and control.writing is false: nothing can be changed", method.name,
           method.apart ? "what is kept" : "the run");
  }
  const Rights& rights = client->rights();
  if (const auto& why = rights.may_not_write; method.writes && !why.empty()) {
    refuse(rpc::Code::writing_disabled, "{} changes {}, {}", method.name,
           method.apart ? "what is kept" : "the run", why);
  }
  if (method.writes) context.roles.allow(rights.role, method);
  if (method.writes && !method.open && !method.apart) context.ownership.allow(*client);
  Params params(request.params);
  if (const auto* answered = std::get_if<Answered>(&method.does)) {
    return answer->succeed(request.id, (*answered)(context, params));
  }
  if (const auto* personal = std::get_if<Personal>(&method.does)) {
    return answer->succeed(request.id, (*personal)(context, params, client));
  }
  Changes changes = read_changes(context, method, params);
  context.roles.allow(rights.role, changes);
  context.transactions.submit(
      std::move(changes), *client, [answer, id = request.id](const Transactions::Verdict& verdict) {
        if (!verdict) return answer->fail(id, verdict.error());
        answer->succeed(id, {{"frame", verdict->frame}, {"time_s", in_seconds(verdict->time)}});
      });
} catch (const Refused& refused) {
  answer->fail(request.id, refused.error);
} catch (const std::exception& e) {
  answer->fail(request.id, {rpc::Code::internal, e.what(), {}});
}

struct Work {
  const Context& context;
  Intake intake;
  std::weak_ptr<Client> client;  // what is left of one that has gone is not done
  std::shared_ptr<Answer> answer;
  Turns& turns;
  std::function<void()> done;
  std::size_t next = 0;
};

void go_on(const std::shared_ptr<Work>& work) {
  const auto client = work->client.lock();
  if (client == nullptr) return;
  if (work->next < work->intake.items.size()) {
    const Intake::Item& item = work->intake.items[work->next++];
    if (!item.refused) {
      serve_one(work->context, item.request, client, work->answer);
    } else {
      work->answer->fail(item.request.id, *item.refused, item.unknown);
    }
  }
  if (work->next == work->intake.items.size()) return work->done();
  work->turns.post([work] { go_on(work); });
}

}  // namespace

Intake take_in(std::string_view text, const rpc::Limits& limits, bool may_write,
               TokenBucket& bucket) {
  auto incoming = rpc::read_requests(text, limits);
  if (!incoming) {
    Intake intake = refused_whole(incoming.error());
    if (!bucket.take(TokenBucket::Clock::now())) intake.pause = bucket.wait();
    return intake;
  }
  Intake intake{.batch = incoming->batch, .items = {}};
  for (auto& request : incoming->requests) {
    Intake::Item item;
    if (request) {
      item.request = std::move(*request);
      item.urgent = is_urgent(item.request.method);
    } else {
      item.request.id = std::move(request.error().id);
      item.refused = std::move(request.error().error);
      item.unknown = true;
    }
    if (!bucket.take(TokenBucket::Clock::now()) && !(item.urgent && may_write)) {
      item.refused = too_many(bucket);
      intake.pause = bucket.wait();
    }
    intake.items.push_back(std::move(item));
  }
  return intake;
}

Intake too_long(const rpc::Limits& limits) {
  return refused_whole({rpc::Code::not_json,
                        fmt::format("more than {} bytes: a text may be no longer, see "
                                    "control.limits.message",
                                    limits.message),
                        {}});
}

void serve(const Context& context, Intake intake, const std::shared_ptr<Client>& client,
           Turns& turns, std::function<void()> done) {
  const auto answer = std::make_shared<Answer>(client, intake.batch, intake.items.size());
  const auto urgent = [](const Intake::Item& i) { return i.urgent && !i.refused; };
  for (const Intake::Item& item : intake.items) {
    if (urgent(item)) serve_one(context, item.request, client, answer);
  }
  std::erase_if(intake.items, urgent);
  go_on(std::make_shared<Work>(
      Work{context, std::move(intake), client, answer, turns, std::move(done)}));
}

}  // namespace hild::server
