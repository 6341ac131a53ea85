// SPDX-License-Identifier: Apache-2.0
#include "control/server/ownership.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>

#include "control/server/method.hpp"
#include "core/control_characters.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

// To the millisecond: nobody wants more digits.
double seconds_of(Ownership::Clock::duration d) {
  return std::round(std::chrono::duration<double, std::milli>(d).count()) / 1e3;
}

constexpr std::size_t longest_name = 100;

std::string read_name(Params& params, std::string_view key) {
  std::string name = params.text(key);
  const bool plain = find_control(name) == name.npos;
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

bool Ownership::Control::is_of(const Client& client) const {
  return std::ranges::find(clients, &client) != clients.end();
}

std::optional<Ownership::Control>& Ownership::present() {
  if (control_ && now_() - control_->active >= control_->timeout) control_.reset();
  return control_;
}

void Ownership::refuse_other() {
  const auto told_now = told().as_object();
  throw Refused{
      {rpc::Code::controlled,
       fmt::format(
           "{} has had control for {:.0f} s, and nobody else may change the run: wait until "
           "it is given back, or take it over on purpose (`take` with over: true, `hildctl "
           "take --over`); disarm, freeze and stop are open to all",
           control_->owner, std::floor(seconds_of(now_() - control_->since))),
       told_now}};
}

std::optional<std::string> Ownership::take(const Terms& terms, const Client& client) {
  auto& control = present();
  const bool again = control && control->is_of(client);
  const bool by_name = control && control->stays && terms.stays && control->owner == terms.owner;
  if (control && !again && !by_name && !terms.over) refuse_other();
  std::optional<std::string> from;
  if (!again && !by_name) {
    if (control) from = control->owner;
    control = Control{.owner = terms.owner, .timeout = usual_timeout, .since = now_()};
  } else if (control->owner != terms.owner) {
    control->since = now_();
  }
  control->owner = terms.owner;
  control->stays = terms.stays;
  control->timeout = terms.timeout.value_or(control->timeout);
  control->active = now_();
  if (!terms.stays) control->clients.clear();  // it is this connection's alone
  if (!control->is_of(client)) control->clients.push_back(&client);
  return from;
}

std::optional<std::string> Ownership::give(const Client& client, const std::string& name) {
  auto& control = present();
  if (!control) return {};
  if (!control->is_of(client) && !(control->stays && control->owner == name)) refuse_other();
  std::string owner = std::move(control->owner);
  control.reset();
  return owner;
}

void Ownership::allow(const Client& client) {
  auto& control = present();
  if (!control) return;
  if (!control->is_of(client)) refuse_other();
  control->active = now_();
}

void Ownership::forget(const Client& client) {
  if (!control_ || std::erase(control_->clients, &client) == 0) return;
  if (!control_->stays) control_.reset();
}

json::value Ownership::told() {
  const auto& control = present();
  if (!control) return nullptr;
  return json::object{{"owner", control->owner},
                      {"held_s", seconds_of(now_() - control->since)},
                      {"left_s", seconds_of(control->active + control->timeout - now_())},
                      {"stays", control->stays}};
}

// ---- requests ----------------------------------------------------------------------------------

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
