// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who may change the run by HTTP. Where there is a token, it alone decides; else the run's own
/// user may, on a connection that is shown to be that user's.
#pragma once

#include <optional>
#include <string>

#include "config/config.hpp"
#include "control/server/users.hpp"

namespace hild::server {

class WriteAccess {
 public:
  using Endpoint = Users::Endpoint;

  /// `control` outlives this.
  WriteAccess(const config::Control& control, Users users)
      : control_(control), users_(std::move(users)) {}

  /// Looks for what tells whose a connection is. `otherwise` says in words how else the run may be
  /// changed, and ends before "configure".
  void open(const std::string& otherwise);
  /// Why nobody may write by HTTP though it is not forbidden, and what to do; empty: somebody may.
  [[nodiscard]] const std::string& nobody() const { return nobody_; }

  /// The user at the other end; none where the address is not loopback, or nothing tells.
  [[nodiscard]] std::optional<uid_t> user_of(const Endpoint& at, const Endpoint& to) const;
  /// Whether that is the run's own user, who must not be root: see SocketUsers.
  [[nodiscard]] bool is_own(std::optional<uid_t> user) const {
    return user && *user != 0 && *user == users_.own;
  }
  /// Client::may_not_write() of a client of that user.
  [[nodiscard]] std::string may_not_write(std::optional<uid_t> user) const;

 private:
  const config::Control& control_;
  Users users_;
  Users::Of of_;  // tells whose a connection is; empty: nothing does
  std::string otherwise_;
  std::string nobody_;
};

}  // namespace hild::server
