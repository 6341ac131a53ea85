// SPDX-License-Identifier: Apache-2.0
/// \file
/// HTTP: what may be got and posted, by whom, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include "control/server/assets.hpp"
#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

struct HttpRig : ServerRig {
  HttpRig() {
    control.address = "127.0.0.1";
    control.port = 0;
  }
};

TEST(Http, SaysWhereItListens) {
  HttpRig rig;
  rig.start();
  EXPECT_THAT(rig.server().where(), MatchesRegex("unix .*/control.sock, http://127.0.0.1:[0-9]+/"));
}

TEST(Http, APortInUseIsAnErrorAndTheSocketIsGivenBack) {
  HttpRig rig;
  rig.start();
  config::Control control = rig.control;
  control.socket = rig.folder.path("other.sock");
  control.port = rig.port();
  {
    boost::asio::io_context io;
    server::Server other(io, control, rig.run());
    const auto opened = other.open();
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message,
                AllOf(HasSubstr("control.http: 127.0.0.1:"), HasSubstr("is in use")));
    EXPECT_EQ(opened.error().code, ExitCode::usage);
  }
  EXPECT_FALSE(std::filesystem::exists(control.socket));
  control.address = "192.0.2.1";  // of no machine
  boost::asio::io_context io;
  server::Server other(io, control, rig.run());
  const auto opened = other.open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("control.http: 192.0.2.1:"));
}

TEST(Http, ServesThePageAndItsFiles) {
  HttpRig rig;
  rig.start();
  HttpClient client(rig.port());
  ASSERT_FALSE(server::assets().empty());
  for (const server::Asset& asset : server::assets()) {
    const HttpAnswer a = client.get(std::string(asset.path) + "?v=1");
    EXPECT_EQ(a.status, 200) << asset.path;
    EXPECT_EQ(a.body, asset.body);
    EXPECT_EQ(a.fields.at("content-type"), asset.content_type);
    EXPECT_EQ(a.fields.at("x-content-type-options"), "nosniff");
    EXPECT_THAT(a.fields.at("content-security-policy"),
                HasSubstr("default-src 'none'; script-src 'self'"));
  }
  const HttpAnswer page = client.get("/");
  EXPECT_EQ(page.fields.at("content-type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("<html"));
  const HttpAnswer head = client.ask("HEAD /");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.fields.at("content-length"), std::to_string(page.body.size()));
}

TEST(Http, HealthIsThatFramesAdvance) {
  HttpRig rig;
  rig.start(false);
  HttpClient client(rig.port());
  const HttpAnswer starting = client.get("/healthz");
  EXPECT_EQ(starting.status, 503);
  EXPECT_THAT(starting.body, HasSubstr("no frame has passed yet"));
  rig.run_frames();
  HttpAnswer healthy;
  while (healthy.status != 200) healthy = client.get("/healthz");
  EXPECT_EQ(healthy.body, "ok\n");
  rig.ended.raise();
  const HttpAnswer ended = client.get("/healthz");
  EXPECT_EQ(ended.status, 503);
  EXPECT_THAT(ended.body, HasSubstr("the run has ended"));
}

TEST(Http, PostTakesOneTextAndAnswersIt) {
  HttpRig rig;
  rig.start();
  HttpClient client(rig.port());
  const HttpAnswer read = client.post(status_request);
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(read.fields.at("content-type"), "application/json");
  EXPECT_EQ(json::parse(read.body).at("result").at("state"), "running");
  // One that waits for its step, and one that is refused: both are answers.
  const HttpAnswer set = client.post(
      R"({"jsonrpc": "2.0", "id": "a", "method": "set", "params": {"values": {"level": 3}}})",
      "Connection: keep-alive\r\n");
  EXPECT_TRUE(json::parse(set.body).at("result").as_object().contains("frame"));
  const HttpAnswer bad = client.post(R"({"jsonrpc": "2.0", "id": 2, "method": "stat"})");
  EXPECT_EQ(bad.status, 200);
  EXPECT_EQ(json::parse(bad.body).at("error").at("code"), -32601);
  EXPECT_EQ(json::parse(client.post("{").body).at("error").at("code"), -32700);
  const HttpAnswer batch = client.post("[" + status_request + "," + status_request + "]");
  EXPECT_EQ(json::parse(batch.body).as_array().size(), 2U);
  const HttpAnswer none = client.post(R"({"jsonrpc": "2.0", "method": "mark"})");
  EXPECT_EQ(none.status, 204);
  EXPECT_EQ(none.body, "");
  const HttpAnswer samples = client.post(
      R"({"jsonrpc": "2.0", "id": 3, "method": "subscribe", "params": {"names": ["x"]}})");
  EXPECT_EQ(json::parse(samples.body).at("error").at("code"), -32601);
  EXPECT_THAT(samples.body, HasSubstr("ws://HOST/ws"));
}

TEST(Http, WhatCannotBeServedSaysWhy) {
  HttpRig rig;
  rig.control.message = 1024;
  rig.start();
  const auto ask = [&](const std::string& line, const std::string& fields = {},
                       const std::string& body = {}) {
    return HttpClient(rig.port()).ask(line, fields, body);
  };
  EXPECT_EQ(ask("GET /nothing").status, 404);
  EXPECT_THAT(ask("GET /nothing").body, HasSubstr("/metrics"));
  EXPECT_EQ(ask("GET /../page/index.html").status, 404);
  EXPECT_EQ(ask("GET http://127.0.0.1/rpc").status, 404);
  const HttpAnswer wrong = ask("POST /metrics", {}, "x");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.fields.at("allow"), "GET, HEAD");
  EXPECT_EQ(ask("GET /rpc").status, 405);
  EXPECT_EQ(ask("GET /rpc").fields.at("allow"), "POST");
  EXPECT_EQ(ask("POST /rpc", {}, status_request).status, 415);
  EXPECT_EQ(ask("POST /rpc", "Content-Type: text/plain\r\n", status_request).status, 415);
  EXPECT_EQ(
      ask("POST /rpc", "Content-Type: application/json ; charset=utf-8\r\n", status_request).status,
      200);
  EXPECT_EQ(ask("GET /ws").status, 426);
  EXPECT_EQ(ask("GET /", "X: " + std::string(20'000, 'x') + "\r\n").status, 431);
  EXPECT_EQ(ask("POST /rpc", "Content-Type: application/json\r\n", std::string(1025, ' ')).status,
            413);
  const HttpAnswer large =
      ask("POST /rpc", "Content-Type: application/json\r\n", std::string(1'000'000, ' '));
  EXPECT_EQ(large.status, 413);
  EXPECT_THAT(large.body, HasSubstr("more than 1024 bytes"));
  HttpClient garbage(rig.port());
  garbage.send("\x16\x03\x01 this is not HTTP\r\n\r\n");
  EXPECT_EQ(garbage.answer().value().status, 400);
  EXPECT_FALSE(garbage.answer()) << "and is closed";
  HttpClient cut(rig.port());
  cut.send("POST /rpc HTTP/1.1\r\nHost: local");
  LineClient(rig.socket()).call("status");
}

std::string fields_of(const std::string& host) { return "Host: " + host + "\r\n"; }
std::string fields_of(const std::string& host, const std::string& origin) {
  return fields_of(host) + "Origin: " + origin + "\r\n";
}

TEST(Http, OnlyUnderItsOwnNamesAndFromItsOwnPage) {
  HttpRig rig;
  rig.start();
  const auto status = [&](const std::string& fields, const std::string& path = "/metrics") {
    HttpClient client(rig.port());
    client.send("GET " + path + " HTTP/1.1\r\n" + fields + "\r\n");
    const auto a = client.answer();
    return a ? a->status : 0;
  };
  const std::string port = ":" + std::to_string(rig.port());
  std::array<char, 256> machine{};
  ::gethostname(machine.data(), machine.size() - 1);
  for (const std::string& host : {std::string("127.0.0.1"), std::string("localhost"),
                                  std::string("LocalHost"), std::string(machine.data())}) {
    const std::string here = host + port;
    EXPECT_EQ(status(fields_of(here)), 200) << host;
    EXPECT_EQ(status(fields_of(host)), 200) << host;
    EXPECT_EQ(status(fields_of(host + ":9999")), 200) << "by a tunnel from another port";
    EXPECT_EQ(status(fields_of(here, "http://" + here)), 200);
    EXPECT_EQ(status(fields_of(here, "https://" + here)), 200) << "by way of what adds TLS";
    for (const std::string& origin : std::vector<std::string>{
             "http://evil.example", "https://evil.example", "null", "http://localhost:1",
             "https://localhost:1", "ftp://" + here, here, ""}) {
      EXPECT_EQ(status(fields_of(here, origin)), 403) << origin;
    }
  }
  for (const std::string& host :
       std::vector<std::string>{"evil.example", "localhost.evil.example", "[::1]", "", "127.0.0.2",
                                "evil.example#127.0.0.1", "0.0.0.0"}) {
    const std::string stranger = fields_of(host + port);
    EXPECT_EQ(status(stranger), 403) << host;
    EXPECT_EQ(status(stranger, "/"), 403) << host;
    EXPECT_EQ(status(stranger, "/healthz"), 403) << host;
  }
  EXPECT_EQ(status(""), 403);
}

TEST(Http, ATokenIsAskedForWhereOneIsConfigured) {
  HttpRig rig;
  rig.control.token = "correct-horse-battery";
  rig.start();
  const auto get = [&](const std::string& path, const std::string& fields) {
    return HttpClient(rig.port()).get(path, fields);
  };
  const std::string right = "Authorization: Bearer correct-horse-battery\r\n";
  for (const std::string& wrong : std::vector<std::string>{
           "", "Authorization: Bearer correct-horse-batter\r\n",
           "Authorization: Bearer correct-horse-battery1\r\n", "Authorization: Bearer \r\n",
           "Authorization: Basic correct-horse-battery\r\n",
           "Authorization: Digest correct-horse-battery\r\n",
           "Authorization: correct-horse-battery\r\n",
           "Sec-WebSocket-Protocol: bearer.correct-horse-battery\r\n"}) {
    const HttpAnswer a = get("/metrics", wrong);
    EXPECT_EQ(a.status, 401) << wrong;
    EXPECT_EQ(a.fields.at("www-authenticate"), "Bearer realm=\"hild\"");
    EXPECT_EQ(HttpClient(rig.port()).post(status_request, wrong).status, 401) << wrong;
  }
  EXPECT_EQ(get("/ws", "").status, 401);
  EXPECT_EQ(get("/metrics", right).status, 200);
  EXPECT_EQ(get("/metrics", "authorization: bearer correct-horse-battery\r\n").status, 200);
  EXPECT_EQ(HttpClient(rig.port()).post(status_request, right).status, 200);
  EXPECT_EQ(get("/", "").status, 200) << "the page asks for it itself";
  EXPECT_EQ(get("/healthz", "").status, 200);
}

TEST(Http, ManyRequestsASecondAreRefused) {
  HttpRig rig;
  rig.control.rate = 1;  // two within a second, some time
  rig.start();
  HttpClient client(rig.port());
  HttpAnswer a;
  for (int asked = 0; asked < 10'000 && a.status != 429; ++asked) a = client.get("/healthz");
  EXPECT_EQ(a.status, 429);
  EXPECT_EQ(a.fields.at("retry-after"), "1");
  std::string batch = "[" + status_request;
  for (int i = 1; i < 64; ++i) batch += "," + status_request;
  EXPECT_THAT(client.post(batch + "]").body, HasSubstr("-32002"));
  LineClient(rig.socket()).call("status");
}

TEST(Http, AClientThatGoesWhileItsAnswerIsOwedIsForgotten) {
  HttpRig rig;
  rig.start();
  LineClient watcher(rig.socket());
  {
    HttpClient client(rig.port());
    client.send(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 90\r\n\r\n" +
        [] {
          std::string text =
              R"({"jsonrpc": "2.0", "id": 1, "method": "mark", "params": {"at": {"time_s": 1e8}}})";
          text.resize(90, ' ');
          return text;
        }());
    ASSERT_TRUE(comes([&] { return watcher.call("status").at("clients") == 2; }));
  }
  ASSERT_TRUE(comes([&] { return watcher.call("status").at("clients") == 1; }));
}

// The second connection gets a place as a stranger does; the token takes it no further.
TEST(Http, OneTooManyIsTold) {
  HttpRig rig;
  rig.control.clients = 1;
  rig.control.token = "correct-horse-battery";
  rig.users.own = 7;  // so that the token alone makes a member
  rig.start();
  const std::string right = "Authorization: Bearer correct-horse-battery\r\n";
  HttpClient first(rig.port());
  EXPECT_EQ(first.post(status_request, right).status, 200);
  HttpClient second(rig.port());
  const HttpAnswer a = second.post(status_request, right);
  EXPECT_EQ(a.status, 503);
  EXPECT_THAT(a.body, HasSubstr("1 clients already"));
  EXPECT_EQ(first.post(status_request, right).status, 200) << "it keeps its place";
  LineClient(rig.socket()).call("status");
}

TEST(Http, OwedAnswersAreSentWhenTheRunEnds) {
  HttpRig rig;
  rig.start();
  HttpClient idle(rig.port());
  EXPECT_EQ(idle.get("/healthz").status, 200);
  HttpClient waiting(rig.port());
  LineClient watcher(rig.socket());
  const std::string text =
      R"({"jsonrpc": "2.0", "id": 1, "method": "mark", "params": {"at": {"time_s": 1e8}}})";
  waiting.send(
      "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: " +
      std::to_string(text.size()) + "\r\n\r\n" + text);
  ASSERT_TRUE(comes([&] { return watcher.call("status").at("clients") == 2; }))
      << "who asks nothing is no client yet";
  rig.end();
  const auto a = waiting.answer();
  ASSERT_TRUE(a);
  EXPECT_EQ(json::parse(a->body).at("error").at("code"), -32004);
  EXPECT_FALSE(idle.answer()) << "nothing is owed";
}

}  // namespace
}  // namespace hild::testing
