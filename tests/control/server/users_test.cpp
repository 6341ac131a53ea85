// SPDX-License-Identifier: Apache-2.0
/// Whose a connection is, and who may write by HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
namespace asio = boost::asio;
using server::SocketUsers;
using server::Users;
using tcp = asio::ip::tcp;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Both ends of a connection over loopback.
struct Ends {
  explicit Ends(const tcp::endpoint& at) : acceptor(io, at) {
    here.connect(acceptor.local_endpoint());
    there = acceptor.accept();
    its = here.local_endpoint();
  }
  [[nodiscard]] Result<uid_t> user(SocketUsers& users) const {
    return users.of(its, acceptor.local_endpoint());
  }
  asio::io_context io;
  tcp::acceptor acceptor;
  tcp::socket here{io};
  tcp::socket there{io};
  tcp::endpoint its;
};

const tcp::endpoint version4(asio::ip::address_v4::loopback(), 0);

TEST(SocketUsers, AreToldWhileTheConnectionIsOpen) {
  auto users = SocketUsers::open();
  if (!users) GTEST_SKIP() << users.error().message;
  Ends ends(version4);
  EXPECT_EQ(ends.user(*users).value(), ::geteuid());
  Ends other(version4);
  EXPECT_EQ(other.user(*users).value(), ::geteuid());
  // The kernel has half a connection still, and would say that it is root's.
  ends.here.close();
  const auto gone = ends.user(*users);
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, HasSubstr("closed at its other end"));
  EXPECT_EQ(other.user(*users).value(), ::geteuid());
}

TEST(SocketUsers, WhoListensIsNotTakenForOneThatIsConnected) {
  auto users = SocketUsers::open();
  if (!users) GTEST_SKIP() << users.error().message;
  Ends ends(version4);
  const tcp::endpoint listening = ends.acceptor.local_endpoint();
  EXPECT_FALSE(users->of(listening, {asio::ip::address_v4::loopback(), 1}));
  EXPECT_FALSE(users->of({asio::ip::address_v4::loopback(), 1}, listening));
}

TEST(SocketUsers, AreToldOfVersion6AndOfMappedAddresses) {
  auto users = SocketUsers::open();
  if (!users) GTEST_SKIP() << users.error().message;
  asio::io_context io;
  boost::system::error_code none;
  tcp::acceptor tried(io);
  tried.open(tcp::v6(), none);
  if (!none) tried.bind({asio::ip::address_v6::loopback(), 0}, none);
  if (none) GTEST_SKIP() << "no IPv6: " << none.message();
  Ends six({asio::ip::address_v6::loopback(), 0});
  EXPECT_EQ(six.user(*users).value(), ::geteuid());
  six.here.close();
  EXPECT_FALSE(six.user(*users));
  // A socket of version 6 at a listener of version 4.
  tcp::acceptor four(io, version4);
  tcp::socket mapped(io, tcp::v6());
  mapped.connect({asio::ip::make_address_v6(asio::ip::v4_mapped, asio::ip::address_v4::loopback()),
                  four.local_endpoint().port()});
  EXPECT_EQ(users->of(mapped.local_endpoint(), four.local_endpoint()).value(), ::geteuid());
}

// As root alone others can be played.
TEST(SocketUsers, AnothersIsAnothers) {
  if (::geteuid() != 0) GTEST_SKIP() << "root only";
  auto users = SocketUsers::open();
  if (!users) GTEST_SKIP() << users.error().message;
  constexpr uid_t other = 12345;
  asio::io_context io;
  tcp::acceptor acceptor(io, version4);
  const auto at = acceptor.local_endpoint();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setresuid(other, other, other) != 0) ::_exit(1);
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(fd, at.data(), static_cast<socklen_t>(at.size())) != 0) ::_exit(2);
    char byte = 0;
    ::_exit(::read(fd, &byte, 1) == 0 ? 0 : 3);
  }
  tcp::socket there = acceptor.accept();
  EXPECT_EQ(users->of(there.remote_endpoint(), at).value(), other);
  there.close();
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

struct WritingRig : ServerRig {
  explicit WritingRig(uid_t own, std::function<Result<Users::Of>()> open) {
    control.address = "127.0.0.1";
    users = {.own = own, .open = std::move(open)};
  }
};

const std::string disarm_request = R"({"jsonrpc": "2.0", "id": 1, "method": "disarm"})";
const std::string set_request =
    R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"level": 3}}})";

json::value posted(const ServerRig& rig, const std::string& request,
                   const std::string& fields = {}) {
  const HttpAnswer a = HttpClient(rig.port()).post(request, fields);
  EXPECT_EQ(a.status, 200) << a.body;
  return json::parse(a.body);
}

/// Who asks is told so.
void expect_no_rights(const ServerRig& rig, const std::string& words) {
  const json::value rights =
      posted(rig, R"({"jsonrpc": "2.0", "id": 1, "method": "rights"})").at("result");
  EXPECT_EQ(rights.at("writes"), false);
  EXPECT_THAT(rights.at("why").as_string().c_str(),
              AllOf(HasSubstr("may only read"), HasSubstr(words)));
}

void expect_reading(const ServerRig& rig) {
  EXPECT_EQ(posted(rig, status_request).at("result").at("state"), "running");
  EXPECT_EQ(HttpClient(rig.port()).get("/metrics").status, 200);
  EXPECT_EQ(HttpClient(rig.port()).get("/").status, 200);
}

/// All that changes the run is refused, in words; all else is done.
void expect_only_reading(ServerRig& rig, const std::string& words) {
  for (const std::string& request : {disarm_request, set_request}) {
    const json::value answer = posted(rig, request);
    ASSERT_TRUE(answer.as_object().contains("error")) << answer;
    EXPECT_EQ(answer.at("error").at("code"), -32001);
    EXPECT_THAT(answer.at("error").at("message").as_string().c_str(),
                AllOf(HasSubstr("changes the run"), HasSubstr(words), HasSubstr("hildctl")));
  }
  expect_no_rights(rig, words);
  expect_reading(rig);
  EXPECT_TRUE(rig.armed);
  EXPECT_TRUE(LineClient(rig.socket()).call("disarm").as_object().contains("frame"));
}

TEST(Writing, ByHttpIsTheRunsOwnUsers) {
  WritingRig rig(1000, [] { return users_are(1000); });
  rig.start();
  EXPECT_TRUE(posted(rig, disarm_request).as_object().contains("result"));
  EXPECT_TRUE(posted(rig, set_request).as_object().contains("result"));
  rig.end();
  EXPECT_FALSE(rig.armed);
  EXPECT_THAT(rig.log, Not(Contains(HasSubstr("HTTP"))));
}

TEST(Writing, ByHttpIsNoOtherUsers) {
  WritingRig rig(1000, [] { return users_are(1001); });
  rig.start();
  expect_only_reading(rig, "only the run's own user 1000 may");
  EXPECT_THAT(posted(rig, disarm_request).at("error").at("message").as_string().c_str(),
              AllOf(HasSubstr("user 1001's"), HasSubstr("--socket " + rig.socket()),
                    HasSubstr("control.token_file")));
}

// Of a connection that was closed the kernel says that it is user 0's.
TEST(Writing, UserZeroByHttpIsNobody) {
  WritingRig rig(0, [] { return users_are(0); });
  rig.start();
  expect_only_reading(rig, "it is root's");
  rig.end();
  EXPECT_THAT(rig.log, Contains(HasSubstr("nobody may change the run by HTTP: it is root's")));
}

TEST(Writing, AConnectionThatWasClosedIsNobodys) {
  WritingRig rig(1000, [] {
    using Endpoint = Users::Endpoint;
    return Result<Users::Of>([](const Endpoint&, const Endpoint&) -> Result<uid_t> {
      return fail("the connection was closed at its other end");
    });
  });
  rig.start();
  expect_only_reading(rig, "nobody's that could be told");
}

TEST(Writing, WhereNothingTellsTheUserIsSaidAtTheStartAndInTheRefusal) {
  WritingRig rig(1000, []() -> Result<Users::Of> { return fail("sock_diag: not here"); });
  rig.start();
  expect_only_reading(rig, "(sock_diag: not here)");
  rig.end();
  EXPECT_THAT(rig.log, Contains(HasSubstr("nobody may change the run by HTTP")));
}

TEST(Writing, TheTokenIsAnybodysWhoHasIt) {
  WritingRig rig(0, []() -> Result<Users::Of> { return fail("sock_diag: not here"); });
  rig.control.token = "correct-horse-battery";
  rig.start();
  const std::string right = "Authorization: Bearer correct-horse-battery\r\n";
  EXPECT_TRUE(posted(rig, set_request, right).as_object().contains("result"));
  EXPECT_EQ(HttpClient(rig.port()).post(disarm_request).status, 401);
  rig.end();
  EXPECT_TRUE(rig.armed);
  EXPECT_THAT(rig.log, Not(Contains(HasSubstr("HTTP"))));
}

TEST(Writing, MayBeTheSocketsAlone) {
  WritingRig rig(1000, [] { return users_are(1000); });
  rig.control.http_writing = false;
  rig.start();
  expect_only_reading(rig, "control.writing is `socket`");
}

// All of it as it is: the kernel, and a user of this machine.
TEST(Writing, ByHttpIsAskedOfTheKernel) {
  auto kernel = Users::of_the_kernel();
  if (!kernel) GTEST_SKIP() << kernel.error().message;
  WritingRig rig(::geteuid(), Users::of_the_kernel);
  rig.start();
  const json::value answer = posted(rig, disarm_request);
  EXPECT_EQ(answer.as_object().contains("result"), ::geteuid() != 0) << answer;
  WritingRig others(::geteuid() + 1, Users::of_the_kernel);
  others.start();
  EXPECT_TRUE(posted(others, disarm_request).as_object().contains("error"));
}

}  // namespace
}  // namespace hild::testing
