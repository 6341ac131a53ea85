// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who has control of the run: a client that took it, or nobody. While somebody has it, the
/// requests of others that change the run are refused; reading never is, nor what makes a run safe.
/// Control ends when it is given back, when its owner's connection goes, and when its owner has
/// changed nothing for its timeout. It keeps clients out of each other's way by accident; it is no
/// lock against anybody, since whoever may write may take it over.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hild::server {

class Client;

class Ownership {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration usual_timeout = std::chrono::minutes(10);

  /// `now` tells the time.
  explicit Ownership(std::function<Clock::time_point()> now = &Clock::now) : now_(std::move(now)) {}

  struct Terms {
    std::string owner;                         ///< how it is called, for others
    std::optional<Clock::duration> timeout{};  ///< none: what it was, else the usual one
    bool stays = false;  ///< when the connection goes: it is the name's, and who takes it again by
                         ///< that name, has it too
    bool over = false;   ///< whoever has it
  };

  /// Who has it may take it again, on other terms. Returns who it was taken over from, if anybody.
  /// Throws Refused when another has it and `over` was not said.
  std::optional<std::string> take(const Terms& terms, const Client& client);
  /// Control is nobody's. Returns whose it was, if anybody's. By `name` what stays may be given
  /// back on any connection. Throws Refused when another has it.
  std::optional<std::string> give(const Client& client, const std::string& name);

  /// Before a change: counts as activity of who has control. Throws Refused when that is another.
  void allow(const Client& client);
  /// The connection has gone.
  void forget(const Client& client);

  /// {owner, held_s, left_s, stays}, or null.
  [[nodiscard]] boost::json::value told();

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

  /// Nobody's once its time is over.
  [[nodiscard]] std::optional<Control>& present();
  [[noreturn]] void refuse_other();

  std::function<Clock::time_point()> now_;
  std::optional<Control> control_;
};

}  // namespace hild::server
