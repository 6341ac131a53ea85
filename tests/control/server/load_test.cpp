// SPDX-License-Identifier: Apache-2.0
/// \file
/// Many clients at once, some of them bad: no frame is late because of them. On the virtual clock
/// each change costs more than half a frame, so that a run that took two at once would be late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;

constexpr int clients = 64;
constexpr int rounds = 20;

void poll_and_set(const std::string& socket, int number) {
  LineClient client(socket);
  client.call("subscribe", {{"names", {"x", "output:level"}}, {"every", 5}});
  std::int64_t frame = -1;
  for (int i = 0; i < rounds; ++i) {
    client.call("status");
    client.call("get", {{"names", {"x", "u"}}});
    const json::value effect = client.call("set", {{"values", {{"level", 1000 * number + i}}}});
    const std::int64_t at = effect.at("frame").as_int64();
    EXPECT_GT(at, frame);
    frame = at;
  }
  client.notification();
}

void send_garbage(const std::string& socket, const rt::Flag& over) {
  std::minstd_rand random(1);
  while (!over.raised()) {
    LineClient client(socket);
    std::string bytes(1 + random() % 5000, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 256);
    for (int i = 0; i < 20; ++i) static_cast<void>(client.send_some(bytes));
  }
}

TEST(Load, OfSixtyFourClientsOneStalledAndOneSendingGarbageMakesNoFrameLate) {
  ServerRig rig({.guard = 5_us, .max_deferrals = 1'000'000});
  rig.plant.costs.set_cost = 600_us;
  rig.plant.pass_cost = 100_us;
  rig.events.seed(exec::EventClass::parameter, {.prepare = 1_us, .commit = 600_us});
  rig.records_are_kept = false;
  rig.control.rate = 2000;
  rig.control.clients = 4 * clients;  // those that have gone may not have been seen to yet
  rig.start();
  LineClient stalled(rig.socket());  // asks for all, and reads nothing
  stalled.request("subscribe", {{"names", {"x", "u", "seen"}}, {"every", 1}});
  for (int i = 0; i < 500; ++i) stalled.request("list");
  rt::Flag over;
  std::thread garbage([&] { send_garbage(rig.socket(), over); });
  std::vector<std::thread> threads;
  threads.reserve(clients);
  for (int i = 0; i < clients - 2; ++i) {
    threads.emplace_back([&rig, i] { poll_and_set(rig.socket(), i); });
  }
  for (std::thread& t : threads) t.join();
  over.raise();
  garbage.join();

  LineClient client(rig.socket());
  const json::value status = client.call("status");
  const json::value parameter = status.at("external_events").at("by_class").at("parameter");
  EXPECT_EQ(parameter.at("served"), (clients - 2) * rounds);
  EXPECT_EQ(parameter.at("refused"), 0);
  EXPECT_GT(parameter.at("deferred").as_int64(), 0) << "more was asked for than fits one slack";
  EXPECT_EQ(status.at("overruns").at("by_cause").at("external_event"), 0);
  EXPECT_EQ(status.at("overruns").at("total"), 0);
  EXPECT_EQ(status.at("records_dropped"), 0);
}

}  // namespace
}  // namespace hild::testing
