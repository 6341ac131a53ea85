// SPDX-License-Identifier: Apache-2.0
/// Whatever others do by HTTP and to the run, who opens the Unix socket makes it safe. Counts
/// outcomes alone; HILD_HOSTILE=10000 takes so many sockets and 1000 disarms, and tells how long
/// these took.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"
#include "support/crowd.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Calls again and again, on a thread.
class Flood {
 public:
  template <class Call>
  explicit Flood(Call call)
      : thread_([this, call] {
          while (!over_.raised()) {
            call(over_);
            times_.add();
          }
        }) {}
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;
  ~Flood() {
    over_.raise();
    thread_.join();
  }
  [[nodiscard]] std::int64_t times() const { return times_.get(); }

 private:
  rt::Flag over_;
  rt::Counter times_;
  std::thread thread_;
};

std::string request_of(const std::string& path, const std::string& body) {
  if (body.empty()) return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      path, body.size(), body);
}

/// Asks, and reads what comes, on one connection for as long as that is there.
void ask_and_ask(std::uint16_t port, const std::string& request, const rt::Flag& over) {
  const int fd = connected(port);
  std::array<char, 65536> bytes{};
  for (int i = 0; i < 100 && !over.raised(); ++i) {
    if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
        errno == EPIPE) {
      break;
    }
    ssize_t n = 0;
    while ((n = ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT)) > 0) {
    }
    if (n == 0) break;
    ::usleep(200);
  }
  ::close(fd);
}

std::string set_of(int value) {
  return fmt::format(
      R"({{"jsonrpc": "2.0", "id": 1, "method": "set", "params": {{"values": {{"level": {}}}}}}})",
      value);
}

TEST(Hostile, TheUnixSocketMakesTheRunSafeWhateverComesByHttp) {
  const char* const wanted = std::getenv("HILD_HOSTILE");
  const std::size_t sockets =
      sockets_that_may_be(wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 300);
  const int disarms = wanted != nullptr ? 1000 : 50;
  ServerRig rig;
  rig.control.address = "127.0.0.1";
  rig.control.rate = 2000;
  rig.records_are_kept = false;
  // Half are the run's own user's, and may write; the others are strangers.
  rig.users.open = [] {
    using Endpoint = server::Users::Endpoint;
    return Result<server::Users::Of>([](const Endpoint& at, const Endpoint&) {
      return Result<uid_t>(at.port() % 2 == 0 ? 1000 : 1001);
    });
  };
  rig.start();
  const std::uint16_t port = rig.port();
  Crowd crowd(port, sockets);
  const std::string set = request_of("/rpc", set_of(1));
  const std::string metrics = request_of("/metrics", {});
  Flood writing([&](const rt::Flag& over) { ask_and_ask(port, set, over); });
  Flood reading([&](const rt::Flag& over) { ask_and_ask(port, metrics, over); });
  LineClient writer(rig.socket());
  Flood unix_writing([&](const rt::Flag&) {
    static_cast<void>(writer.send_some(set_of(2) + "\n" + set_of(3) + "\n"));
    char bytes[65536];
    while (::recv(writer.fd(), bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
    ::usleep(200);
  });
  ASSERT_TRUE(comes([&] {
    return crowd.rounds() > 0 && unix_writing.times() > 10 && writing.times() > 0 &&
           reading.times() > 0;
  }));

  std::vector<double> took_ms;
  for (int i = 0; i < disarms; ++i) {
    const auto before = std::chrono::steady_clock::now();
    LineClient client(rig.socket());
    const json::value told = client.call(i % 10 == 9 ? "freeze" : "disarm");
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - before;
    ASSERT_TRUE(told.as_object().contains("frame")) << "of " << i << " before it all were";
    took_ms.push_back(took.count());
  }
  if (wanted == nullptr) return;
  std::ranges::sort(took_ms);
  const auto at = [&](double part) {
    return took_ms[static_cast<std::size_t>(part * static_cast<double>(took_ms.size() - 1))];
  };
  fmt::print(
      "{} hostile sockets, {} calls answered: p50 {:.2f} ms, p90 {:.2f}, p99 {:.2f}, max {:.2f}\n",
      sockets, took_ms.size(), at(0.5), at(0.9), at(0.99), at(1));
}

struct StrangeRig : ServerRig {
  /// The first `first` connections are user 5's, all others user 6's: neither the run's.
  explicit StrangeRig(int first = 1) {
    control.address = "127.0.0.1";
    users.open = [first] {
      const auto left = std::make_shared<int>(first);
      using Endpoint = server::Users::Endpoint;
      return Result<server::Users::Of>([left](const Endpoint&, const Endpoint&) {
        return Result<uid_t>((*left)-- > 0 ? 5 : 6);
      });
    };
  }
};

TEST(Hostile, OneStrangerCannotCrowdOutAnother) {
  StrangeRig rig;
  rig.start();
  HttpClient reader(rig.port());
  EXPECT_EQ(reader.get("/healthz").status, 200);
  std::vector<std::unique_ptr<HttpClient>> others;
  others.reserve(150);
  for (int i = 0; i < 150; ++i) others.push_back(std::make_unique<HttpClient>(rig.port()));
  const auto told = others.front()->answer();
  ASSERT_TRUE(told);
  EXPECT_EQ(told->status, 503) << "it made room for those that came after it";
  EXPECT_THAT(told->body, HasSubstr("8 from user 6"));
  EXPECT_EQ(reader.get("/healthz").status, 200) << "on the same connection";
  EXPECT_EQ(others.back()->get("/healthz").status, 200) << "who comes last has a place too";
}

TEST(Hostile, TheRunsOwnUserKeepsItsConnections) {
  ServerRig rig;
  rig.control.address = "127.0.0.1";
  rig.start();
  std::vector<std::unique_ptr<HttpClient>> own;
  own.reserve(40);
  for (int i = 0; i < 40; ++i) own.push_back(std::make_unique<HttpClient>(rig.port()));
  for (const auto& client : own) EXPECT_EQ(client->get("/healthz").status, 200);
}

TEST(Hostile, AStrangerThatAsksNothingIsClosed) {
  StrangeRig rig;
  rig.start();
  HttpClient silent(rig.port());
  HttpClient slow(rig.port());
  slow.send("GET / HTTP/1.1\r\nHost: local");
  EXPECT_FALSE(silent.answer());
  EXPECT_FALSE(slow.answer());
}

TEST(Hostile, WhoAsksTooMuchIsRefusedAlone) {
  StrangeRig rig;
  rig.control.rate = 1;
  rig.start();
  HttpClient modest(rig.port());  // its first request is yet to come
  HttpClient greedy(rig.port());
  HttpAnswer a;
  for (int asked = 0; asked < 10'000 && a.status != 429; ++asked) a = greedy.get("/healthz");
  ASSERT_EQ(a.status, 429);
  EXPECT_EQ(modest.get("/healthz").status, 200);
}

// At one request a second a batch is refused, but for what makes the run safe.
TEST(Hostile, NoRateRefusesWhatMakesTheRunSafe) {
  ServerRig rig;
  rig.control.address = "127.0.0.1";
  rig.control.rate = 1;
  rig.start();
  std::string batch = "[";
  for (int i = 0; i < 20; ++i) batch += status_request + ",";
  batch += R"({"jsonrpc": "2.0", "id": 2, "method": "disarm"},)"
           R"({"jsonrpc": "2.0", "id": 3, "method": "freeze"}])";
  HttpClient web(rig.port());
  LineClient line(rig.socket());
  line.send(batch + "\n");
  for (const std::string& text : {web.post(batch).body, line.line().value()}) {
    int done = 0;
    int refused = 0;
    const json::value all = json::parse(text);
    for (const json::value& one : all.as_array()) {
      if (one.as_object().contains("error")) {
        EXPECT_EQ(one.at("error").at("code"), -32002);
        EXPECT_EQ(one.at("id"), 1);
        ++refused;
      } else {
        done += one.at("id") == 1 ? 0 : 1;
      }
    }
    EXPECT_EQ(done, 2) << text;
    EXPECT_GT(refused, 0) << text;
  }
}

// While the run takes nothing the queue fills, and what comes then is refused; not a freeze.
TEST(Hostile, NoFullQueueRefusesAFreeze) {
  ServerRig rig;
  rig.start();
  LineClient flood(rig.socket());
  ServerRig::Halt halt(rig);
  for (std::size_t i = 0; i < 4 * exec::ExternalEvents::capacity; ++i) flood.send(set_of(1) + "\n");
  json::object refused;
  while (!refused.contains("error")) refused = flood.reply();
  ASSERT_EQ(refused.at("error").at("code"), -32003);
  LineClient operators(rig.socket());
  const std::int64_t id = operators.request("freeze");
  operators.call("disarm");  // answered at once, and so after the freeze was posted
  halt.end();
  EXPECT_EQ(operators.reply().at("id"), id);
}

}  // namespace
}  // namespace hild::testing
