// SPDX-License-Identifier: Apache-2.0
/// \file
/// Requests and replies as the specification of JSON-RPC 2.0 shows them.
#include "control/rpc/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>

namespace hild::rpc {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

Incoming read(std::string_view text) {
  auto incoming = read_requests(text, {});
  EXPECT_TRUE(incoming) << text << ": " << incoming.error().message;
  return incoming ? *incoming : Incoming{};
}

Error whole(std::string_view text) {
  auto incoming = read_requests(text, {});
  EXPECT_FALSE(incoming) << text;
  return incoming ? Error{} : incoming.error();
}

TEST(Request, HasAnIdAMethodAndParamsByName) {
  const Incoming one =
      read(R"({"jsonrpc": "2.0", "method": "get", "params": {"names": ["x"]}, "id": 3})");
  EXPECT_FALSE(one.batch);
  ASSERT_EQ(one.requests.size(), 1U);
  ASSERT_TRUE(one.requests[0]);
  EXPECT_EQ(one.requests[0]->id, 3);
  EXPECT_EQ(one.requests[0]->method, "get");
  EXPECT_EQ(one.requests[0]->params.at("names").at(0), "x");

  const Incoming other = read(R"({"jsonrpc": "2.0", "method": "status", "id": "a-1"})");
  ASSERT_TRUE(other.requests.at(0));
  EXPECT_EQ(other.requests[0]->id, "a-1");
  EXPECT_TRUE(other.requests[0]->params.empty());
}

TEST(Request, WithoutAnIdIsANotification) {
  const Incoming one = read(R"({"jsonrpc": "2.0", "method": "mark"})");
  ASSERT_TRUE(one.requests.at(0));
  EXPECT_TRUE(one.requests[0]->id.is_null());
}

TEST(Request, OfABatchIsJudgedByItself) {
  const Incoming all =
      read(R"([{"jsonrpc": "2.0", "method": "status", "id": 1}, 1, {"jsonrpc": "2.0", "id": 2},)"
           R"( {"jsonrpc": "2.0", "method": "status"}])");
  EXPECT_TRUE(all.batch);
  ASSERT_EQ(all.requests.size(), 4U);
  EXPECT_TRUE(all.requests[0]);
  ASSERT_FALSE(all.requests[1]);
  EXPECT_TRUE(all.requests[1].error().id.is_null());
  ASSERT_FALSE(all.requests[2]);
  EXPECT_EQ(all.requests[2].error().id, 2) << "an id that can be told is told";
  EXPECT_EQ(all.requests[2].error().error.code, Code::invalid_request);
  EXPECT_TRUE(all.requests[3]);
}

TEST(Request, OfNoTextAtAllIsAnError) {
  EXPECT_EQ(whole("{\"jsonrpc\": \"2.0\", \"method\": \"foobar, \"params\": \"bar\", \"baz]").code,
            Code::not_json);
  EXPECT_EQ(whole("[{\"jsonrpc\": \"2.0\", \"method\": \"sum\"}, {\"jsonrpc\"").code,
            Code::not_json);
  EXPECT_EQ(whole("[]").code, Code::invalid_request);
  std::string many = "[1";
  for (std::size_t i = 1; i < max_batch; ++i) many += ",1";
  EXPECT_EQ(read(many + "]").requests.size(), max_batch);
  const Error error = whole(many + ",1]");
  EXPECT_EQ(error.code, Code::invalid_request);
  EXPECT_THAT(error.message, HasSubstr("a batch of 65 requests: expected at most 64"));
}

struct BadRequest {
  const char* text;
  const char* words;
  json::value id;
};

TEST(Request, ThatIsNoneSaysWhatIsMissing) {
  const BadRequest cases[] = {
      {R"("status")", "expected an object", nullptr},
      {"7", "expected an object", nullptr},
      {"null", "expected an object", nullptr},
      {R"({"method": "status", "id": 1})", "\"jsonrpc\": \"2.0\"", 1},
      {R"({"jsonrpc": "1.0", "method": "status", "id": 1})", "\"jsonrpc\": \"2.0\"", 1},
      {R"({"jsonrpc": 2.0, "method": "status", "id": 1})", "\"jsonrpc\": \"2.0\"", 1},
      {R"({"jsonrpc": "2.0", "id": 1})", "method: expected", 1},
      {R"({"jsonrpc": "2.0", "method": 1, "id": "x"})", "method: expected", "x"},
      {R"({"jsonrpc": "2.0", "method": "get", "params": ["x"], "id": 1})", "params go by name", 1},
      {R"({"jsonrpc": "2.0", "method": "get", "params": null, "id": 1})", "params: expected", 1},
      {R"({"jsonrpc": "2.0", "method": "get", "id": null})", "id: expected", nullptr},
      {R"({"jsonrpc": "2.0", "method": "get", "id": 1.5})", "id: expected", nullptr},
      {R"({"jsonrpc": "2.0", "method": "get", "id": [1]})", "id: expected", nullptr},
      {R"({"jsonrpc": "2.0", "method": "get", "id": 1, "param": {}})", "\"param\": expected", 1},
  };
  for (const BadRequest& c : cases) {
    const Incoming incoming = read(c.text);
    ASSERT_FALSE(incoming.requests.at(0)) << c.text;
    EXPECT_EQ(incoming.requests[0].error().error.code, Code::invalid_request) << c.text;
    EXPECT_THAT(incoming.requests[0].error().error.message, HasSubstr(c.words)) << c.text;
    EXPECT_EQ(incoming.requests[0].error().id, c.id) << c.text;
  }
}

TEST(Request, IsWrittenAsItIsRead) {
  const Incoming back = read(request_text(5, "set", {{"values", {{"a", 0.013}}}}));
  ASSERT_TRUE(back.requests.at(0));
  EXPECT_EQ(back.requests[0]->id, 5);
  EXPECT_EQ(back.requests[0]->method, "set");
  EXPECT_EQ(back.requests[0]->params.at("values").at("a").as_double(), 0.013);
  EXPECT_TRUE(read(request_text(6, "status", {})).requests.at(0)->params.empty());
}

TEST(Reply, IsOfTheSpecification) {
  EXPECT_EQ(json::value(reply(1, json::object{{"frame", 7}})),
            json::parse(R"({"jsonrpc": "2.0", "id": 1, "result": {"frame": 7}})"));
  EXPECT_EQ(
      json::value(error_reply("5", {Code::no_such_method, "no", {}})),
      json::parse(R"({"jsonrpc": "2.0", "id": "5", "error": {"code": -32601, "message": "no"}})"));
  EXPECT_EQ(json::value(error_reply(nullptr, {Code::too_many, "wait", {{"retry_after_s", 1}}})),
            json::parse(R"({"jsonrpc": "2.0", "id": null, "error": {"code": -32002,
                            "message": "wait", "data": {"retry_after_s": 1}}})"));
  EXPECT_EQ(json::value(notification("samples", {{"lost", 0}})),
            json::parse(R"({"jsonrpc": "2.0", "method": "samples", "params": {"lost": 0}})"));
}

TEST(Reply, HasNoNumberThatJsonCannotHold) {
  const json::array values{number(1.5), number(NAN), number(INFINITY), number(-INFINITY)};
  EXPECT_EQ(json::serialize(values), "[1.5E0,null,null,null]");
}

}  // namespace
}  // namespace hild::rpc
