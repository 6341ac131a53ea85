// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sequences that clients begin: what is told of them, who may, and what becomes of a process that
/// does not do as it should. The shell takes the part of `hildctl sequence --lines`.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "control/server/line_client.hpp"
#include "control/server/rig.hpp"
#include "core/child_process.hpp"

namespace hild::testing {
namespace {

namespace json = boost::json;
using server::Run;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string passed_step =
    R"({"step":{"name":"first","does":"mark","line":3,"result":"passed","start_s":0,"end_s":0.5,)"
    R"("always":false}})";
const std::string failed_step =
    R"({"step":{"name":"second","does":"expect","line":4,"result":"failed","start_s":0.5,)"
    R"("end_s":1.5,"message":"it was 7","always":false}})";
const std::string failed_outcome =
    R"({"outcome":{"name":"a run","result":"failed","passed":1,"failed":1,"errors":0,"skipped":0}})";

std::string prints(const std::string& line) { return "printf '%s\\n' '" + line + "'\n"; }

class SequencesBegun : public ::testing::Test {
 protected:
  SequencesBegun() {
    rig.control.sequences = {{"score", "/etc/hild/score.yaml"}, {"load step", "load.yaml"}};
    rig.launch = [this](const Run::Launch& launch) { return launched(launch); };
  }
  void start() {
    rig.start();
    client.emplace(rig.socket());
  }
  /// What a process does from now on; its folder is the rig's.
  void does(const std::string& script) { script_ = "cd '" + rig.folder.path(".") + "'\n" + script; }
  void begin(const std::string& name = "score") {
    EXPECT_EQ(client->call("begin", {{"sequence", name}}), (json::object{{"sequence", name}}));
  }
  [[nodiscard]] json::value sequences(std::int64_t since = 0) {
    return client->call("sequences", {{"since", since}});
  }
  /// What is told of the one begun last, once this many of its steps have ended.
  json::value after(std::int64_t steps) {
    json::value told;
    EXPECT_TRUE(comes([&] {
      told = sequences().at("last");
      return told.at("ended") == steps;
    })) << told;
    return told;
  }
  /// Likewise once none runs any more.
  json::value at_its_end() {
    json::value told;
    EXPECT_TRUE(comes([&] {
      told = sequences();
      return told.at("running").is_null();
    })) << told;
    return told.at("last");
  }
  /// The words with which it ends, which are an error.
  std::string error_of(const std::string& script) {
    does(script);
    begin();
    const json::value last = at_its_end();
    EXPECT_EQ(last.at("is"), "error") << last;
    return std::string(last.at("words").as_string());
  }
  std::string refused(LineClient& by, std::string_view method, const json::object& params = {}) {
    return std::string(by.error(method, params).at("message").as_string());
  }
  void touch(const std::string& name) const { std::ofstream(rig.folder.path(name)) << "\n"; }
  [[nodiscard]] json::value topic() {
    const json::value status = client->call("status");
    for (const json::value& one : status.at("told").as_array()) {
      if (one.at("of") == "sequence") return one;
    }
    return nullptr;
  }

  ServerRig rig;
  std::optional<LineClient> client;
  std::vector<Run::Launch> launches;  ///< to be read when there is an answer
  pid_t pid = -1;                     ///< of the newest

 private:
  Result<Run::Launched> launched(const Run::Launch& launch) {
    launches.push_back(launch);
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    pid = ::fork();
    if (pid == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execl("/bin/sh", "sh", "-c", script_.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    return Run::Launched{pid, process_descriptor(pid), Descriptor(ends[0])};
  }

  std::string script_;
};

// Waits for a file of this name.
std::string waits(const std::string& name) {
  return "while [ ! -e " + name + " ]; do sleep 0.01; done\n";
}

TEST_F(SequencesBegun, AreToldStepByStep) {
  start();
  EXPECT_EQ(sequences(), R"({"sequences": [{"name": "score", "file": "/etc/hild/score.yaml"},
                                           {"name": "load step", "file": "load.yaml"}],
                             "running": null, "last": null})"_json);
  EXPECT_EQ(topic().at("is"), "none");
  does(prints(R"({"sequence":{"name":"a run","description":"of it","steps":2,"always":1}})") +
       prints(passed_step) + waits("go") + prints(failed_step) + waits("on") +
       prints(failed_outcome) + "exit 3\n");
  begin();
  EXPECT_EQ(launches.at(0).file, "/etc/hild/score.yaml");
  EXPECT_EQ(launches.at(0).socket, rig.socket());
  EXPECT_EQ(launches.at(0).owner, "");
  json::value last = after(1);
  EXPECT_EQ(sequences().at("running"), "score");
  EXPECT_EQ(last.at("is"), "running");
  EXPECT_EQ(last.at("name"), "a run");
  EXPECT_EQ(last.at("of_steps"), 2);
  EXPECT_EQ(last.at("of_always"), 1);
  EXPECT_EQ(last.at("steps"), R"([{"number": 0, "name": "first", "does": "mark", "line": 3,
      "always": false, "result": "passed", "start_s": 0, "end_s": 0.5}])"_json);
  EXPECT_EQ(topic(), R"({"of": "sequence", "is": "running", "level": "note",
                         "words": "running: score"})"_json);
  EXPECT_THAT(refused(*client, "begin", {{"sequence", "load step"}}),
              AllOf(HasSubstr("\"score\" runs"), HasSubstr("hildctl cease")));
  touch("go");
  after(2);
  const json::value later = sequences(1).at("last").at("steps");
  ASSERT_EQ(later.as_array().size(), 1U);
  EXPECT_EQ(later.at(0).at("message"), "it was 7");
  touch("on");
  last = at_its_end();
  EXPECT_EQ(last.at("is"), "failed");
  EXPECT_EQ(last.at("words"), "failed: score: 1 passed, 1 failed");
  EXPECT_EQ(last.at("steps").as_array().size(), 2U);
  EXPECT_EQ(topic().at("words"), "failed: score: 1 passed, 1 failed");
  rig.end();
  EXPECT_THAT(rig.log, ::testing::Contains("sequence: failed: score: 1 passed, 1 failed"));
}

TEST_F(SequencesBegun, OneAfterTheOther) {
  start();
  does(prints(passed_step) +
       prints(R"({"outcome":{"result":"passed","passed":1,"failed":0,"errors":0,"skipped":0}})"));
  begin();
  EXPECT_EQ(at_its_end().at("words"), "passed: score: 1 passed");
  EXPECT_EQ(topic().at("level"), "quiet");
  begin("load step");
  const json::value last = at_its_end();
  EXPECT_EQ(last.at("turn"), 2);
  EXPECT_EQ(last.at("sequence"), "load step");
  EXPECT_EQ(last.at("steps").at(0).at("number"), 0);
}

TEST_F(SequencesBegun, AreRefusedInWords) {
  start();
  does("exit 0");
  EXPECT_THAT(refused(*client, "begin", {{"sequence", "scores"}}),
              AllOf(HasSubstr("no sequence \"scores\""), HasSubstr("did you mean \"score\"?")));
  EXPECT_EQ(client->error("begin").at("code"), -32602);
  EXPECT_EQ(client->error("begin", {{"sequence", "score"}, {"file", "/x"}}).at("code"), -32602);
  EXPECT_THAT(refused(*client, "cease"), HasSubstr("no sequence runs"));
  EXPECT_EQ(client->error("sequences", {{"since", -1}}).at("code"), -32602);
  EXPECT_EQ(launches.size(), 0U);
}

TEST_F(SequencesBegun, NeedAConfigurationThatHasThem) {
  rig.control.sequences.clear();
  start();
  EXPECT_THAT(refused(*client, "begin", {{"sequence", "score"}}), HasSubstr("control.sequences"));
}

TEST_F(SequencesBegun, ThatCannotBeStartedAreRefused) {
  rig.launch = [](const Run::Launch&) -> Result<Run::Launched> {
    return fail("no more processes");
  };
  start();
  EXPECT_THAT(refused(*client, "begin", {{"sequence", "score"}}),
              AllOf(HasSubstr("\"score\" cannot be begun"), HasSubstr("no more processes")));
  EXPECT_EQ(sequences().at("last"), nullptr);
}

TEST_F(SequencesBegun, AreOfWhoMayWrite) {
  rig.control.writing = false;
  start();
  EXPECT_EQ(client->error("begin", {{"sequence", "score"}}).at("code"), -32001);
  EXPECT_EQ(client->error("cease").at("code"), -32001);
  EXPECT_EQ(sequences().at("running"), nullptr);
}

TEST_F(SequencesBegun, AreOfTheRolesThatHaveTheRight) {
  const auto role = [&](const std::string& name, std::vector<config::Role::Right> may) {
    config::Role one;
    one.name = name;
    one.socket = rig.folder.path(name);
    one.may = std::move(may);
    rig.control.roles.push_back(one);
  };
  role("some", {{"begin", {"score"}}});
  role("all", {{"begin", {}}});
  role("none", {{"mark", {}}});
  start();
  does("exec sleep 1000\n");
  LineClient some(rig.folder.path("some"));
  LineClient all(rig.folder.path("all"));
  LineClient none(rig.folder.path("none"));
  EXPECT_EQ(some.call("rights").at("may"), R"({"begin": ["score"]})"_json);
  EXPECT_EQ(all.call("rights").at("may"), R"({"begin": "all"})"_json);
  EXPECT_THAT(refused(none, "begin", {{"sequence", "score"}}),
              AllOf(HasSubstr("the role none may not"), HasSubstr("mark anything")));
  EXPECT_THAT(refused(some, "begin", {{"sequence", "load step"}}),
              AllOf(HasSubstr("begin load step: the role some may not"), HasSubstr("begin score")));
  EXPECT_EQ(launches.size(), 0U);
  all.call("begin", {{"sequence", "load step"}});
  EXPECT_THAT(refused(some, "cease"), HasSubstr("begin load step: the role some may not"));
  EXPECT_THAT(refused(none, "cease"), HasSubstr("the role none may not"));
  all.call("cease");
  at_its_end();
  some.call("begin", {{"sequence", "score"}});
  some.call("cease");
  at_its_end();
}

TEST_F(SequencesBegun, AreNotOfWhoHasNoControlWhereAnotherHasIt) {
  start();
  does("exec sleep 1000\n");
  LineClient owner(rig.socket());
  owner.call("take", {{"owner", "alice"}});
  EXPECT_EQ(client->error("begin", {{"sequence", "score"}}).at("code"), -32005);
  // Its owner lets go of it, for the sequence to take.
  owner.call("begin", {{"sequence", "score"}});
  EXPECT_EQ(client->call("status").at("control"), nullptr);
  EXPECT_EQ(launches.at(0).owner, "");
  // Whoever has control by then: it can be ended.
  owner.call("take", {{"owner", "sequence"}});
  client->call("cease");
  at_its_end();
}

TEST_F(SequencesBegun, AreLentControlThatStays) {
  start();
  does("exit 0");
  client->call("take", {{"owner", "alice"}, {"stays", true}});
  begin();
  EXPECT_EQ(launches.at(0).owner, "alice");
  EXPECT_EQ(client->call("status").at("control").at("owner"), "alice");
  at_its_end();
}

// ---- what a process may do wrong ----

TEST_F(SequencesBegun, ThatAreKilledAreToldSo) {
  start();
  EXPECT_THAT(error_of(prints(passed_step) + "kill -9 $$\n"),
              AllOf(StartsWith("error: score: its process was ended by signal 9"),
                    HasSubstr("told no outcome"), HasSubstr("nobody took its steps `always`")));
}

TEST_F(SequencesBegun, ThatEndWithoutAnOutcomeAreToldSo) {
  start();
  EXPECT_THAT(error_of("exit 5\n"), AllOf(HasSubstr("ended, exit code 5, and told no outcome"),
                                          Not(HasSubstr("always"))));
  EXPECT_THAT(
      error_of(prints(R"({"error":{"kind":"usage","message":"s.yaml:3: no such"}})") + "exit 1\n"),
      HasSubstr("error: score: s.yaml:3: no such"));
}

TEST_F(SequencesBegun, ThatWriteNonsenseAreToldSoInPlainText) {
  start();
  const std::string words = error_of("printf '\\377\\033[31m{]\\n'\n" + prints(R"({"step":7})") +
                                     prints("[1, 2]") + "printf 'terminate \\033[2J called'\n");
  EXPECT_THAT(words, HasSubstr("it said: terminate  [2J called"));
  EXPECT_EQ(sequences().at("last").at("ended"), 0);
}

TEST_F(SequencesBegun, WithStrangeFieldsAreShownAsFarAsTheyGo) {
  start();
  does(prints(R"({"step":{"name":"a\u001b\nb","line":"x","result":"perhaps","end_s":null,)"
              R"("message":[1]}})"));
  begin();
  const json::value step = at_its_end().at("steps").at(0);
  EXPECT_EQ(step, R"({"number": 0, "name": "a  b", "does": "", "line": 0, "always": false,
                      "result": "error", "start_s": 0, "end_s": 0})"_json);
}

TEST_F(SequencesBegun, ThatWriteOneLineWithoutEndAreKilled) {
  start();
  EXPECT_THAT(error_of("head -c 100000 /dev/zero | tr '\\0' a; exec sleep 1000\n"),
              HasSubstr("its process was killed: it wrote a line of more than 64 KiB"));
}

TEST_F(SequencesBegun, ThatFloodAreKilledAndOthersAreServedMeanwhile) {
  start();
  const std::string filler(2000, 'x');
  does("exec yes '{\"step\":{\"name\":\"" + filler + "\",\"result\":\"failed\"}}'\n");
  begin();
  const json::value last = at_its_end();
  EXPECT_EQ(last.at("words"),
            "error: score: its process was killed: it wrote more than 16 MiB; what it changed "
            "stays, as nobody took its steps `always`");
  EXPECT_EQ(last.at("steps").as_array().size(), 500U);
  EXPECT_GT(last.at("left_out").as_int64(), 5000);
  EXPECT_EQ(last.at("steps").at(0).at("name"), json::value(std::string(200, 'x') + "…"));
}

TEST_F(SequencesBegun, ThatCloseTheirOutputAndStayAreKilled) {
  start();
  EXPECT_THAT(error_of("exec sleep 1000 >/dev/null\n"),
              HasSubstr("killed: it closed its output and did not end"));
}

// Those that passed go first, and those that were skipped are counted alone.
TEST_F(SequencesBegun, OfManyStepsAreKeptThoseThatTellMost) {
  start();
  const auto many = [](int count, const std::string& result) {
    return "i=0; while [ $i -lt " + std::to_string(count) +
           " ]; do echo '{\"step\":{\"result\":\"" + result + "\"}}'; i=$((i+1)); done\n";
  };
  does(many(600, "passed") + prints(failed_step) + many(300, "skipped") + prints(failed_outcome));
  begin();
  const json::value last = at_its_end();
  EXPECT_EQ(last.at("ended"), 901);
  EXPECT_EQ(last.at("left_out"), 401);
  const json::array& steps = last.at("steps").as_array();
  ASSERT_EQ(steps.size(), 500U);
  EXPECT_EQ(steps.front().at("number"), 101);
  EXPECT_EQ(steps.back().at("number"), 600);
  EXPECT_EQ(sequences(600).at("last").at("steps").as_array().size(), 1U);
}

// ---- their end ----

TEST_F(SequencesBegun, EndAsTheyAreAskedTo) {
  start();
  does("finish() {\n" + prints(failed_step) + waits("go") + prints(failed_outcome) +
       "exit 1\n}\ntrap finish INT\n" + prints(passed_step) + "while :; do sleep 0.01; done\n");
  begin();
  after(1);
  EXPECT_EQ(client->call("cease"), (json::object{{"sequence", "score"}}));
  after(2);
  EXPECT_EQ(topic().at("is"), "ending");
  EXPECT_THAT(refused(*client, "begin", {{"sequence", "score"}}), HasSubstr("runs"));
  touch("go");
  EXPECT_EQ(at_its_end().at("is"), "failed");
}

TEST_F(SequencesBegun, EndBeforeTheirFirstStepToo) {
  start();
  does("exec sleep 1000\n");
  begin();
  client->call("cease");
  EXPECT_THAT(at_its_end().at("words").as_string().c_str(),
              HasSubstr("ended as asked for, before its first step"));
}

TEST_F(SequencesBegun, EndWithTheRun) {
  start();
  does("trap '' INT\n" + prints(passed_step) + "while :; do sleep 0.1; done\n");
  begin();
  after(1);
  EXPECT_EQ(::kill(pid, 0), 0);
  rig.end();
  EXPECT_EQ(::kill(pid, 0), -1) << "it is dead, and was waited for";
}

}  // namespace
}  // namespace hild::testing
