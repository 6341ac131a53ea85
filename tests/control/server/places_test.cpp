// SPDX-License-Identifier: Apache-2.0
/// Who has a place by HTTP, how often each may ask, and whose turn it is.
#include "control/server/places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <vector>

#include "control/server/rates.hpp"
#include "control/server/turns.hpp"

namespace hild::server {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr std::size_t of_one = Places::most_of_one;
constexpr std::size_t in_all = Places::most_strangers;

TEST(Places, OneAddressMakesRoomForItself) {
  Places places(1);
  ASSERT_FALSE(places.enter(1000, "other"));
  for (Places::Id id = 0; id < of_one; ++id) ASSERT_FALSE(places.enter(id, "here")) << id;
  EXPECT_EQ(places.enter(100, "here"), 0U) << "of those that asked nothing, who came first";
  places.active(1);
  EXPECT_EQ(places.enter(101, "here"), 2U);
  places.active(101);
  places.active(1);
  for (Places::Id id = 3; id < of_one; ++id) EXPECT_EQ(places.enter(200 + id, "here"), id);
  EXPECT_EQ(places.enter(300, "here"), 100U);
  EXPECT_EQ(places.strangers(), of_one + 1);
}

// Four addresses have all places there are: who comes from a fifth gets one, and keeps it.
TEST(Places, ManyOfOneMakeRoomForFewOfAnother) {
  Places places(1);
  for (Places::Id id = 0; id < in_all; ++id) {
    ASSERT_FALSE(places.enter(id, "address " + std::to_string(id / of_one)));
  }
  for (Places::Id id = 0; id < in_all; ++id) places.active(id);
  EXPECT_EQ(places.enter(500, "new"), 0U) << "that has asked nothing yet, but is alone";
  EXPECT_EQ(places.enter(501, "address 1"), 8U);
  EXPECT_EQ(places.enter(502, "another"), 501U) << "of those that have the most";
  EXPECT_EQ(places.enter(503, "one more"), 16U) << "who asked longest ago";
  EXPECT_EQ(places.strangers(), in_all);
}

TEST(Places, WhoHasAskedKeepsItAmongEquals) {
  Places places(1);
  for (Places::Id id = 0; id < in_all; ++id) {
    ASSERT_FALSE(places.enter(id, "address " + std::to_string(id)));
  }
  places.active(0);
  for (Places::Id id = 1; id < in_all; ++id) {
    EXPECT_EQ(places.enter(1000 + id, "more " + std::to_string(id)), id);
  }
}

TEST(Places, MembersKeepTheirs) {
  Places places(2);
  ASSERT_FALSE(places.enter(1, "here"));
  EXPECT_TRUE(places.join(1));
  EXPECT_TRUE(places.join(1));
  EXPECT_TRUE(places.join(2)) << "one that was never a stranger";
  EXPECT_TRUE(places.is_member(1));
  ASSERT_FALSE(places.enter(3, "here"));
  EXPECT_FALSE(places.join(3));
  EXPECT_FALSE(places.is_member(3));
  for (Places::Id id = 10; id < 200; ++id) static_cast<void>(places.enter(id, "here"));
  EXPECT_EQ(places.members(), 2U);
  EXPECT_EQ(places.strangers(), of_one);
  places.leave(1);
  EXPECT_TRUE(places.join(199));
  EXPECT_EQ(places.strangers(), of_one - 1);
}

TEST(Rates, AreOfEachAlone) {
  Rates rates(2);
  const auto now = Rates::Clock::time_point(1000s);
  for (const char* who : {"a", "b"}) {
    EXPECT_TRUE(rates.of(who, now).take(now)) << who;
    EXPECT_TRUE(rates.of(who, now).take(now)) << who;
    EXPECT_FALSE(rates.of(who, now).take(now)) << who;
  }
  EXPECT_TRUE(rates.of("a", now + 500ms).take(now + 500ms));
  EXPECT_FALSE(rates.of("a", now + 500ms).take(now + 500ms));
}

TEST(Rates, RemainBoundedHoweverManyAsk) {
  Rates rates(1);
  auto now = Rates::Clock::time_point(1000s);
  for (std::size_t i = 0; i < Rates::most; ++i) {
    EXPECT_TRUE(rates.of(std::to_string(i), now).take(now));
  }
  EXPECT_TRUE(rates.of("x", now).take(now));
  EXPECT_FALSE(rates.of("y", now).take(now)) << "those beyond share one";
  EXPECT_FALSE(rates.of("0", now).take(now)) << "and the first has its own";
  now += 1500ms;
  EXPECT_TRUE(rates.of("z", now).take(now));
  EXPECT_TRUE(rates.of("u", now).take(now)) << "those that ask no more were forgotten";
}

TEST(Turns, LetOthersBetween) {
  boost::asio::io_context io;
  Turns one(io);
  Turns two(io);
  std::vector<std::string> order;
  const auto note = [&](const std::string& what) { return [&, what] { order.push_back(what); }; };
  for (const char* what : {"a1", "a2", "a3"}) one.post(note(what));
  two.post(note("b1"));
  boost::asio::post(io, note("c"));
  two.post(note("b2"));
  io.run();
  EXPECT_THAT(order, ElementsAre("a1", "b1", "c", "a2", "b2", "a3"));
}

TEST(Turns, AreOverWithThem) {
  boost::asio::io_context io;
  std::vector<std::string> order;
  {
    Turns turns(io);
    turns.post([&] { order.emplace_back("never"); });
  }
  io.run();
  EXPECT_TRUE(order.empty());
}

}  // namespace
}  // namespace hild::server
