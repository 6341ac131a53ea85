// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps track of who has control of the run: a client that took it, or nobody. While somebody has
/// it, requests of others that change the run are refused; never those that read, or that make a
/// run safe. Control ends when it is given back, when its owner's connection goes, and when its
/// owner has changed nothing for its timeout. It keeps clients from getting in each other's way by
/// accident; it is not a protection, since whoever may write may take control over.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/rpc/parse_json.hpp"

namespace hild::server {

class Client;

class Ownership {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration usual_timeout = std::chrono::minutes(10);

  /// `now` is the clock.
  explicit Ownership(std::function<Clock::time_point()> now = &Clock::now) : now_(std::move(now)) {}

  /// The terms on which control is taken.
  struct Terms {
    std::string owner;                         ///< the name of the owner, shown to others
    std::optional<Clock::duration> timeout{};  ///< none: as before, else the usual one
    /// Control stays when the connection goes: it belongs to the name, and whoever takes it again
    /// by that name has it too.
    bool stays = false;
    bool over = false;  ///< takes it over from whoever has it
  };

  /// Takes control. Its owner may take it again on other terms. Returns from whom it was taken
  /// over, if anybody. Throws Refused when another client has it and `over` is not set.
  std::optional<std::string> take(const Terms& terms, const Client& client);
  /// Gives control back. Returns whose it was, if anybody's. Control that `stays` may be given back
  /// by `name` on any connection. Throws Refused when another client has it.
  std::optional<std::string> give(const Client& client, const std::string& name);

  /// To be called before a change: counts as activity of the client that has control. Throws
  /// Refused when that is another one.
  void allow(const Client& client);
  /// Reports that the client's connection has gone.
  void forget(const Client& client);

  /// Who has control, {owner, held_s, left_s, stays}, or null.
  [[nodiscard]] json::value told();

 private:
  struct Control {
    std::string owner;
    bool stays = false;
    Clock::duration timeout{};
    Clock::time_point since{};
    Clock::time_point active{};
    std::vector<const Client*> clients{};  // only to be compared

    [[nodiscard]] bool is_of(const Client& client) const;
  };

  /// The present control; none once its time is over.
  [[nodiscard]] std::optional<Control>& present();
  [[noreturn]] void refuse_other();

  std::function<Clock::time_point()> now_;
  std::optional<Control> control_;
};

}  // namespace hild::server
