// SPDX-License-Identifier: Apache-2.0
/// \file
/// control.roles: who may change what.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/sections.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string a_motor_to_control =
    "frame: {rate: 1 kHz}\nmodel: {type: dc-motor}\nintegrator: {method: rk-4}\n";

Result<Config> with_roles(const std::string& roles, const std::string& more = "") {
  return load_text(a_motor_to_control + "control: {" + more + "roles: {" + roles + "}}\n",
                   "rig.yaml");
}
std::string refused_role(const std::string& roles, const std::string& more = "") {
  const auto read = with_roles(roles, more);
  return read ? "" : read.error().message;
}

TEST(Roles, SayWhatTheyMay) {
  const auto read = with_roles(
      "trainee: {socket: /run/trainee.sock, mode: \"0600\", group: pilots, may: {set: [inertia, "
      "parameter:friction], override: all, mark: all, arm: all}}");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->control->roles.size(), 1U);
  const Role& role = read->control->roles[0];
  EXPECT_EQ(role.name, "trainee");
  EXPECT_EQ(role.socket, "/run/trainee.sock");
  EXPECT_EQ(role.mode, 0600U);
  EXPECT_EQ(role.group, "pilots");
  EXPECT_EQ(role.token, "");
  ASSERT_EQ(role.may.size(), 4U);
  EXPECT_EQ(role.may[0].method, "set");
  EXPECT_THAT(role.may[0].names, ElementsAre("inertia", "parameter:friction"));
  EXPECT_THAT(role.may[1].names, ElementsAre()) << "everything";
}
TEST(Roles, MayBeginSequencesByTheirNames) {
  const std::string sequences = "sequences: {score: s.yaml, load step: l.yaml}, ";
  const auto read = with_roles(
      "a: {socket: /a, may: {begin: [load step]}}, b: {socket: /b, may: {begin: all}}", sequences);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->control->roles[0].may[0].names, ElementsAre("load step"));
  EXPECT_THAT(read->control->roles[1].may[0].names, ElementsAre()) << "all of them";
  EXPECT_THAT(refused_role("a: {socket: /a, may: {begin: [scores]}}", sequences),
              AllOf(HasSubstr("rig.yaml:4: control.roles.a.may.begin: "),
                    HasSubstr("did you mean \"score\"")));
  EXPECT_THAT(refused_role("a: {socket: /a, may: {begin: []}}", sequences),
              HasSubstr("found no name"));
}
TEST(Roles, AreRefusedWhereTheyMeanNothing) {
  EXPECT_THAT(refused_role("a: {socket: /s, may: {set: [inertai]}}"),
              AllOf(HasSubstr("rig.yaml:4: control.roles.a.may.set: "),
                    HasSubstr("did you mean \"inertia\"")));
  EXPECT_THAT(refused_role("a: {socket: /s, may: {stimulate: [shaft_speed]}}"),
              HasSubstr("armature_voltage"));
  EXPECT_THAT(refused_role("a: {socket: /s, may: {sett: all}}"), HasSubstr("did you mean \"set\""));
  EXPECT_THAT(refused_role("a: {socket: /s, may: {freeze: all}}"), HasSubstr("freeze"))
      << "everybody may";
  EXPECT_THAT(refused_role("a: {socket: /s, may: {mark: [inertia]}}"), HasSubstr("`all`"));
  EXPECT_THAT(refused_role("a: {socket: /s, may: {set: []}}"),
              HasSubstr("control.roles.a.may.set"));
  EXPECT_THAT(refused_role("a: {may: {mark: all}}"), HasSubstr("nobody could have this role"));
  EXPECT_THAT(refused_role("a b: {socket: /s}"), HasSubstr("letters"));
  EXPECT_THAT(refused_role("a: {socket: /s}, b: {socket: /s}"),
              AllOf(HasSubstr("control.roles.b.socket"), HasSubstr("that of a too")));
  EXPECT_THAT(refused_role("a: {socket: /s}", "socket: /s, "), HasSubstr("that of control too"));
  EXPECT_THAT(refused_role("a: {token_file: /t}"), HasSubstr("without control.http"));
  EXPECT_THAT(refused_role("a: {token_file: /none/there}", "http: 127.0.0.1:0, "),
              HasSubstr("/none/there"));
  EXPECT_THAT(refused_role("a: {socket: /s, mode: 8}"), HasSubstr("octal"));
}
// A role's token goes in clear as any does.
TEST(Roles, KeepTheirTokensOnThisMachine) {
  EXPECT_THAT(refused_role("a: {token_file: /t}", "http: 0.0.0.0:8080, writing: socket, "),
              HasSubstr("others can reach"));
}

}  // namespace
}  // namespace hild::config
