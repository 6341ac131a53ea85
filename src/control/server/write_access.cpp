// SPDX-License-Identifier: Apache-2.0
#include "control/server/write_access.hpp"

#include <fmt/format.h>

namespace hild::server {

void WriteAccess::open(const std::string& otherwise) {
  otherwise_ = otherwise + "configure control.token_file and send the token";
  auto of = users_.open();
  if (of) of_ = std::move(*of);
  if (!control_.token.empty() || !control_.writing || !control_.http_writing) return;
  if (!of) {
    nobody_ = fmt::format(
        "nobody may change the run by HTTP, since nothing tells whose a connection is ({})",
        of.error().message);
  } else if (users_.own == 0) {
    nobody_ =
        "nobody may change the run by HTTP: it is root's, and a connection of user 0 may be "
        "anybody's";
  }
}

std::optional<uid_t> WriteAccess::user_of(const Endpoint& at, const Endpoint& to) const {
  if (!of_ || !unmapped(at.address()).is_loopback()) return {};
  const auto user = of_(at, to);
  return user ? std::optional(*user) : std::nullopt;
}

std::string WriteAccess::may_not_write(std::optional<uid_t> user) const {
  if (!control_.http_writing) {
    return "and control.writing is `socket`: by HTTP nothing can be changed; use hildctl";
  }
  if (!control_.token.empty()) return {};  // without it nothing is taken
  if (!nobody_.empty()) return fmt::format("but {}: {}", nobody_, otherwise_);
  if (is_own(user)) return {};
  return fmt::format(
      "and by HTTP without a token only the run's own user {} may, on a loopback connection that "
      "is still open: this is {}; {}",
      users_.own, user ? fmt::format("user {}'s", *user) : "nobody's that could be told",
      otherwise_);
}

}  // namespace hild::server
