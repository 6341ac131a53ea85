// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Unix socket: who finds it, what may be sent through it, and how clients come and go.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <boost/asio/io_context.hpp>
#include <fstream>

#include "control/server/line_client.hpp"
#include "control/server/listen.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

mode_t mode_of(const std::string& path) {
  struct stat s {};
  EXPECT_EQ(::stat(path.c_str(), &s), 0) << path;
  return s.st_mode & 07777;
}

/// What a second server says that wants the same.
std::string second(const config::Control& control, ServerRig& first) {
  boost::asio::io_context io;
  server::Server other(io, control, first.run());
  const auto opened = other.open();
  return opened ? "opened" : opened.error().message;
}

/// A socket nobody listens at any more, as a killed daemon leaves it.
void leave_dead_socket(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(fd, 1), 0);
  ::close(fd);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(UnixSocket, HasItsModeAndVanishesWithTheRun) {
  ServerRig rig;
  rig.control.mode = 0604;
  rig.start();
  EXPECT_EQ(mode_of(rig.socket()), 0604U);
  EXPECT_EQ(rig.server().where(), "unix " + rig.socket());
  rig.end();
  EXPECT_FALSE(std::filesystem::exists(rig.socket()));
}

TEST(UnixSocket, IsGivenToItsGroup) {
  const group* const own = ::getgrgid(::getegid());
  ASSERT_NE(own, nullptr);
  ServerRig rig;
  rig.control.group = own->gr_name;
  rig.start();
  struct stat s {};
  ::stat(rig.socket().c_str(), &s);
  EXPECT_EQ(s.st_gid, own->gr_gid);
  config::Control none = rig.control;
  none.socket = rig.folder.path("other.sock");
  none.group = "no-such-group-here";
  EXPECT_THAT(second(none, rig), AllOf(HasSubstr("control.group: there is no group"),
                                       HasSubstr("groupadd no-such-group-here")));
  EXPECT_FALSE(std::filesystem::exists(none.socket));
}

TEST(UnixSocket, InUseIsRefusedAndStaysInUse) {
  ServerRig rig;
  rig.start();
  EXPECT_THAT(second(rig.control, rig),
              AllOf(HasSubstr("control.socket: another daemon answers on " + rig.socket()),
                    HasSubstr("stop it")));
  LineClient(rig.socket()).call("status");
}

TEST(UnixSocket, OfADeadProcessIsReplaced) {
  ServerRig rig;
  leave_dead_socket(rig.socket());
  rig.start();
  LineClient(rig.socket()).call("status");
}

// Whoever holds it, the start of a run does not wait for ever.
TEST(UnixSocket, AFolderThatStaysLockedIsToldAndNotWaitedFor) {
  ServerRig rig;
  rig.start(false);
  const int folder = ::open(rig.folder.path("").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);
  config::Control control = rig.control;
  control.socket = rig.folder.path("other.sock");
  EXPECT_THAT(second(control, rig), AllOf(HasSubstr("control.socket: "), HasSubstr("locked by")));
  EXPECT_FALSE(std::filesystem::exists(control.socket));
  ::close(folder);
  EXPECT_EQ(second(control, rig), "opened");
}

TEST(UnixSocket, NothingButASocketIsReplaced) {
  ServerRig rig;
  rig.start(false);
  config::Control control = rig.control;
  control.socket = rig.folder.path("file");
  std::ofstream(control.socket) << "precious";
  EXPECT_THAT(second(control, rig), HasSubstr("something that is no socket"));
  EXPECT_EQ(std::filesystem::file_size(control.socket), 8U);
  control.socket = rig.folder.path("missing/x.sock");
  EXPECT_THAT(second(control, rig),
              AllOf(HasSubstr("control.socket: "), HasSubstr("No such file or directory")));
  control.socket = rig.folder.path(std::string(200, 'x'));
  EXPECT_THAT(second(control, rig), HasSubstr("expected at most 107"));
}

TEST(UnixSocket, WhatTookItsPlaceIsNotRemoved) {
  ServerRig rig;
  rig.start();
  std::filesystem::remove(rig.socket());
  std::ofstream(rig.socket()) << "somebody else's";
  rig.end();
  EXPECT_TRUE(std::filesystem::exists(rig.socket()));
}

TEST(UnixSocket, TheUsualFolderIsMadeAndMustBeOnesOwn) {
  const Folder folder;
  const std::string path = folder.path("hild/control.sock");
  EXPECT_TRUE(server::make_folder_of(path));
  EXPECT_TRUE(server::make_folder_of(path)) << "it is there already";
  EXPECT_EQ(mode_of(folder.path("hild")), ::geteuid() == 0 ? 0755U : 0700U);
  ::chmod(folder.path("hild").c_str(), 0777);
  const auto open_to_all = server::make_folder_of(path);
  ASSERT_FALSE(open_to_all);
  EXPECT_THAT(open_to_all.error().message, HasSubstr("not this user's alone"));
  std::filesystem::create_symlink("/tmp", folder.path("link"));
  EXPECT_FALSE(server::make_folder_of(folder.path("link/control.sock")));
}

TEST(UnixClient, IsToldWhatIsNoRequestAndGoesOn) {
  ServerRig rig;
  rig.control.message = 2000;
  rig.control.depth = 5;
  rig.start();
  LineClient client(rig.socket());
  const auto error = [&](const std::string& line) {
    client.send(line + "\n");
    const json::object reply = client.reply();
    EXPECT_TRUE(reply.at("id").is_null() || line.find("\"id\"") != line.npos) << reply;
    return reply.at("error").as_object();
  };
  const auto says = [&](const std::string& line, int code, const char* words) {
    const json::object e = error(line);
    EXPECT_EQ(e.at("code"), code) << line;
    EXPECT_THAT(e.at("message").as_string().c_str(), HasSubstr(words)) << line;
  };
  says("hello", -32700, "not a JSON text");
  says("{\"jsonrpc\": \"2.0\", ", -32700, "incomplete");
  says("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xff\xfe\"}", -32700, "not a JSON text");
  says("GET / HTTP/1.1", -32700, "not a JSON text");
  says("[[[[[[1]]]]]]", -32700, "deeper than 5 levels");
  says("[]", -32600, "empty batch");
  says("{}", -32600, "jsonrpc");
  says(R"({"jsonrpc": "2.0", "id": 7, "method": "set", "params": {"values": {"level": NaN}}})",
       -32700, "not a JSON text");
  says(R"({"jsonrpc": "2.0", "id": 7, "method": "set", "params": {"values": {"level": 1e999}}})",
       -32700, "beyond the range");
  says(std::string(2001, ' ') + "1", -32700, "more than 2000 bytes");
  says(std::string(3'000'000, 'x'), -32700, "more than 2000 bytes");
  says(std::string("nul\0byte", 8), -32700, "not a JSON text");
  client.send("\n  \r\n\n");  // nothing at all is no request either, but no error
  EXPECT_EQ(client.call("get").at("values").at("parameter:level"), 0.0);
}

TEST(UnixClient, ThatVanishesLeavesNothingHalfDone) {
  ServerRig rig;
  rig.start();
  LineClient other(rig.socket());
  const std::string request =
      R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"level": 9}}})";
  for (std::size_t cut = 0; cut <= request.size(); cut += 7) {
    LineClient client(rig.socket());
    client.send(request.substr(0, cut));
  }
  ASSERT_TRUE(comes([&] { return other.call("status").at("clients") == 1; }));
  EXPECT_EQ(other.call("get").at("values").at("parameter:level"), 0.0);
  // A whole one takes effect, though nobody is there to be told.
  LineClient(rig.socket()).send(request + "\n");
  ASSERT_TRUE(comes([&] { return other.call("get").at("values").at("parameter:level") == 9.0; }));
  // One that waits for a reply far ahead and goes is forgotten at once.
  {
    LineClient client(rig.socket());
    client.request("mark", {{"at", {{"frame", 1'000'000'000'000}}}});
    client.call("status");
  }
  ASSERT_TRUE(comes([&] { return other.call("status").at("clients") == 1; }));
}

// As `printf '...' | nc -N -U SOCKET` does.
TEST(UnixClient, ThatHasSaidAllIsAnsweredAllThenClosed) {
  ServerRig rig;
  rig.start();
  LineClient client(rig.socket());
  ServerRig::Halt halt(rig);
  const std::int64_t now = client.call("get").at("frame").as_int64();
  const std::int64_t late = client.request("mark", {{"at", {{"frame", now + 1000}}}});
  const std::int64_t read = client.request("status");
  client.end_sending();
  EXPECT_EQ(client.reply().at("id"), read);
  halt.end();
  EXPECT_EQ(client.reply().at("id"), late);
  EXPECT_TRUE(client.closed());

  LineClient watcher(rig.socket());
  watcher.call("subscribe", {{"names", {"x", "u"}}});
  watcher.end_sending();
  watcher.notification();
  watcher.notification();
}

TEST(UnixClient, OneTooManyIsToldSo) {
  ServerRig rig;
  rig.control.clients = 2;
  rig.start();
  LineClient one(rig.socket());
  LineClient two(rig.socket());
  one.call("status");
  EXPECT_EQ(two.call("status").at("clients"), 2);
  LineClient three(rig.socket());
  const json::object told = three.error("status");
  EXPECT_EQ(told.at("code"), -32002);
  EXPECT_THAT(told.at("message").as_string().c_str(), HasSubstr("2 clients already"));
  EXPECT_TRUE(three.closed());
  two.vanish();
  ASSERT_TRUE(comes([&] { return one.call("status").at("clients") == 1; }));
  LineClient(rig.socket()).call("status");
}

// However many are connected, and have nothing to say, who comes last can make the run safe.
TEST(UnixClient, OneTooManyCanStillMakeTheRunSafe) {
  ServerRig rig;
  rig.control.clients = 2;
  rig.start();
  std::vector<std::unique_ptr<LineClient>> idle;
  idle.reserve(100);
  for (int i = 0; i < 100; ++i) idle.push_back(std::make_unique<LineClient>(rig.socket()));
  EXPECT_TRUE(LineClient(rig.socket()).call("disarm").as_object().contains("frame"));
  LineClient both(rig.socket());
  both.send(R"([{"jsonrpc": "2.0", "id": 1, "method": "freeze"},)"
            R"( {"jsonrpc": "2.0", "id": 2, "method": "resume"}])"
            "\n");
  const json::array answers = json::parse(both.line().value()).as_array();
  ASSERT_EQ(answers.size(), 2U);
  for (const json::value& a : answers) {
    if (a.at("id") == 1) {
      EXPECT_TRUE(a.at("result").as_object().contains("frame"));
    } else {
      EXPECT_EQ(a.at("error").at("code"), -32002);
    }
  }
  EXPECT_TRUE(both.closed());
  EXPECT_TRUE(idle[2]->closed()) << "the oldest beyond the limit made room";
  LineClient(rig.socket()).call("stop");
  ASSERT_TRUE(comes([&] { return rig.ended.raised(); }));
  rig.end();
  EXPECT_FALSE(rig.armed);
}

// The first second's worth is there at once; more is refused, and comes no faster than allowed. All
// would be taken only by a machine that took half a minute to read them.
TEST(UnixClient, ThatAsksTooMuchIsToldWhenToTryAgain) {
  ServerRig rig;
  constexpr int rate = 5;
  rig.control.rate = rate;
  rig.start();
  LineClient eager(rig.socket());
  LineClient other(rig.socket());
  constexpr int asked = 150;
  std::string burst;
  for (int i = 0; i < asked; ++i) {
    burst += R"({"jsonrpc": "2.0", "id": )" + std::to_string(i) +
             R"(, "method": "x"})"
             "\n";
  }
  eager.send(burst);
  int refused = 0;
  for (int i = 0; i < asked; ++i) {
    const json::object reply = eager.reply();
    EXPECT_EQ(reply.at("id"), i) << "each is answered, in order";
    if (reply.at("error").at("code") != -32002) continue;
    ++refused;
    const double wait = reply.at("error").at("data").at("retry_after_s").to_number<double>();
    EXPECT_GT(wait, 0);
    EXPECT_LE(wait, 1.0 / rate);
    EXPECT_GE(i, rate) << "as many as a second's are taken at once";
  }
  EXPECT_GE(refused, 1);
  other.call("status");
}

// Sixty-four times a thousand overruns are some twenty megabytes.
TEST(UnixClient, ThatAsksForMoreThanMayWaitIsClosed) {
  ServerRig rig;
  rig.plant.extra_of = [](std::int64_t step) { return step % 3 == 0 ? 1500_us : Duration{}; };
  rig.sampler.pace_us = 0;
  rig.records_are_kept = false;
  rig.start();
  LineClient greedy(rig.socket());
  LineClient other(rig.socket());
  while (other.call("overruns", {{"last", 1000}}).at("overruns").as_array().size() < 1000) {
  }
  const std::string request =
      R"({"jsonrpc": "2.0", "id": 1, "method": "overruns", "params": {"last": 1000}})";
  std::string batch = "[" + request;
  for (int i = 1; i < 64; ++i) batch += "," + request;
  greedy.send(batch + "]\n");
  EXPECT_TRUE(greedy.closed());
  ASSERT_TRUE(comes([&] { return other.call("status").at("clients") == 1; }));
}

// It is not read from while it does not read: what it sends stays in the kernel some time.
TEST(UnixClient, ThatDoesNotReadIsNotReadFromEither) {
  ServerRig rig;
  rig.start();
  LineClient deaf(rig.socket());
  LineClient other(rig.socket());
  const std::string request = R"({"jsonrpc": "2.0", "id": 1, "method": "methods"})"
                              "\n";
  std::size_t sent = 0;
  for (int silent = 0; silent < 50;) {  // until for a while nothing more goes
    const std::size_t n = deaf.send_some(request);
    sent += n;
    silent = n == 0 ? silent + 1 : 0;
    if (n != 0 && n != request.size()) deaf.send(std::string_view(request).substr(n));
    if (n == 0) other.call("status");
  }
  // Each answer is some kilobytes: were all answered, they would be many times what may wait.
  const std::size_t answer = json::serialize(other.call("methods")).size();
  EXPECT_GT(answer, 2000U);
  EXPECT_GT(sent / request.size(), 100U);
  // When it reads, it gets all of them.
  for (std::size_t i = 0; i < sent / request.size(); ++i) {
    ASSERT_TRUE(deaf.line()) << i;
  }
  EXPECT_TRUE(deaf.call("status").as_object().contains("state"));
}

}  // namespace
}  // namespace hild::testing
