// SPDX-License-Identifier: Apache-2.0
/// \file
/// Transactions: together, once, in order, at the start of a step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

json::object marks(int n) {
  json::array changes;
  for (int i = 1; i <= n; ++i) changes.push_back(json::object{{"mark", {{"label", i}}}});
  return {{"changes", std::move(changes)}};
}

TEST(Transaction, HoldsSixteenChangesAndNoMore) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const std::int64_t frame = client.call("transaction", marks(16)).at("frame").as_int64();
  const json::object error = client.error("transaction", marks(17));
  EXPECT_EQ(error.at("code"), -32602);
  EXPECT_THAT(error.at("message").as_string().c_str(), HasSubstr("more than 16 changes"));
  // What one method stands for counts: 15 marks and two parameters are 17.
  json::object mixed = marks(15);
  mixed["changes"].as_array().push_back(R"({"set": {"values": {"level": 1, "gain": 2}}})"_json);
  EXPECT_EQ(client.error("transaction", mixed).at("code"), -32602);
  rig.end();
  std::int64_t events = 0;
  for (const auto& s : rig.recording.steps) {
    events += s.header.external_events;
    EXPECT_EQ(s.header.mark, s.header.frame == frame ? 16U : 0U) << "the last of them stands";
  }
  EXPECT_EQ(events, 16);
}

TEST(Transaction, TakesEffectAsAWholeInTheOrderWritten) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const std::int64_t frame = client
                                 .call("transaction", R"({"changes": [
            {"set": {"values": {"level": 1}}}, {"save": {"slot": 1}},
            {"set": {"values": {"level": 2}}}, {"restore": {"slot": 1, "parameters": true}},
            {"override": {"signal": "u", "kind": "stuck", "value": 3}},
            {"stimulate": {"input": "load", "shape": "step", "amplitude": 4}},
            {"mark": {"label": 5}}]})"_json.as_object())
                                 .at("frame")
                                 .as_int64();
  rig.end();
  for (const auto& s : rig.recording.steps) {
    if (s.header.frame != frame) continue;
    EXPECT_EQ(s.outputs[0], 1) << "what was restored after it was set to 2";
    EXPECT_EQ(s.inputs, (std::vector<double>{3, 4.25}));
    EXPECT_EQ(s.header.mark, 5U);
    EXPECT_EQ(s.header.external_events, 7);
  }
}

// Replies come in the order of the frames, reads and refusals in between without waiting.
TEST(Transaction, RepliesComeInTheOrderTheyTookEffect) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const auto mark_at = [&](std::int64_t frame) {
    return client.request("mark", {{"at", {{"frame", frame}}}});
  };
  std::vector<std::int64_t> order;
  std::map<std::int64_t, std::int64_t> frames;
  const auto take = [&] {
    json::object reply = client.reply();
    order.push_back(reply.at("id").as_int64());
    return reply;
  };
  ServerRig::Halt halt(rig);
  const std::int64_t now = client.call("get").at("frame").as_int64();
  const std::int64_t late = mark_at(now + 4000);
  const std::int64_t early = mark_at(now + 2000);
  const std::int64_t same = mark_at(now + 2000);
  const std::int64_t read = client.request("status");
  const std::int64_t wrong = client.request("marc");
  for (int i = 0; i < 2; ++i) take();
  halt.end();
  for (int i = 0; i < 3; ++i) {
    const json::object reply = take();
    frames[order.back()] = reply.at("result").at("frame").as_int64();
  }
  EXPECT_EQ(order, (std::vector{read, wrong, early, same, late}));
  EXPECT_EQ(frames, (std::map<std::int64_t, std::int64_t>{
                        {late, now + 4000}, {early, now + 2000}, {same, now + 2000}}));
}

TEST(Transaction, OfABatchAreAnsweredAsOne) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  client.send(
      R"([{"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"level": 4}}},)"
      R"( {"jsonrpc": "2.0", "method": "mark"}, 5,)"
      R"( {"jsonrpc": "2.0", "id": "x", "method": "status"},)"
      R"( {"jsonrpc": "2.0", "id": 2, "method": "nothing"}])"
      "\n");
  const json::array all = json::parse(client.line().value()).as_array();
  ASSERT_EQ(all.size(), 4U) << "the notification is not answered";
  std::map<std::string, json::object> by_id;
  for (const json::value& reply : all) {
    by_id[json::serialize(reply.at("id"))] = reply.as_object();
  }
  EXPECT_TRUE(by_id["1"].at("result").as_object().contains("frame"));
  EXPECT_EQ(by_id["2"].at("error").at("code"), -32601);
  EXPECT_EQ(by_id["null"].at("error").at("code"), -32600);
  EXPECT_EQ(by_id["\"x\""].at("result").at("state"), "running");
  // Notifications alone are not answered at all.
  client.send(R"({"jsonrpc": "2.0", "method": "set", "params": {"values": {"level": 5}}})"
              "\n"
              R"([{"jsonrpc": "2.0", "method": "marc"}])"
              "\n");
  client.call("mark");
  EXPECT_EQ(client.call("get").at("values").at("parameter:level"), 5.0);
}

// The ring holds 256; while no frame passes nobody takes them.
TEST(Transaction, WhenTheQueueIsFullTheClientIsToldToTryAgain) {
  ServerRig rig;
  rig.start(false);
  LineClient client(rig.socket());
  for (int i = 0; i < 300; ++i) client.request("mark");
  for (int i = 257; i <= 300; ++i) {
    const json::object reply = client.reply();
    EXPECT_EQ(reply.at("id"), i);
    EXPECT_EQ(reply.at("error").at("code"), -32003);
    EXPECT_THAT(reply.at("error").at("message").as_string().c_str(), HasSubstr("try again"));
  }
  rig.run_frames();
  for (int i = 1; i <= 256; ++i) EXPECT_EQ(client.reply().at("id"), i);
  client.call("mark");
}

// A frozen run never comes to their frame; it is steered all the same.
TEST(Transaction, ManyAheadDoNotLockAnyoneOut) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const std::int64_t now = client.call("freeze").at("frame").as_int64();
  for (int i = 0; i < 64; ++i) client.request("mark", {{"at", {{"frame", now + 1'000'000'000}}}});
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(client.reply().at("error").at("code"), -32003) << "there are 48 places ahead";
  }
  client.call("set", {{"values", {{"level", 7}}}});
  LineClient other(rig.socket());
  other.call("resume");
  other.call("set", {{"values", {{"level", 8}}}});
  EXPECT_EQ(other.call("get").at("values").at("parameter:level"), 8.0);
}

// Who has gone will not wait for it either, and the places ahead are free again.
TEST(Transaction, WhatAClientAskedForAheadIsWithdrawnWhenItGoes) {
  ServerRig rig;
  rig.start();
  LineClient staying(rig.socket());
  const std::int64_t now = staying.call("get").at("frame").as_int64();
  constexpr std::int64_t far = 1'000'000'000;
  staying.request("mark", {{"at", {{"frame", now + far}}}});
  {
    LineClient going(rig.socket());
    for (int i = 0; i < 47; ++i) going.request("mark", {{"at", {{"frame", now + far}}}});
    going.call("set", {{"values", {{"level", 3}}}});  // those before it wait for their frame by now
    EXPECT_EQ(staying.error("mark", {{"at", {{"frame", now + far}}}}).at("code"), -32003);
  }
  const auto refused = [&] {
    return staying.call("status").at("external_events").at("refused").as_int64();
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (refused() < 1 + 47) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "they wait on for nobody";
  }
  EXPECT_EQ(staying.call("get").at("values").at("parameter:level"), 3.0) << "at once is done";
  std::int64_t next = 0;
  {
    const ServerRig::Halt halt(rig);
    next = staying.call("get").at("frame").as_int64() + 500;
    staying.request("mark", {{"at", {{"frame", next}}}});
    staying.call("get");  // what is before it has been taken
  }
  EXPECT_EQ(staying.reply().at("result").at("frame"), next);
}

// While one playback takes the place of the other, the tables of both are read; the first must
// live until it is released.
TEST(Transaction, TablesLiveUntilTheyAreReleased) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  json::array times;
  json::array values;
  for (int i = 0; i < 500; ++i) {
    times.push_back(0.001 * i);
    values.push_back(i);
  }
  const json::object playback{{"input", "u"},
                              {"shape", "playback"},
                              {"replace", true},
                              {"table", {{"times_s", times}, {"values", values}}}};
  const std::int64_t first = client.call("stimulate", playback).at("frame").as_int64();
  for (int i = 0; i < 20; ++i) client.call("stimulate", playback);
  const std::int64_t last = client.call("stimulate", playback).at("frame").as_int64();
  while (client.call("get").at("frame").as_int64() < last + 100) {
  }
  client.vanish();  // what it lent is still in force
  rig.end();
  for (const auto& s : rig.recording.steps) {
    if (s.header.frame == first) {
      EXPECT_EQ(s.inputs[0], 0);
    } else if (s.header.frame == last + 100) {
      EXPECT_NEAR(s.inputs[0], 100, 1e-6);
    }
  }
}

// Each sets the level to its own number; the records tell what each step began with.
TEST(Transaction, TenThousandTakeEffectOnceInOrderAtFrameBoundaries) {
  constexpr int all = 10'000;
  constexpr int window = 100;  // on their way at once
  ServerRig rig;
  rig.sampler.pace_us = 20;
  rig.start();
  LineClient client(rig.socket());
  std::map<std::int64_t, std::int64_t> last_of_frame;
  std::map<std::int64_t, std::int32_t> number_in_frame;
  int sent = 0;
  std::int64_t frame = -1;
  for (int answered = 1; answered <= all; ++answered) {
    while (sent < all && sent < answered - 1 + window) {
      client.request("set", {{"values", {{"level", ++sent}}}});
    }
    const json::object reply = client.reply();
    ASSERT_EQ(reply.at("id"), answered) << reply;
    ASSERT_TRUE(reply.contains("result")) << reply;
    const std::int64_t at = reply.at("result").at("frame").as_int64();
    ASSERT_GE(at, frame);
    frame = at;
    last_of_frame[at] = answered;
    ++number_in_frame[at];
  }
  rig.end();
  EXPECT_EQ(rig.statistics().records_dropped.get(), 0);
  double level = 0;
  std::size_t frames_with_changes = 0;
  std::int64_t next = 0;
  for (const auto& s : rig.recording.steps) {
    ASSERT_EQ(s.header.frame, next++) << "a step is missing";
    const auto changed = last_of_frame.find(s.header.frame);
    if (changed != last_of_frame.end()) {
      ++frames_with_changes;
      level = static_cast<double>(changed->second);
      ASSERT_EQ(s.header.external_events, number_in_frame[s.header.frame]) << s.header.frame;
    } else {
      ASSERT_EQ(s.header.external_events, 0) << s.header.frame;
    }
    ASSERT_EQ(s.outputs[0], level) << "step of frame " << s.header.frame;
  }
  EXPECT_EQ(level, all);
  EXPECT_EQ(frames_with_changes, last_of_frame.size());
}

}  // namespace
}  // namespace hild::testing
