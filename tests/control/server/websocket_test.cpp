// SPDX-License-Identifier: Apache-2.0
/// \file
/// The WebSocket speaks as the Unix socket does, to those who may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/json.hpp>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
namespace asio = boost::asio;
using ::testing::HasSubstr;
using Failure = boost::system::error_code;

class WebClient {
 public:
  explicit WebClient(std::uint16_t port, const std::string& protocols = {},
                     const std::string& origin = {}) {
    stream_.next_layer().connect({asio::ip::make_address("127.0.0.1"), port});
    stream_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
      if (!protocols.empty()) {
        request.set(beast::http::field::sec_websocket_protocol, protocols);
      }
      if (!origin.empty()) request.set(beast::http::field::origin, origin);
    }));
    stream_.handshake(response, "localhost:" + std::to_string(port), "/ws", refused);
  }

  void send(const std::string& text) { stream_.write(asio::buffer(text)); }
  /// The next message, or why there is none.
  std::string text() {
    beast::flat_buffer buffer;
    stream_.read(buffer, refused);
    if (refused) return refused.message();
    return beast::buffers_to_string(buffer.data());
  }
  json::object message() { return json::parse(text()).as_object(); }
  websocket::stream<asio::ip::tcp::socket>& stream() { return stream_; }

  Failure refused;
  websocket::response_type response;

 private:
  asio::io_context io_;
  websocket::stream<asio::ip::tcp::socket> stream_{io_};
};

struct WebRig : ServerRig {
  WebRig() { control.address = "127.0.0.1"; }
};

TEST(WebSocket, AnswersAndSendsSamples) {
  WebRig rig;
  rig.start();
  WebClient client(rig.port(), "hild");
  ASSERT_FALSE(client.refused) << client.refused.message();
  EXPECT_EQ(client.response[beast::http::field::sec_websocket_protocol], "hild");
  client.send(status_request);
  EXPECT_EQ(client.message().at("result").at("state"), "running");
  client.send(
      R"({"jsonrpc": "2.0", "id": 2, "method": "set", "params": {"values": {"level": 4}}})");
  EXPECT_EQ(client.message().at("id"), 2);
  client.send(
      R"({"jsonrpc": "2.0", "id": 3, "method": "subscribe", "params": {"names": ["output:level"]}})");
  EXPECT_EQ(client.message().at("id"), 3);
  const json::object samples = client.message();
  EXPECT_EQ(samples.at("method"), "samples");
  EXPECT_EQ(samples.at("params").at("values").at(0).at(0).to_number<double>(), 4.0);
  client.stream().binary(true);
  client.send("{");
  json::object answer;
  do {
    answer = client.message();
  } while (answer.contains("method"));
  EXPECT_EQ(answer.at("error").at("code"), -32700);
}

TEST(WebSocket, WithoutASubprotocolServesToo) {
  WebRig rig;
  rig.start();
  WebClient client(rig.port());
  ASSERT_FALSE(client.refused);
  client.send(status_request);
  EXPECT_EQ(client.message().at("id"), 1);
}

TEST(WebSocket, TheTokenComesAsASubprotocol) {
  WebRig rig;
  rig.control.token = "correct-horse-battery";
  rig.start();
  for (const char* wrong : {"hild", "hild, bearer.wrong", "bearer.", "correct-horse-battery",
                            "hild, bearer.correct-horse-batter"}) {
    WebClient client(rig.port(), wrong);
    EXPECT_EQ(client.refused, websocket::error::upgrade_declined) << wrong;
    EXPECT_EQ(client.response.result_int(), 401U) << wrong;
  }
  for (const char* right :
       {"hild, bearer.correct-horse-battery", "bearer.correct-horse-battery,hild"}) {
    WebClient client(rig.port(), right);
    ASSERT_FALSE(client.refused) << right;
    EXPECT_EQ(client.response[beast::http::field::sec_websocket_protocol], "hild")
        << "never the token";
    client.send(status_request);
    EXPECT_EQ(client.message().at("id"), 1);
  }
}

// A page that is closed, or shows something else.
TEST(WebSocket, ControlGoesWithTheConnection) {
  WebRig rig;
  rig.start();
  LineClient other(rig.socket());
  const auto owned = [&] { return !other.call("status").at("control").is_null(); };
  {
    WebClient client(rig.port());
    client.send(
        R"({"jsonrpc": "2.0", "id": 1, "method": "take", "params": {"owner": "page of alice"}})");
    EXPECT_EQ(client.message().at("result").at("owner"), "page of alice");
    EXPECT_TRUE(owned());
  }
  EXPECT_TRUE(comes([&] { return !owned(); }));
}

TEST(WebSocket, AnotherPageIsRefused) {
  WebRig rig;
  rig.start();
  WebClient evil(rig.port(), {}, "http://evil.example");
  EXPECT_EQ(evil.response.result_int(), 403U);
  WebClient own(rig.port(), {}, "http://localhost:" + std::to_string(rig.port()));
  EXPECT_FALSE(own.refused);
}

TEST(WebSocket, AMessageThatIsTooLongEndsIt) {
  WebRig rig;
  rig.control.message = 1024;
  rig.start();
  WebClient client(rig.port());
  client.send(std::string(1025, ' '));
  client.text();
  EXPECT_EQ(client.refused, websocket::error::closed);
  EXPECT_EQ(client.stream().reason().code, websocket::close_code::too_big);
}

TEST(WebSocket, IsClosedInWordsWhenTheRunEnds) {
  WebRig rig;
  rig.start();
  WebClient client(rig.port());
  client.send(
      R"({"jsonrpc": "2.0", "id": 9, "method": "mark", "params": {"at": {"time_s": 1e8}}})");
  client.send(status_request);
  EXPECT_EQ(client.message().at("id"), 1);
  std::thread end([&] { rig.end(); });
  EXPECT_EQ(client.message().at("error").at("code"), -32004) << "what was owed";
  client.text();
  EXPECT_EQ(client.refused, websocket::error::closed);
  EXPECT_EQ(client.stream().reason().code, websocket::close_code::going_away);
  end.join();
}

// As if the cable were cut: no close, no end.
TEST(WebSocket, OneThatVanishesIsForgotten) {
  WebRig rig;
  rig.start();
  LineClient watcher(rig.socket());
  {
    WebClient client(rig.port());
    client.send(
        R"({"jsonrpc": "2.0", "id": 3, "method": "subscribe", "params": {"names": ["x"]}})");
    client.message();
    EXPECT_EQ(watcher.call("status").at("clients"), 2);
    // A frame that never ends.
    const std::string half("\x81\xfe\x01\x00", 4);
    asio::write(client.stream().next_layer(), asio::buffer(half));
  }
  ASSERT_TRUE(comes([&] { return watcher.call("status").at("clients") == 1; }));
}

}  // namespace
}  // namespace hild::testing
