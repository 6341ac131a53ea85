// SPDX-License-Identifier: Apache-2.0
/// \file
/// Samples: every so many steps a row, of that step, in the order of the names; what is lost is
/// counted and told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>

#include "control/server/clients.hpp"
#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;

struct Rows {
  std::vector<std::int64_t> frames;
  std::vector<double> times;
  std::vector<std::vector<double>> values;
  std::int64_t lost = 0;
};

/// Reads messages of a subscription until there are so many rows.
Rows rows_of(LineClient& client, std::int64_t subscription, std::size_t wanted) {
  Rows rows;
  while (rows.frames.size() < wanted) {
    const json::object message = client.notification();
    if (message.empty()) break;
    EXPECT_EQ(message.at("method"), "samples");
    const json::object& p = message.at("params").as_object();
    if (p.at("subscription") != subscription) continue;
    for (const auto& v : p.at("frame").as_array()) rows.frames.push_back(v.as_int64());
    for (const auto& v : p.at("time_s").as_array()) rows.times.push_back(v.to_number<double>());
    for (const auto& row : p.at("values").as_array()) {
      rows.values.emplace_back();
      for (const auto& v : row.as_array()) rows.values.back().push_back(v.to_number<double>());
    }
    rows.lost += p.at("lost").as_int64();
    EXPECT_EQ(rows.frames.size(), rows.times.size());
    EXPECT_EQ(rows.frames.size(), rows.values.size());
  }
  return rows;
}

// x = 0.5 t at the end of each step.
TEST(Subscription, HasARowForEveryNthStepInTheOrderOfItsNames) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const json::value s =
      client.call("subscribe", {{"names", {"x", "output:load", "u"}}, {"every", 7}});
  EXPECT_EQ(s.at("every"), 7);
  EXPECT_EQ(s.at("names"), R"(["x", "output:load", "u"])"_json);
  EXPECT_EQ(s.at("units"), R"(["rad", "N m", "rad/s"])"_json);
  const Rows rows = rows_of(client, s.at("subscription").as_int64(), 100);
  for (std::size_t i = 0; i < rows.frames.size(); ++i) {
    const double end = 1e-3 * static_cast<double>(rows.frames[i] + 1);
    EXPECT_NEAR(rows.times[i], end, 1e-9);
    ASSERT_EQ(rows.values[i].size(), 3U);
    EXPECT_NEAR(rows.values[i][0], 0.5 * end, 1e-9);
    EXPECT_EQ(rows.values[i][1], 0.25);
    EXPECT_EQ(rows.values[i][2], 0.5);
    EXPECT_EQ((rows.frames[i] - rows.frames[0]) % 7, 0);
  }
  const auto span = static_cast<std::size_t>(rows.frames.back() - rows.frames.front()) / 7 + 1;
  EXPECT_EQ(span, rows.frames.size() + static_cast<std::size_t>(rows.lost))
      << "what is not there was told to be lost";
}

// Of every step: 2 while it is active, 1 while it waits to be acknowledged.
TEST(Subscription, HasAlarmsByTheirPrefix) {
  ServerRig rig;
  config::Alarm high{
      .name = "level", .signal = "output level", .unit = "V", .text = {}, .alarm = {}};
  high.alarm = {.of = exec::Interlock::Of::output, .low = -1, .high = 5, .latch = true};
  config::Alarm other = high;
  other.name = "other";
  other.alarm.high = 1e9;
  rig.alarms = {other, high};
  rig.start();
  LineClient client(rig.socket());
  const json::value s = client.call(
      "subscribe", {{"names", {"alarm:level", "output:level", "alarm:other"}}, {"every", 1}});
  EXPECT_EQ(s.at("units"), R"(["1", "1", "1"])"_json);
  const std::int64_t id = s.at("subscription").as_int64();
  // The newest row once there is one of this frame or later.
  const auto row_past = [&](std::int64_t frame) {
    while (true) {
      const Rows rows = rows_of(client, id, 1);
      if (rows.frames.empty() || rows.frames.back() >= frame) return rows.values.back();
    }
  };
  using Row = std::vector<double>;
  const auto frame_of = [](const json::value& reply) { return reply.at("frame").as_int64(); };
  EXPECT_EQ(row_past(0), Row({0, 0, 0}));
  EXPECT_EQ(row_past(frame_of(client.call("set", {{"values", {{"level", 6}}}}))), Row({2, 6, 0}));
  EXPECT_EQ(row_past(frame_of(client.call("set", {{"values", {{"level", 4}}}}))), Row({1, 4, 0}));
  EXPECT_EQ(row_past(frame_of(client.call("acknowledge", {{"alarm", "level"}}))), Row({0, 4, 0}));
  EXPECT_THAT(
      std::string(
          client.error("subscribe", {{"names", {"alarm:levle"}}}).at("message").as_string()),
      ::testing::HasSubstr("expected an alarm (did you mean \"level\"?)"));
}

TEST(Subscription, TakesAHundredRowsASecondUnlessTold) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  EXPECT_EQ(client.call("subscribe", {{"names", {"x", "u"}}}).at("every"), 10) << "of 1 kHz";
}

TEST(Subscription, EndsWhenAskedAndLeavesTheOthers) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  LineClient other(rig.socket());
  const auto subscribe = [](LineClient& c) {
    return c.call("subscribe", {{"names", {"x", "u"}}}).at("subscription").as_int64();
  };
  const std::int64_t one = subscribe(client);
  const std::int64_t two = subscribe(client);
  const std::int64_t others = subscribe(other);
  EXPECT_NE(one, two);
  EXPECT_EQ(other.error("unsubscribe", {{"subscription", one}}).at("code"), -32602)
      << "somebody else's";
  EXPECT_EQ(client.call("unsubscribe", {{"subscription", one}}), json::object());
  EXPECT_EQ(client.error("unsubscribe", {{"subscription", one}}).at("code"), -32602);
  rows_of(client, two, 3);
  rows_of(other, others, 3);
  client.vanish();
  ASSERT_TRUE(comes([&] { return other.call("status").at("clients") == 1; }));
  rows_of(other, others, 3);
}

TEST(Subscription, AreSixteenOfAClientAtMost) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  for (int i = 0; i < 16; ++i) client.call("subscribe", {{"names", {"x", "u"}}});
  EXPECT_EQ(client.error("subscribe", {{"names", {"x", "u"}}}).at("code"), -32602);
  LineClient(rig.socket()).call("subscribe", {{"names", {"x", "u"}}});
}

TEST(Subscription, HasNoRowsOfFrozenFrames) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const std::int64_t frozen_at = client.call("freeze").at("frame").as_int64();
  const std::int64_t id =
      client.call("subscribe", {{"names", {"x", "u"}}, {"every", 1}}).at("subscription").as_int64();
  client.call("step", {{"frames", 5}});
  std::vector<std::int64_t> frames;  // the recorder may have been a little behind
  while (frames.empty() || frames.back() < frozen_at + 4) {
    const Rows more = rows_of(client, id, 1);
    if (more.frames.empty()) break;
    frames.insert(frames.end(), more.frames.begin(), more.frames.end());
    EXPECT_EQ(more.lost, 0);
  }
  EXPECT_EQ(frames.back(), frozen_at + 4);
  EXPECT_EQ(frames.back() - frames.front() + 1, static_cast<std::int64_t>(frames.size()))
      << "each step once";
}

// It does not read; everything else goes on, and what it missed is told when it reads again.
TEST(Subscription, ASlowReaderLosesSamplesAndIsToldMemoryStaysBounded) {
  ServerRig rig;
  rig.sampler.pace_us = 0;
  rig.records_are_kept = false;
  rig.start();
  LineClient slow(rig.socket());
  LineClient other(rig.socket());
  const int small = 4096;
  ::setsockopt(slow.fd(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  const std::int64_t id =
      slow.call("subscribe",
                {{"names", {"x", "u", "seen", "input:load", "output:load"}}, {"every", 1}})
          .at("subscription")
          .as_int64();
  // What the kernel and the outbox take is full some time; then samples are lost, and go on to be.
  std::int64_t lost = 0;
  while (lost < 100'000) lost = other.call("status").at("samples_lost").as_int64();
  Rows rows;
  while (rows.lost < 100'000) {
    Rows more = rows_of(slow, id, 1);
    if (more.frames.empty()) break;
    rows.lost += more.lost;
    rows.frames.insert(rows.frames.end(), more.frames.begin(), more.frames.end());
  }
  EXPECT_GE(rows.lost, 100'000);
  const auto span = rows.frames.back() - rows.frames.front() + 1;
  EXPECT_EQ(span, static_cast<std::int64_t>(rows.frames.size()) + rows.lost)
      << "each step is there or lost";
  // 64 KiB wait in the outbox at most, a message more, and what the kernel's buffers take.
  EXPECT_LT(rows.frames.size(), 20'000U);
  slow.call("status");
}

/// Counts what it is sent.
class CountingClient final : public server::Client {
 public:
  void answer(std::string /*text*/) override {}
  [[nodiscard]] bool can_subscribe() const override { return true; }
  [[nodiscard]] bool keeps_up() const override { return true; }
  void notify(std::string /*text*/) override { ++messages; }
  void finish() override {}
  void close() override {}
  int messages = 0;
};

// Else its rows would be taken, and counted as lost, for ever.
TEST(Subscription, GoesWithItsClient) {
  ServerRig rig;
  rig.start(false);
  const server::Run run = rig.run();
  boost::asio::io_context context;
  server::ActiveChanges active;
  server::Transactions transactions(context, run, active);
  server::SampleTap tap(run.layout, 1000);
  const server::Names names(run.description);
  server::Subscriptions subscriptions(context, tap, names, 1000);
  server::Ownership ownership;
  server::Clients clients(subscriptions, transactions, ownership);
  const auto going = std::make_shared<CountingClient>();
  const auto staying = std::make_shared<CountingClient>();
  const json::object wanted{{"names", {"x"}}, {"every", 1}};
  for (const auto& client : {going, staying}) {
    clients.add(client);
    server::Params params(wanted);
    subscriptions.subscribe(params, client, 0);
  }
  std::vector<double> memory(run.layout.bytes() / sizeof(double));
  auto* const record = reinterpret_cast<std::byte*>(memory.data());
  const auto step = [&](std::int64_t n) {
    io::FrameSlot slot(run.layout, record);
    slot.begin();
    slot.header().step = slot.header().frame = n;
    slot.header().passes = 1;
    tap.frame(io::FrameView(run.layout, record));
    subscriptions.send();
  };
  step(0);
  EXPECT_EQ(going->messages, 1);
  clients.remove(*going);
  step(1);
  EXPECT_EQ(going->messages, 1);
  EXPECT_EQ(staying->messages, 2);
  EXPECT_FALSE(clients.subscribed(*going));
  EXPECT_TRUE(clients.subscribed(*staying));
  clients.remove(*staying);
  EXPECT_EQ(subscriptions.size(), 0U);
  EXPECT_EQ(subscriptions.lost(), 0);
}

}  // namespace
}  // namespace hild::testing
