// SPDX-License-Identifier: Apache-2.0
/// \file
/// What all pages are to show: told from when to when and where they are by now, ended by itself
/// and on request, refused where it is not known.
#include "control/server/showing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "control/server/history.hpp"
#include "control/server/line_client.hpp"
#include "control/server/params.hpp"
#include "control/server/refused.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using server::Showing;
using ::testing::HasSubstr;

/// Of a run of 100 Hz that is known from 0.01 s to 30.01 s.
class WhatAllPagesShow : public ::testing::Test {
 protected:
  WhatAllPagesShow() {
    history.start();
    for (std::int64_t n = 0; n <= 3000; ++n) step(n);
  }
  void step(std::int64_t n) {
    std::vector<double> memory(layout.bytes() / sizeof(double));
    auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
    io::FrameSlot slot(layout, bytes);
    slot.begin();
    slot.header().step = slot.header().frame = n;
    slot.header().t = {n * 10'000'000};
    slot.header().deadline = slot.header().due + 10_ms;
    slot.header().passes = 1;
    slot.pass(0, {}, {}, std::array{1.0});
    slot.outputs(std::array{2.0});
    slot.states(std::array{3.0}, std::array<io::Interval, 1>{});
    history.tap().frame(io::FrameView(layout, bytes));
    if (n % 50 == 0) history.take();
  }
  json::value show(const json::object& params, const std::string& by = "") {
    server::Params read(params);
    return showing.answer(read, history, by, now).at("showing");
  }
  std::string refused(const json::object& params) {
    try {
      return json::serialize(show(params));
    } catch (const server::Refused& refusal) {
      return refusal.error.message;
    }
  }

  boost::asio::io_context io;
  io::FrameLayout layout{1, 1, 1, 1};
  model::Description description{.name = "m", .summary = ""};
  server::Names names{description};
  server::History history{io, layout, names, 100};
  Showing showing;
  Showing::Clock::time_point now{};
};

TEST_F(WhatAllPagesShow, IsToldWithWhereTheyAreByNow) {
  EXPECT_TRUE(showing.told(now).is_null());
  EXPECT_EQ(show({{"from_s", 10}, {"to_s", 14.5}, {"speed", 0.5}}, "instructor"), json::parse(R"(
    {"number": 1, "from_s": 10.0, "to_s": 14.5, "speed": 0.5, "at_s": 10.0, "by": "instructor"})"));
  // For a page that is opened meanwhile too.
  EXPECT_EQ(showing.told(now + 4s).at("at_s"), 12.0);
}

TEST_F(WhatAllPagesShow, EndsByItself) {
  show({{"from_s", 10}, {"to_s", 14}, {"speed", 2}});
  EXPECT_FALSE(showing.told(now + 1900ms).is_null());
  EXPECT_TRUE(showing.told(now + 2s).is_null());
  EXPECT_TRUE(showing.told(now + 1h).is_null());
}

TEST_F(WhatAllPagesShow, EndsOnRequest) {
  show({{"last_s", 5}});
  EXPECT_TRUE(show({}).is_null());
  EXPECT_TRUE(showing.told(now).is_null());
  EXPECT_TRUE(show({}).is_null()) << "also where there is nothing to end";
}

TEST_F(WhatAllPagesShow, IsAnotherEachTime) {
  EXPECT_EQ(show({{"last_s", 5}}).at("number"), 1);
  EXPECT_EQ(show({{"last_s", 5}}).at("number"), 2);
  show({});
  EXPECT_EQ(show({{"last_s", 5}}).at("number"), 3);
}

TEST_F(WhatAllPagesShow, IsTheNewestWhereNothingElseIsSaid) {
  const json::value last = show({{"last_s", "5 s"}});
  EXPECT_DOUBLE_EQ(last.at("from_s").as_double(), 25.01);
  EXPECT_DOUBLE_EQ(last.at("to_s").as_double(), 30.01);
  EXPECT_EQ(last.at("speed"), 1.0);
  EXPECT_TRUE(last.at("by").is_null());
  EXPECT_DOUBLE_EQ(show({{"from_s", 20}}).at("to_s").as_double(), 30.01);
}

TEST_F(WhatAllPagesShow, IsRefusedWhereItIsNotKnown) {
  const std::string known =
      "expected a time from 0.010 s, the oldest that is kept, to before "
      "30.010 s, where the run is";
  EXPECT_EQ(refused({{"from_s", 0}}), "from_s: found 0.000 s, " + known);
  EXPECT_EQ(refused({{"from_s", 30.01}}), "from_s: found 30.010 s, " + known);
  EXPECT_EQ(refused({{"last_s", 31}}), "last_s: found -0.990 s, " + known);
  EXPECT_EQ(refused({{"last_s", 0}}), "last_s: found 30.010 s, " + known);
  const std::string after =
      "expected a time after 10.000 s, from when to show, to 30.010 s, where the run is";
  EXPECT_EQ(refused({{"from_s", 10}, {"to_s", 10}}), "to_s: found 10.000 s, " + after);
  EXPECT_EQ(refused({{"from_s", 10}, {"to_s", 31}}), "to_s: found 31.000 s, " + after);
  EXPECT_TRUE(showing.told(now).is_null()) << "nothing of that is shown";
}

TEST_F(WhatAllPagesShow, StaysWhereAnotherIsRefused) {
  show({{"last_s", 5}});
  refused({{"last_s", 31}});
  EXPECT_EQ(showing.told(now).at("number"), 1);
}

TEST(ShowingOfAServer, IsInItsStatus) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  EXPECT_TRUE(client.call("status").at("showing").is_null());
  while (client.call("status").at("sim_time_s").to_number<double>() < 5) {
  }
  const json::value shown = client.call("show", {{"last_s", 0.5}, {"speed", 0.25}});
  EXPECT_EQ(shown.at("showing").at("number"), 1);
  client.call("show");
  EXPECT_TRUE(client.call("status").at("showing").is_null());
}

}  // namespace
}  // namespace hild::testing
