// SPDX-License-Identifier: Apache-2.0
/// \file
/// Control of a served run: who has it may change the run, others may read it and make it safe.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "control/server/http_client.hpp"
#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

TEST(Control, IsVisibleToAll) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  EXPECT_TRUE(client.call("status").at("control").is_null());
  const json::value taken = client.call("take", {{"owner", "test A"}, {"timeout_s", 60}});
  EXPECT_EQ(taken.at("owner"), "test A");
  EXPECT_TRUE(taken.at("from").is_null());
  LineClient other(rig.socket());
  const json::value told = other.call("status").at("control");
  EXPECT_EQ(told.at("owner"), "test A");
  EXPECT_EQ(told.at("stays"), false);
  EXPECT_LE(told.at("left_s").to_number<double>(), 60);
  EXPECT_EQ(client.call("give").at("owner"), "test A");
  EXPECT_TRUE(other.call("status").at("control").is_null());
  EXPECT_TRUE(client.call("give").at("owner").is_null());
}

TEST(Control, OthersMayReadAndMakeTheRunSafeAndNothingElse) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  LineClient other(rig.socket());
  client.call("take", {{"owner", "test A"}});
  const std::set<std::string> open{"freeze", "disarm", "stop", "take", "give", "cease",
                                   // of what is kept, not of the run
                                   "arrange", "discard", "show"};
  int refused = 0;
  const json::value methods = other.call("methods");
  for (const json::value& m : methods.as_array()) {
    const std::string name(m.at("name").as_string());
    if (!m.at("writes").as_bool() || open.contains(name)) continue;
    const json::object error = other.error(name);
    EXPECT_EQ(error.at("code"), -32005) << name;
    EXPECT_EQ(error.at("data").at("owner"), "test A");
    ++refused;
  }
  EXPECT_EQ(refused, 20);
  EXPECT_EQ(other.error("take", {{"owner", "test B"}}).at("code"), -32005);
  EXPECT_EQ(other.error("give", {{"owner", "test A"}}).at("code"), -32005);
  for (const char* reading : {"status", "list", "get", "histograms", "overruns"}) {
    other.call(reading);
  }
  other.call("subscribe", {{"names", {"x"}}});
  client.call("set", {{"values", {{"level", 5}}}});

  other.call("disarm");
  EXPECT_FALSE(rig.armed);
  EXPECT_EQ(other.error("arm").at("code"), -32005);
  other.call("freeze");
  EXPECT_TRUE(comes([&] { return other.call("status").at("state") == "frozen"; }));
  EXPECT_EQ(other.error("resume").at("code"), -32005);
  client.call("resume");
  const json::value values = other.call("get", {{"names", {"parameter:level"}}}).at("values");
  EXPECT_EQ(values.at("parameter:level"), 5.0);
  other.call("stop");
  EXPECT_TRUE(rig.stop.raised());
}

TEST(Control, IsTakenOverOnPurposeOnly) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  LineClient other(rig.socket());
  client.call("take", {{"owner", "test A"}});
  EXPECT_EQ(other.call("take", {{"owner", "test B"}, {"over", true}}).at("from"), "test A");
  other.call("mark");
  const json::object error = client.error("mark");
  EXPECT_EQ(error.at("code"), -32005);
  EXPECT_THAT(error.at("message").as_string().c_str(), HasSubstr("test B has had control"));
  EXPECT_EQ(client.error("give").at("code"), -32005);
}

TEST(Control, GoesWithTheConnectionUnlessItIsToStay) {
  ServerRig rig;
  rig.start();
  LineClient other(rig.socket());
  const auto control = [&] { return other.call("status").at("control"); };
  {
    LineClient client(rig.socket());
    client.call("take", {{"owner", "test A"}});
    EXPECT_EQ(control().at("owner"), "test A");
  }
  EXPECT_TRUE(comes([&] { return control().is_null(); }));
  const std::int64_t alone = other.call("status").at("clients").as_int64();
  {
    LineClient client(rig.socket());
    client.call("take", {{"owner", "alice"}, {"stays", true}});
  }
  ASSERT_TRUE(comes([&] { return other.call("status").at("clients") == alone; }));
  EXPECT_EQ(control().at("owner"), "alice");
  EXPECT_EQ(other.error("mark").at("code"), -32005);
  LineClient again(rig.socket());
  again.call("take", {{"owner", "alice"}, {"stays", true}});
  again.call("mark");
  EXPECT_EQ(other.call("give", {{"owner", "alice"}}).at("owner"), "alice");
  other.call("mark");
}

TEST(Control, APostHasNoneAndIsRefusedWhereAnotherHas) {
  ServerRig rig;
  rig.control.address = "127.0.0.1";
  rig.start();
  HttpClient post(rig.port());
  const auto code = [&](const char* method, const char* params) {
    const auto answer = post.post(fmt::format(
        R"({{"jsonrpc": "2.0", "id": 1, "method": "{}", "params": {}}})", method, params));
    const json::value reply = json::parse(answer.body);
    return reply.as_object().contains("error") ? reply.at("error").at("code").as_int64() : 0;
  };
  EXPECT_EQ(code("take", R"({"owner": "a"})"), -32601);
  EXPECT_EQ(code("mark", "{}"), 0);
  LineClient client(rig.socket());
  client.call("take", {{"owner", "test A"}});
  EXPECT_EQ(code("mark", "{}"), -32005);
  EXPECT_EQ(code("status", "{}"), 0);
  EXPECT_EQ(code("disarm", "{}"), 0);
}

TEST(Control, WrongTermsAreRefusedInWords) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  const auto words = [&](const json::object& params) {
    const json::object error = client.error("take", params);
    EXPECT_EQ(error.at("code"), -32602);
    return std::string(error.at("message").as_string());
  };
  EXPECT_THAT(words({}), HasSubstr("owner: missing"));
  EXPECT_THAT(words({{"owner", ""}}), HasSubstr("owner: found \"\", expected a name of 1 to 100"));
  EXPECT_THAT(words({{"owner", "a\nb"}}), HasSubstr("in one line"));
  EXPECT_THAT(words({{"owner", std::string(101, 'a')}}), HasSubstr("1 to 100 bytes"));
  EXPECT_THAT(words({{"owner", "a"}, {"timeout_s", 0.5}}), HasSubstr("expected 1 s to 86400 s"));
  EXPECT_THAT(words({{"owner", "a"}, {"timeout_s", 86401}}), HasSubstr("expected 1 s to 86400 s"));
  EXPECT_THAT(words({{"owner", "a"}, {"overr", true}}), HasSubstr("did you mean \"over\""));
  EXPECT_TRUE(client.call("status").at("control").is_null());
}

}  // namespace
}  // namespace hild::testing
