// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who may change what: clients of a role on its own socket, and by its token.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http_client.hpp"
#include "line_client.hpp"
#include "rig.hpp"

namespace hild::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RolesRig : public ServerRig {
 public:
  RolesRig() {
    control.address = "127.0.0.1";
    control.port = 0;
    control.token = "the-token-of-the-instructor";
    config::Role trainee;
    trainee.name = "trainee";
    trainee.socket = folder.path("trainee.sock");
    trainee.token = "the-token-of-the-trainee";
    trainee.may = {{"set", {"level", "parameter:gain"}},
                   {"stimulate", {"u"}},
                   {"override", {"output:load"}},
                   {"mark", {}}};
    control.roles.push_back(trainee);
  }
};

std::string refusal_of_role(LineClient& client, std::string_view method,
                            const boost::json::value& params) {
  const auto error = client.error(method, params.as_object());
  EXPECT_EQ(error.at("code"), -32001) << error;
  return std::string(error.at("message").as_string());
}

TEST(ARole, MayChangeWhatItIsGivenAndNothingElse) {
  RolesRig rig;
  rig.start();
  LineClient trainee(rig.control.roles[0].socket);
  trainee.call("set", R"({"values": {"level": 3, "gain": 2}})"_json.as_object());
  EXPECT_EQ(trainee.call("get", R"({"names": ["output:level"]})"_json.as_object())
                .at("values")
                .at("output:level"),
            3.0);
  trainee.call("stimulate", R"({"input": "u", "shape": "step", "amplitude": 1})"_json.as_object());
  trainee.call("override",
               R"({"signal": "output:load", "kind": "stuck", "value": 1})"_json.as_object());
  trainee.call("mark");

  EXPECT_THAT(
      refusal_of_role(trainee, "set", R"({"values": {"inertia": 1}})"_json),
      AllOf(HasSubstr("set inertia: the role trainee may not"), HasSubstr("set level or gain, ")));
  EXPECT_THAT(refusal_of_role(trainee, "set", R"({"values": {"level": 7, "inertia": 1}})"_json),
              HasSubstr("set inertia"));
  EXPECT_EQ(trainee.call("get", R"({"names": ["output:level"]})"_json.as_object())
                .at("values")
                .at("output:level"),
            3.0)
      << "of a change that is refused nothing is done";
  EXPECT_THAT(refusal_of_role(trainee, "stimulate",
                              R"({"input": "load", "shape": "step", "amplitude": 1})"_json),
              HasSubstr("stimulate load"));
  EXPECT_THAT(refusal_of_role(trainee, "override",
                              R"({"signal": "input:load", "kind": "stuck", "value": 1})"_json),
              HasSubstr("override load"))
      << "that of the output is another one";
  for (const char* method : {"resume", "save", "restore", "reset", "step", "arm"}) {
    EXPECT_THAT(refusal_of_role(trainee, method, boost::json::object()),
                HasSubstr(std::string(method) + ": the role trainee may not"));
  }
  EXPECT_THAT(refusal_of_role(trainee, "take", R"({"owner": "me"})"_json), HasSubstr("take"));
  EXPECT_THAT(refusal_of_role(trainee, "show", R"({"last_s": 1})"_json),
              HasSubstr("show: the role trainee may not"));
}
TEST(ARole, IsHeldInATransactionToo) {
  RolesRig rig;
  rig.start();
  LineClient trainee(rig.control.roles[0].socket);
  trainee.call(
      "transaction",
      R"({"changes": [{"set": {"values": {"level": 1}}}, {"mark": {}}]})"_json.as_object());
  EXPECT_THAT(
      refusal_of_role(trainee, "transaction",
                      R"({"changes": [{"set": {"values": {"level": 2}}}, {"reset": {}}]})"_json),
      HasSubstr("reset"));
  EXPECT_EQ(trainee.call("get", R"({"names": ["output:level"]})"_json.as_object())
                .at("values")
                .at("output:level"),
            1.0);
}
// What outputs do meanwhile is not for everybody to declare.
TEST(ARole, MayAlwaysMakeARunSafe) {
  RolesRig rig;
  rig.start();
  LineClient trainee(rig.control.roles[0].socket);
  trainee.call("freeze");
  trainee.call("disarm");
  EXPECT_THAT(
      refusal_of_role(trainee, "freeze", R"({"outputs": "declared", "values": {"level": 4}})"_json),
      HasSubstr("the role trainee may not"));
  trainee.call("stop");
}
TEST(ARole, IsToldWhatItMay) {
  RolesRig rig;
  rig.start();
  LineClient trainee(rig.control.roles[0].socket);
  EXPECT_EQ(trainee.call("rights"), R"({"writes": true, "why": null, "role": "trainee", "may":
      {"set": ["level", "gain"], "stimulate": ["u"], "override": ["load"], "mark": "all"}})"_json);
  LineClient instructor(rig.socket());
  EXPECT_EQ(instructor.call("rights"),
            R"({"writes": true, "why": null, "role": null, "may": null})"_json);
  instructor.call("set", R"({"values": {"inertia": 1}})"_json.as_object());
}

TEST(ARole, IsThatOfTheTokenByHttp) {
  RolesRig rig;
  rig.start();
  const auto set = [](const std::string& name) {
    return R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {")" + name +
           R"(": 1}}})";
  };
  const std::string trainee = "Authorization: Bearer the-token-of-the-trainee\r\n";
  const std::string instructor = "Authorization: Bearer the-token-of-the-instructor\r\n";
  HttpClient client(rig.port());
  EXPECT_THAT(client.post(set("level"), trainee).body, HasSubstr("result"));
  EXPECT_THAT(client.post(set("inertia"), trainee).body, HasSubstr("the role trainee may not"));
  // On the same connection each request has the rights of its own token.
  EXPECT_THAT(client.post(set("inertia"), instructor).body, HasSubstr("result"));
  EXPECT_THAT(client.post(set("inertia"), trainee).body, HasSubstr("the role trainee may not"));
  EXPECT_EQ(client.post(set("level"), "").status, 401);
  EXPECT_EQ(client.post(set("level"), "Authorization: Bearer the-token-of-the-traine\r\n").status,
            401);
}
TEST(ARole, IsNeededWhereThereIsNoOtherToken) {
  RolesRig rig;
  rig.control.token.clear();
  rig.users.own = 7;  // nobody who connects is the run's own user
  rig.start();
  const std::string set =
      R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"level": 1}}})";
  HttpClient client(rig.port());
  EXPECT_THAT(client.post(set, "").body, HasSubstr("-32001"));
  EXPECT_THAT(client.post(set, "Authorization: Bearer the-token-of-the-trainee\r\n").body,
              HasSubstr("result"));
  EXPECT_THAT(client.post(set, "").body, HasSubstr("-32001")) << "the token is not remembered";
  EXPECT_EQ(client.post(status_request, "").status, 200) << "and reading is as it was";
}
TEST(ARole, OfWhatTheRunDoesNotHaveIsAnError) {
  RolesRig rig;
  rig.control.roles[0].may = {{"inject", {"bus.Command.mising"}}};
  boost::asio::io_context io;
  server::Server server(io, rig.control, rig.run(), rig.users);
  const auto opened = server.open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, AllOf(HasSubstr("control.roles.trainee.may.inject"),
                                            HasSubstr("bus.Command.missing")));
}

}  // namespace
}  // namespace hild::testing
