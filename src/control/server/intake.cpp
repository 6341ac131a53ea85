// SPDX-License-Identifier: Apache-2.0
#include "control/server/intake.hpp"

#include <fmt/format.h>

#include "control/server/method.hpp"

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

}  // namespace hild::server
