// SPDX-License-Identifier: Apache-2.0
/// \file
/// Control of the run through hildctl: of a user, over many commands; and of a sequence, for as
/// long as it lasts.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <string>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

/// The name by which hildctl takes control: $HILD_OWNER, else that of the user (before sudo).
[[nodiscard]] std::string owner_name();

/// Whether a call was refused because another client has control.
[[nodiscard]] bool refused_for_control(const CallError& failed);

/// Makes a call that counts as this user's where an earlier `hildctl take` gave them control.
json::value call_as_owner(Client& client, std::string_view method, const json::object& params);

/// Who has control, from a status: "alice, for 12 s; given back after 588 s more without a change".
[[nodiscard]] std::string control_words(const json::value& status);

/// The control of a sequence: taken, kept while it lasts, and given back. The client outlives it.
class HeldControl {
 public:
  /// `name` is shown to others. `patience` is the longest time without a call.
  HeldControl(Client& client, std::string name, std::chrono::milliseconds patience);

  // All throw CallError.

  /// Takes control, together with what this user took by `hildctl take`. Refused when another
  /// client has it; where writing is disabled there is nothing to take.
  void take();
  /// Renews control; to be called now and then. Refused when another client has taken it over.
  void keep();
  /// Gives control back, to this user where they had it before. Refused when another client has it
  /// by now.
  void give();

 private:
  void ask(bool over);

  Client& client_;
  std::string name_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point kept_{};
  bool held_ = false;
  double lent_s_ = 0;  // time left of this user's own control; 0: they had none
};

}  // namespace hild::ctl
