// SPDX-License-Identifier: Apache-2.0
/// \file
/// What goes wrong: each ends with its exit code and words that say what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/ctl/fake_daemon.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;

TEST(CallError, NoDaemon) {
  const test::Folder folder;
  const auto ended = test::hild({"status", "--socket", folder.path("none.sock")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("no daemon: there is no socket " + folder.path("")),
                               HasSubstr("hild run CONFIG")));
}

TEST(CallError, ASocketThatADeadDaemonLeft) {
  const test::Folder folder;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = folder.path("left.sock");
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(fd);
  const auto ended = test::hild({"status", "--socket", path});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("which one that died left behind"));
}

TEST(CallError, APathTooLongForASocket) {
  const auto ended = test::hild({"status", "--socket", "/tmp/" + std::string(200, 'x')});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("may have 107 bytes"));
}

TEST(CallError, ARefusalIsShownInItsWords) {
  FakeDaemon daemon;
  daemon.refuse("set", -32602, "values.inertia: found -1, expected at least 1e-12 kg m2");
  const auto ended = hildctl(daemon, {"set", "inertia=-1"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "hildctl: values.inertia: found -1, expected at least 1e-12 kg m2\n");

  const auto json_ended = hildctl(daemon, {"set", "inertia=-1", "--json"});
  EXPECT_EQ(json_ended.code, 1);
  EXPECT_EQ(json_ended.err, "");
  EXPECT_EQ(json::parse(json_ended.out),
            json::parse(R"({"error":{"kind":"refused","code":-32602,"data":{"frame":7},
                "message":"values.inertia: found -1, expected at least 1e-12 kg m2"}})"));
}

TEST(CallError, NoReplyInTime) {
  FakeDaemon daemon;
  daemon.handle("stop", [](auto&, auto&) { return FakeDaemon::Answer{}; });
  const auto ended = hildctl(daemon, {"stop", "--timeout", "50 ms"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("no reply to stop within 0.05 s"), HasSubstr("--timeout")));
}

TEST(CallError, TheDaemonHangsUp) {
  FakeDaemon daemon;
  daemon.handle("stop", [](auto&, auto&) {
    return FakeDaemon::Answer{.lines = {"{\"jsonrpc\""}, .hang_up = true};
  });
  EXPECT_EQ(hildctl(daemon, {"stop"}).code, 2);
  daemon.handle("stop",
                [](auto&, auto&) { return FakeDaemon::Answer{.lines = {}, .hang_up = true}; });
  const auto ended = hildctl(daemon, {"stop", "--json"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(json::parse(ended.out).at("error").at("kind"), "connection");
}

TEST(CallError, WhatAnswersIsNoDaemon) {
  FakeDaemon daemon;
  for (const char* line : {"SSH-2.0-OpenSSH", "[1,2]", "{\"id\":1}", "{\"id\":1,\"error\":3}"}) {
    daemon.handle("reset", [=](auto&, auto&) { return FakeDaemon::Answer{.lines = {line}}; });
    const auto ended = hildctl(daemon, {"snapshot", "reset"});
    EXPECT_EQ(ended.code, 2) << line;
    EXPECT_THAT(ended.err, HasSubstr("no daemon of hild")) << line;
  }
}

TEST(CallError, WrongArgumentsAskNobody) {
  FakeDaemon daemon;
  const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
      {{"set", "inertia"}, "found \"inertia\", expected NAME=VALUE"},
      {{"set", "inertia="}, "expected NAME=VALUE"},
      {{"set", "a=1", "a=2"}, "a is there twice"},
      {{"set", "a=1", "--at-time", "soon"}, "--at-time soon: expected seconds"},
      {{"set", "a=1", "--at-time", "3 V"}, "--at-time 3 V"},
      {{"status", "--timeout", "-1"}, "--timeout -1: expected 0 to"},
      {{"fault", "shaft_speed"}, "what of shaft_speed"},
      {{"fault", "shaft_speed", "release", "3"}, "release takes no value"},
      {{"event", "+", "mark"}, "expected the name of a method"},
      {{"event", "values.a=1"}, "expected the name of a method"},
      {{"event", "set", "values"}, "expected key=value"},
      {{"stimulate", "u", "playback", "--table", "/no/such.csv"}, "cannot read /no/such.csv"},
      {{"sequence", "/no/such.yaml"}, "/no/such.yaml"},
  };
  for (const auto& [arguments, words] : rows) {
    const auto ended = hildctl(daemon, arguments);
    EXPECT_EQ(ended.code, 1) << testing::PrintToString(arguments);
    EXPECT_THAT(ended.err, HasSubstr(words));
  }
  EXPECT_TRUE(daemon.calls().empty());
}

TEST(CallError, ArgumentsThatDoNotParseAreWrongToo) {
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"nonsense"},
                                             {"set"},
                                             {"snapshot"},
                                             {"snapshot", "save", "8"},
                                             {"fault", "a", "broken"},
                                             {"step", "0"},
                                             {"set", "a=1", "--at-time", "1", "--at-frame", "1"}}) {
    EXPECT_EQ(test::hild(arguments).code, 1) << testing::PrintToString(arguments);
  }
}

TEST(CallError, NearCommandsAreOffered) {
  const auto ended = test::hild({"evnt", "set"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.err, "hildctl: there is no command \"evnt\", did you mean \"event\"?\n");
}

TEST(CallError, ATableThatIsNone) {
  FakeDaemon daemon;
  const test::Folder folder;
  const auto words_of = [&](const char* text) {
    return hildctl(daemon, {"stimulate", "u", "playback", "--table", folder.file("t.csv", text)})
        .err;
  };
  EXPECT_THAT(words_of("t,v\n0,1\n1;2\n"), HasSubstr("t.csv:3: found \"1;2\""));
  EXPECT_THAT(words_of("# nothing\n"), HasSubstr("found no line"));
  EXPECT_EQ(words_of("t,v\r\n0,1\r\n\n0.5, -2\n"), "");
  EXPECT_EQ(json::serialize(daemon.calls().back().params.at("table")),
            json::serialize(json::parse(R"({"times_s":[0.0,0.5],"values":[1.0,-2.0]})")));
}

}  // namespace
}  // namespace hild::ctl
