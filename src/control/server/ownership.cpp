// SPDX-License-Identifier: Apache-2.0
#include "control/server/ownership.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>

#include "control/server/refused.hpp"

namespace hild::server {
namespace {

// To the millisecond: nobody wants more digits.
double seconds_of(Ownership::Clock::duration d) {
  return std::round(std::chrono::duration<double, std::milli>(d).count()) / 1e3;
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

boost::json::value Ownership::told() {
  const auto& control = present();
  if (!control) return nullptr;
  return boost::json::object{{"owner", control->owner},
                             {"held_s", seconds_of(now_() - control->since)},
                             {"left_s", seconds_of(control->active + control->timeout - now_())},
                             {"stays", control->stays}};
}

}  // namespace hild::server
