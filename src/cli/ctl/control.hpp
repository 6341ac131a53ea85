// SPDX-License-Identifier: Apache-2.0
/// \file
/// Control of the run, as hildctl has it: of a user, over many commands; and of a sequence, for as
/// long as it lasts.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <string>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

/// By what name hildctl takes control: $HILD_OWNER, else the user's (before sudo).
[[nodiscard]] std::string owner_name();

/// Whether a call was refused since another has control.
[[nodiscard]] bool refused_for_control(const CallError& failed);

/// A call that counts as this user's where an earlier `hildctl take` gave them control.
[[nodiscard]] Reply<boost::json::value> call_as_owner(Client& client, std::string_view method,
                                                      const boost::json::object& params);

/// Of a status: "alice, for 12 s; given back after 588 s more without a change".
[[nodiscard]] std::string control_words(const boost::json::value& status);

/// Control of a sequence: taken, kept while it lasts, and given back. The client outlives it.
class HeldControl {
 public:
  /// `name` is told to others. `patience`: how long nothing may be called.
  HeldControl(Client& client, std::string name, std::chrono::milliseconds patience);

  /// Refused when another has it; where writing is disabled there is nothing to be taken. What this
  /// user took by `hildctl take` is taken along.
  [[nodiscard]] Reply<void> take();
  /// Now and then: it is still wanted. Refused when another has taken it over.
  [[nodiscard]] Reply<void> keep();
  /// Gives it back, to this user where they had it. Refused when it was not its own any more.
  [[nodiscard]] Reply<void> give();

 private:
  [[nodiscard]] Reply<void> ask(bool over);

  Client& client_;
  std::string name_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point kept_{};
  bool held_ = false;
  double lent_s_ = 0;  // what was left of this user's own; 0: they had none
};

}  // namespace hild::ctl
