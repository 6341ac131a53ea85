// SPDX-License-Identifier: Apache-2.0
/// Who may change the run: taken, and given back.
#include <algorithm>

#include "control/server/client.hpp"
#include "control/server/method.hpp"
#include "control/server/ownership.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_name = 100;

std::string read_name(Params& params, std::string_view key) {
  std::string name = params.text(key);
  const bool plain = std::ranges::none_of(
      name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  if (name.empty() || name.size() > longest_name || !plain) {
    params.reject(key, fmt::format("found {}, expected a name of 1 to {} bytes in one line",
                                   found(json::value(name)), longest_name));
  }
  return name;
}

std::optional<Ownership::Clock::duration> read_timeout(Params& params) {
  if (!params.has("timeout_s")) return {};
  const Duration timeout = params.duration("timeout_s");
  if (timeout < 1_s || timeout > 86'400_s) {
    params.reject("timeout_s",
                  fmt::format("found {:g} s, expected 1 s to 86400 s", in_seconds(timeout)));
  }
  return std::chrono::nanoseconds(timeout.ns);
}

json::value name_or_null(const std::optional<std::string>& name) {
  return name ? json::value(*name) : json::value(nullptr);
}

}  // namespace

json::value take(const Context& context, Params& params, const std::shared_ptr<Client>& client) {
  if (!client->can_subscribe()) {
    refuse(rpc::Code::no_such_method,
           "take: a POST has gone when it is answered, and its control with it; use the Unix "
           "socket or ws://HOST/ws");
  }
  Ownership::Terms terms{.owner = read_name(params, "owner"),
                         .timeout = read_timeout(params),
                         .stays = params.boolean("stays", false),
                         .over = params.boolean("over", false)};
  params.refuse_unknown();
  const auto from = context.ownership.take(terms, *client);
  json::object reply = context.ownership.told().as_object();
  reply["from"] = name_or_null(from);
  return reply;
}

json::value give(const Context& context, Params& params, const std::shared_ptr<Client>& client) {
  const std::string name = params.has("owner") ? read_name(params, "owner") : std::string();
  params.refuse_unknown();
  return json::object{{"owner", name_or_null(context.ownership.give(*client, name))}};
}

}  // namespace hild::server
