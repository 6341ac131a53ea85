// SPDX-License-Identifier: Apache-2.0
/// \file
/// A held run goes back to a recorded step, and on from there: as the same process, disarmed, into
/// a recording that is a branch of the first; and what cannot be gone back to ends nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cmath>
#include <csignal>
#include <optional>
#include <sstream>

#include "cli/main/call.hpp"
#include "cli/main/motor.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// The motor at a voltage that goes to and fro, served and recorded.
struct RecordedRun {
  /// `more` is of the device that the voltage comes from.
  explicit RecordedRun(const std::string& more = "") {
    std::string text = motor.text();
    const auto replace = [&text](const std::string& what, const std::string& by) {
      text.replace(text.find(what), what.size(), by);
    };
    replace("{constant: 5 V}", "{sine: {amplitude: 5 V, frequency: 0.4 Hz}}");
    replace("image: " + motor.rig, "image: " + motor.rig + more);
    file =
        motor.folder.file("served.yaml", text + "control: {socket: " + socket +
                                             "}\nrecord: {file: " + log + ", keyframes: 200 ms}\n");
    program.emplace(std::vector<std::string>{"run", file});
  }
  /// What is answered, by whoever listens there.
  [[nodiscard]] std::optional<json::value> ask(const std::string& method,
                                               const std::string& params = "{}") const {
    boost::asio::local::stream_protocol::iostream stream;
    stream.expires_after(std::chrono::seconds(90));
    stream.connect(boost::asio::local::stream_protocol::endpoint(socket));
    stream << R"({"jsonrpc": "2.0", "id": 1, "method": ")" << method << R"(", "params": )" << params
           << "}" << std::endl;
    std::string line;
    if (!std::getline(stream, line)) return std::nullopt;
    return json::parse(line);
  }
  /// Until it is what `wanted` says of a status.
  template <class Wanted>
  json::value await(Wanted wanted) const {
    for (int tries = 0; tries < 30'000; ++tries) {
      const auto answer = ask("status");
      if (answer && answer->as_object().contains("result") && wanted(answer->at("result"))) {
        return answer->at("result");
      }
      const bool refused = answer && answer->as_object().contains("result") &&
                           answer->at("result").at("rewinding").is_object() &&
                           answer->at("result").at("rewinding").at("error").is_string();
      if (program->ended() || refused) {
        ADD_FAILURE() << (answer ? json::serialize(answer->at("result").at("rewinding")) : "");
        return json::object{};
      }
      ::usleep(3000);
    }
    ADD_FAILURE() << "never came about";
    return json::object{};
  }
  static double time(const json::value& status) {
    return status.at("sim_time_s").to_number<double>();
  }
  json::value await_time(double t) const {
    return await([&](const json::value& s) { return time(s) >= t; });
  }
  /// Held where it went back to.
  json::value await_held(double t) const {
    return await([&](const json::value& s) {
      return s.at("state") == "frozen" && std::abs(time(s) - t) < 1e-6;
    });
  }
  json::value done(const std::string& method, const std::string& params = "{}") const {
    const auto answer = ask(method, params);
    if (!answer || !answer->as_object().contains("result")) {
      ADD_FAILURE() << method << ": " << (answer ? json::serialize(*answer) : "nothing");
      return json::object{};
    }
    return answer->at("result");
  }
  std::string refused(const std::string& method, const std::string& params) const {
    const auto answer = ask(method, params);
    if (!answer || !answer->as_object().contains("error")) return "it is not refused";
    return std::string(answer->at("error").at("message").as_string());
  }
  /// Holds it and goes back.
  json::value go_back_to(double t) const {
    done("freeze");
    done("rewind", fmt::format(R"({{"to_s": {:.2f}}})", t));
    return await_held(t);
  }
  /// Plays a line from `begin` to `end` over 100 s in the place of the input; tells since when.
  double play(double begin, double end) const {
    const json::value begun = done(
        "stimulate",
        fmt::format(R"({{"input": "armature_voltage", "shape": "playback", "replace": true, )"
                    R"("amplitude": 1, "table": {{"times_s": [0, 100], "values": [{}, {}]}}}})",
                    begin, end));
    return begun.at("time_s").to_number<double>();
  }
  double inertia() const {
    const json::value list = done("list");
    for (const json::value& one : list.at("parameters").as_array()) {
      if (one.at("name") == "inertia") return one.at("value").to_number<double>();
    }
    return std::nan("");
  }

  Motor motor;
  std::string socket = motor.folder.path("control.sock");
  std::string log = motor.folder.path("run.mcap");
  std::string branch = motor.folder.path("run-0001.mcap");
  std::string file;
  mutable std::optional<Program> program;
};

/// What was recorded of a signal in the step that ends then.
double recorded(const std::string& log, const std::string& signal, double time) {
  const Ended rows = hild({"export", log, "--signals", signal});
  EXPECT_EQ(rows.code, 0) << rows.err;
  std::istringstream lines(rows.out);
  std::string line;
  double nearest = std::nan("");
  while (std::getline(lines, line)) {
    std::istringstream row(line);
    double t = 0;
    char comma = 0;
    double value = 0;
    if (row >> t >> comma >> value && std::abs(t - time) < 1e-6) nearest = value;
  }
  return nearest;
}

TEST(Rewind, AHeldRunGoesBackAndOnFromThere) {
  const RecordedRun run;
  run.await_time(1.0);
  const double was = run.inertia();
  run.done("set", R"({"values": {"inertia": 4e-4}})");
  run.await_time(2.0);
  run.done("freeze");
  run.done("rewind", R"({"to_s": 0.75})");
  const json::value held = run.await_held(0.75);
  EXPECT_EQ(held.at("armed"), false);
  EXPECT_EQ(held.at("pid").to_number<int>(), run.program->pid()) << "it is the same process";
  EXPECT_EQ(run.inertia(), was) << "what was changed later is not changed";
  EXPECT_NE(was, 4e-4);
  const json::value values = run.done("get", R"({"names": ["shaft_speed"]})");
  const double expected = recorded(run.log, "outputs.shaft_speed", 0.75);
  ASSERT_FALSE(std::isnan(expected));
  EXPECT_DOUBLE_EQ(values.at("values").at("shaft_speed").to_number<double>(), expected);

  run.done("resume");
  run.await_time(1.5);
  run.done("stop");
  const Ended ended = run.program->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  const Ended first = hild({"replay", run.log});
  EXPECT_EQ(first.code, 0) << first.out << first.err;
  const Ended second = hild({"replay", run.branch});
  EXPECT_EQ(second.code, 0) << second.out << second.err;
  EXPECT_THAT(second.out, HasSubstr("is the recorded one, to the bit"));
  const json::value log = json::parse(hild({"log", run.branch, "--json"}).out);
  EXPECT_EQ(log.at("branch").at("of"), json::string(run.log));
  EXPECT_EQ(log.at("branch").at("frame"), 75);
}

TEST(Rewind, WhatWasInForceThenIsInForceAndTold) {
  const RecordedRun run;
  run.await_time(0.2);
  const json::value stuck =
      run.done("override", R"({"signal": "armature_voltage", "kind": "stuck", "value": 2})");
  const double since = stuck.at("time_s").to_number<double>();
  run.await_time(since + 0.7);
  run.done("release", R"({"signal": "armature_voltage"})");
  run.await_time(since + 1.0);
  const json::value held = run.go_back_to(since + 0.2);
  ASSERT_EQ(held.at("overrides").as_array().size(), 1U);
  EXPECT_EQ(held.at("overrides").at(0).at("signal"), "armature_voltage");
  // And from the branch likewise, which has what was changed before it.
  run.done("resume");
  run.await_time(since + 0.9);
  EXPECT_EQ(run.go_back_to(since + 0.5).at("overrides").as_array().size(), 1U);
}

// Of a table that was lent to the run before.
TEST(Rewind, APlaybackPlaysOn) {
  const RecordedRun run;
  run.await_time(0.2);
  const double since = run.play(0, 100);
  run.await_time(since + 0.7);
  run.done("quiet", R"({"input": "armature_voltage"})");
  run.await_time(since + 0.9);
  ASSERT_EQ(run.go_back_to(since + 0.3).at("stimuli").as_array().size(), 1U);
  run.done("resume");
  run.await_time(since + 0.6);
  // Another one, whose number is not that of the one before, which is let go of meanwhile.
  const double then = run.play(7, 7);
  run.await_time(then + 0.3);
  run.done("freeze");
  run.done("stop");
  EXPECT_EQ(run.program->wait().code, 0);
  const double later = since + 0.5;
  // The table is read at the start of the step that ends there, or within it.
  EXPECT_NEAR(recorded(run.branch, "inputs.armature_voltage", later), later - since, 0.0101);
  EXPECT_EQ(recorded(run.branch, "inputs.armature_voltage", then + 0.2), 7);
}

TEST(Rewind, WhatCannotBeGoneBackToEndsNothing) {
  const RecordedRun run;
  run.await_time(0.5);
  EXPECT_THAT(run.refused("rewind", R"({"by_s": 0.2})"), HasSubstr("the plant runs: `freeze` it"));
  run.done("freeze");
  EXPECT_THAT(run.refused("rewind", "{}"), HasSubstr("either by_s or to_s"));
  EXPECT_THAT(run.refused("rewind", R"({"to_s": 100})"), HasSubstr("found 100.000000 s"));
  EXPECT_THAT(run.refused("rewind", R"({"by_s": 100})"), HasSubstr("expected a time from 0 s"));
  // A configuration that makes other steps now.
  std::string text = read_file(run.file);
  text.replace(text.find("rtam-2"), 6, "rk-4");
  static_cast<void>(run.motor.folder.file("served.yaml", text));
  run.done("rewind", R"({"to_s": 0.3})");
  const json::value status = run.await([](const json::value& s) {
    return s.at("rewinding").is_object() && s.at("rewinding").at("error").is_string();
  });
  EXPECT_EQ(status.at("rewinding").at("looking"), false);
  EXPECT_EQ(status.at("state"), "frozen");
  run.done("stop");
  EXPECT_EQ(run.program->wait().code, 0);
}

TEST(Rewind, NothingIsGoneBackToThatIsNotRecorded) {
  const RecordedRun run;
  run.await_time(0.3);
  run.done("unrecord");
  run.done("freeze");
  EXPECT_THAT(run.refused("rewind", R"({"by_s": 0.1})"), HasSubstr("nothing is recorded"));
}

TEST(Rewind, ADeviceThatGoesOnIsNotTakenBack) {
  const RecordedRun run(", autonomous: {rate: 500 Hz}");
  run.await_time(0.5);
  run.done("freeze");
  EXPECT_THAT(run.refused("rewind", R"({"by_s": 0.2})"),
              testing::AllOf(HasSubstr("input armature_voltage comes from device rig: it converts"),
                             HasSubstr("hild replay"), HasSubstr(run.log)));
}

}  // namespace
}  // namespace hild::test
