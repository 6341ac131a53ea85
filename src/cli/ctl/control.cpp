// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/control.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>

#include "cli/ctl/replies.hpp"
#include "control/rpc/message.hpp"

namespace hild::ctl {
namespace {

using namespace std::chrono_literals;

constexpr auto control_timeout = 60s;  // of a sequence that is killed, or hangs
constexpr auto renewal = 10s;

bool is(const CallError& failed, rpc::Code code) {
  return failed.kind == CallError::Reason::refused && failed.code == static_cast<int>(code);
}

/// Whether who has control is this user, by `hildctl take`.
bool is_own(const CallError& failed) {
  const json::value data(failed.data);
  return refused_for_control(failed) && flag_of(data, "stays") &&
         text_of(data, "owner") == owner_name();
}

}  // namespace

std::string owner_name() {
  if (const char* named = std::getenv("HILD_OWNER"); named != nullptr && *named != '\0') {
    return named;
  }
  const uid_t user = ::geteuid();
  if (const char* before = std::getenv("SUDO_USER");
      user == 0 && before != nullptr && *before != '\0') {
    return before;
  }
  const passwd* const entry = ::getpwuid(user);
  return entry != nullptr ? std::string(entry->pw_name) : fmt::format("user {}", user);
}

bool refused_for_control(const CallError& failed) { return is(failed, rpc::Code::controlled); }

json::value call_as_owner(Client& client, std::string_view method, const json::object& params) {
  try {
    return client.call(method, params);
  } catch (const CallError& failed) {
    if (!is_own(failed)) throw;
  }
  client.call("take", {{"owner", owner_name()}, {"stays", true}});
  return client.call(method, params);
}

std::string control_words(const json::value& status) {
  const json::value* of = member(status, "control");
  if (of == nullptr || !of->is_object()) return "nobody's: every client may change the run";
  return fmt::format("{}, for {:.0f} s; given back after {:.0f} s more without a change",
                     text_of(*of, "owner"), number_of(*of, "held_s"), number_of(*of, "left_s"));
}

HeldControl::HeldControl(Client& client, std::string name, std::chrono::milliseconds patience)
    : client_(client),
      name_(std::move(name)),
      timeout_(std::min<std::chrono::milliseconds>(control_timeout + 2 * patience, 24h)) {}

void HeldControl::ask(bool over) {
  json::object params{{"owner", name_},
                      {"timeout_s", std::chrono::duration<double>(timeout_).count()}};
  if (over) params["over"] = true;
  client_.call("take", params);
  kept_ = std::chrono::steady_clock::now();
  held_ = true;
}

void HeldControl::take() {
  try {
    return ask(false);
  } catch (const CallError& failed) {
    if (is(failed, rpc::Code::writing_disabled)) return;
    if (!is_own(failed)) throw;
    lent_s_ = std::max(1.0, number_of(json::value(failed.data), "left_s"));
  }
  ask(true);
}

void HeldControl::keep() {
  if (held_ && std::chrono::steady_clock::now() - kept_ >= renewal) ask(false);
}

void HeldControl::give() {
  if (!std::exchange(held_, false)) return;
  if (lent_s_ > 0) {
    client_.call(
        "take",
        {{"owner", owner_name()}, {"stays", true}, {"timeout_s", std::min(lent_s_, 86400.0)}});
  } else if (text_of(client_.call("give"), "owner") != name_) {
    throw CallError{.kind = CallError::Reason::refused,
                    .message =
                        "control was not this sequence's any more when it ended: it was "
                        "taken over, or ran out",
                    .code = static_cast<int>(rpc::Code::controlled)};
  }
}

}  // namespace hild::ctl
