// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who may write by HTTP, by what the configuration says and what tells whose a connection is.
#include "control/server/write_access.hpp"

#include <gmock/gmock.h>

namespace hild::testing {
namespace {

using server::Users;
using server::WriteAccess;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace ip = boost::asio::ip;

constexpr uid_t own = 1000;
constexpr uid_t other = 1001;

/// Takes the port at the other end for the number of its user; none has port 1.
Users users_by_port(uid_t of_run = own) {
  return {.own = of_run, .open = []() -> Result<Users::Of> {
            return [](const auto& at, const auto&) -> Result<uid_t> {
              if (at.port() == 1) return fail("none");
              return at.port();
            };
          }};
}
Users nobody_tells() {
  return {.own = own, .open = []() -> Result<Users::Of> { return fail("no such kernel"); }};
}

WriteAccess opened(const config::Control& control, Users users) {
  WriteAccess access(control, std::move(users));
  access.open("use another way, or ");
  return access;
}

TEST(WriteAccess, IsTheRunsOwnUsers) {
  const config::Control control;
  const WriteAccess access = opened(control, users_by_port());
  EXPECT_THAT(access.nobody(), IsEmpty());
  EXPECT_TRUE(access.is_own(own));
  EXPECT_THAT(access.may_not_write(own), IsEmpty());
  EXPECT_FALSE(access.is_own(other));
  EXPECT_THAT(access.may_not_write(other),
              AllOf(HasSubstr("own user 1000"), HasSubstr("user 1001's"),
                    HasSubstr("use another way, or configure control.token_file")));
  EXPECT_FALSE(access.is_own({}));
  EXPECT_THAT(access.may_not_write({}), HasSubstr("nobody's that could be told"));
}

// A connection that was closed is reported as root's.
TEST(WriteAccess, IsNobodysWhereTheRunIsRoots) {
  const config::Control control;
  const WriteAccess access = opened(control, users_by_port(0));
  EXPECT_THAT(access.nobody(), HasSubstr("it is root's"));
  EXPECT_FALSE(access.is_own(0));
  EXPECT_THAT(access.may_not_write(0), AllOf(HasSubstr("it is root's"), HasSubstr("another way")));
}

TEST(WriteAccess, IsNobodysWhereNothingTellsWhoItIs) {
  const config::Control control;
  const WriteAccess access = opened(control, nobody_tells());
  EXPECT_THAT(access.nobody(), HasSubstr("no such kernel"));
  EXPECT_THAT(access.may_not_write(own), HasSubstr("no such kernel"));
}

TEST(WriteAccess, IsWhosoeverHasTheToken) {
  config::Control control;
  control.token = "secret";
  for (const Users& users : {users_by_port(), users_by_port(0), nobody_tells()}) {
    const WriteAccess access = opened(control, users);
    EXPECT_THAT(access.nobody(), IsEmpty());
    EXPECT_THAT(access.may_not_write(other), IsEmpty());
  }
}

TEST(WriteAccess, IsForbiddenByTheConfiguration) {
  config::Control control;
  control.token = "secret";
  control.http_writing = false;
  const WriteAccess access = opened(control, users_by_port());
  EXPECT_THAT(access.nobody(), IsEmpty()) << "it is forbidden, not a mishap";
  EXPECT_THAT(access.may_not_write(own), HasSubstr("use hildctl"));
}

TEST(WriteAccess, AsksForUsersOfThisMachineOnly) {
  const config::Control control;
  const WriteAccess access = opened(control, users_by_port());
  const WriteAccess::Endpoint here(ip::make_address("127.0.0.1"), 8080);
  const auto user_at = [&](const char* address, std::uint16_t port) {
    return access.user_of({ip::make_address(address), port}, here);
  };
  EXPECT_EQ(user_at("127.0.0.1", own), own);
  EXPECT_EQ(user_at("::1", own), own);
  EXPECT_EQ(user_at("::ffff:127.0.0.1", own), own);
  EXPECT_EQ(user_at("127.0.0.1", 1), std::nullopt);
  EXPECT_EQ(user_at("192.0.2.1", own), std::nullopt);
  const WriteAccess deaf = opened(control, nobody_tells());
  EXPECT_EQ(deaf.user_of({ip::make_address("127.0.0.1"), own}, here), std::nullopt);
}

}  // namespace
}  // namespace hild::testing
