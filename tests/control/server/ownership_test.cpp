// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who has control, on a clock that moves when it is told to.
#include "control/server/ownership.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "control/server/clients.hpp"
#include "control/server/refused.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Nobody final : public Client {
 public:
  void answer(std::string) override {}
  void finish() override {}
  void close() override {}
};

class OwnershipTest : public ::testing::Test {
 protected:
  Ownership::Clock::time_point now{1000s};
  Ownership control{[this] { return now; }};
  Nobody alice;
  Nobody bob;

  /// The error of what is refused; its code is 0 where it was not.
  template <class Does>
  static rpc::Error error_of(Does does) {
    try {
      does();
    } catch (const Refused& refused) {
      return refused.error;
    }
    return {.code = rpc::Code{}, .message = "not refused"};
  }
  [[nodiscard]] bool may_change(const Client& client) {
    return error_of([&] { control.allow(client); }).code == rpc::Code{};
  }
  [[nodiscard]] std::string owner() {
    const json::value told = control.told();
    return told.is_null() ? "" : std::string(told.at("owner").as_string());
  }
};

TEST_F(OwnershipTest, AllMayChangeWhatNobodyControls) {
  EXPECT_TRUE(control.told().is_null());
  EXPECT_TRUE(may_change(alice));
  EXPECT_TRUE(may_change(bob));
  EXPECT_EQ(control.give(alice, ""), std::nullopt);
}

TEST_F(OwnershipTest, OthersAreToldWhoHasItAndWhatToDo) {
  EXPECT_EQ(control.take({.owner = "test A"}, alice), std::nullopt);
  now += 12s + 500ms;
  EXPECT_TRUE(may_change(alice));
  now += 1500ms;
  const rpc::Error error = error_of([&] { control.allow(bob); });
  EXPECT_EQ(error.code, rpc::Code::controlled);
  EXPECT_EQ(static_cast<int>(error.code), -32005);
  EXPECT_THAT(error.message, AllOf(HasSubstr("test A has had control for 14 s"),
                                   HasSubstr("hildctl take --over"), HasSubstr("disarm, freeze")));
  EXPECT_EQ(
      json::value(error.data),
      (json::value{{"owner", "test A"}, {"held_s", 14.0}, {"left_s", 598.5}, {"stays", false}}));
  EXPECT_EQ(control.told(), json::value(error.data));
}

TEST_F(OwnershipTest, IsNotTakenWithoutBeingMeant) {
  control.take({.owner = "test A"}, alice);
  EXPECT_EQ(error_of([&] { control.take({.owner = "test B"}, bob); }).code, rpc::Code::controlled);
  // Nor by one that gives the same name, where it is that of a connection.
  EXPECT_EQ(error_of([&] { control.take({.owner = "test A", .stays = true}, bob); }).code,
            rpc::Code::controlled);
  EXPECT_EQ(error_of([&] { control.give(bob, "test A"); }).code, rpc::Code::controlled);
  EXPECT_EQ(owner(), "test A");
  EXPECT_TRUE(may_change(alice));

  EXPECT_EQ(control.take({.owner = "test B", .over = true}, bob), "test A");
  EXPECT_TRUE(may_change(bob));
  EXPECT_FALSE(may_change(alice));
  control.forget(alice);
  EXPECT_EQ(owner(), "test B") << "it was not hers any more";
}

TEST_F(OwnershipTest, EndsWhenItIsGivenBackOrTheConnectionGoes) {
  control.take({.owner = "test A"}, alice);
  EXPECT_EQ(control.give(alice, ""), "test A");
  EXPECT_TRUE(may_change(bob));
  control.take({.owner = "test A"}, alice);
  control.forget(bob);
  EXPECT_FALSE(may_change(bob));
  control.forget(alice);
  EXPECT_TRUE(may_change(bob));
}

TEST_F(OwnershipTest, EndsAfterItsTimeoutWithoutAChange) {
  control.take({.owner = "test A", .timeout = 60s}, alice);
  now += 59s;
  control.allow(alice);
  now += 59s;
  EXPECT_FALSE(may_change(bob)) << "a refused change of another is none of hers";
  EXPECT_EQ(control.told().at("held_s"), 118.0);
  now += 1s;
  EXPECT_TRUE(may_change(bob));
  EXPECT_TRUE(control.told().is_null());
  EXPECT_EQ(control.give(alice, ""), std::nullopt) << "which tells her that it was lost";
}

TEST_F(OwnershipTest, IsRenewedByBeingTakenAgainOnTheSameTermsOrOthers) {
  control.take({.owner = "test A", .timeout = 60s}, alice);
  now += 50s;
  EXPECT_EQ(control.take({.owner = "test A"}, alice), std::nullopt);
  EXPECT_EQ(control.told().at("left_s"), 60.0) << "as long as before, where nothing is said";
  EXPECT_EQ(control.told().at("held_s"), 50.0);
  control.take({.owner = "test B", .timeout = 5s}, alice);
  EXPECT_EQ(control.told(),
            (json::value{{"owner", "test B"}, {"held_s", 0.0}, {"left_s", 5.0}, {"stays", false}}));
}

TEST_F(OwnershipTest, WhatStaysIsItsNamesOnAnyConnection) {
  control.take({.owner = "alice", .timeout = 60s, .stays = true}, alice);
  control.forget(alice);
  EXPECT_EQ(owner(), "alice");
  EXPECT_FALSE(may_change(bob));
  Nobody second;
  EXPECT_EQ(control.take({.owner = "alice", .stays = true}, second), std::nullopt);
  EXPECT_EQ(control.told().at("left_s"), 60.0);
  EXPECT_TRUE(may_change(second));
  control.forget(second);
  EXPECT_EQ(owner(), "alice");
  EXPECT_EQ(error_of([&] { control.give(bob, "bob"); }).code, rpc::Code::controlled);
  EXPECT_EQ(control.give(bob, "alice"), "alice");
  EXPECT_TRUE(may_change(bob));

  control.take({.owner = "alice", .timeout = 60s, .stays = true}, alice);
  control.forget(alice);
  now += 60s;
  EXPECT_TRUE(may_change(bob)) << "nor for ever";
}

TEST_F(OwnershipTest, WhatStaysMayBeMadeAConnectionsAgain) {
  control.take({.owner = "alice", .stays = true}, alice);
  control.take({.owner = "alice", .stays = true}, bob);
  EXPECT_TRUE(may_change(bob));
  Nobody third;
  EXPECT_EQ(error_of([&] { control.take({.owner = "alice"}, third); }).code, rpc::Code::controlled)
      << "only to stay";
  control.take({.owner = "sequence of alice"}, alice);
  EXPECT_FALSE(may_change(bob)) << "it is of that connection alone";
  control.forget(bob);
  EXPECT_EQ(owner(), "sequence of alice");
  control.forget(alice);
  EXPECT_TRUE(control.told().is_null());
}

}  // namespace
}  // namespace hild::server
