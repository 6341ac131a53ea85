// SPDX-License-Identifier: Apache-2.0
#include "server/dispatcher.hpp"

#include "core/decimal.hpp"
#include "rpc/reply.hpp"
#include "server/answer.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;

rpc::Error too_many(const TokenBucket& bucket) {
  const double wait = bucket.wait().count();
  return {
      rpc::Code::too_many,
      fmt::format("too many requests a second: wait {:.3g} s, or raise control.limits.rate", wait),
      {{"retry_after_s", wait}}};
}

json::object result_of(const Transactions::Effect& e) {
  return {{"frame", e.frame}, {"time_s", in_seconds(e.time)}};
}

}  // namespace

std::chrono::duration<double> Dispatcher::receive(std::string_view text,
                                                  const std::shared_ptr<Client>& client,
                                                  TokenBucket& bucket) {
  const auto incoming = rpc::read_requests(text, limits_);
  if (!incoming) {
    const bool in_time = bucket.take(TokenBucket::Clock::now());
    client->answer(json::serialize(rpc::error_reply(nullptr, incoming.error())));
    return in_time ? std::chrono::duration<double>(0) : bucket.wait();
  }
  std::chrono::duration<double> pause(0);
  const auto answer = std::make_shared<Answer>(client, incoming->batch, incoming->requests.size());
  for (const auto& request : incoming->requests) {
    if (!bucket.take(TokenBucket::Clock::now())) {
      pause = bucket.wait();
      if (request) {
        answer->fail(request->id, too_many(bucket));
      } else {
        answer->fail_unknown(request.error().id, too_many(bucket));
      }
    } else if (!request) {
      answer->fail_unknown(request.error().id, request.error().error);
    } else {
      serve(*request, client, answer);
    }
  }
  return pause;
}

void Dispatcher::too_long(Client& client) const {
  const rpc::Error error{rpc::Code::not_json,
                         fmt::format("more than {} bytes: a text may be no longer, see "
                                     "control.limits.message",
                                     limits_.message),
                         {}};
  client.answer(json::serialize(rpc::error_reply(nullptr, error)));
}

void Dispatcher::serve(const rpc::Request& request, const std::shared_ptr<Client>& client,
                       const std::shared_ptr<Answer>& answer) try {
  const Method& method = find_method(request.method);
  if (method.writes && !context_.writing) {
    refuse(rpc::Code::writing_disabled,
           "{} changes the run, and control.writing is false: nothing can be changed", method.name);
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
