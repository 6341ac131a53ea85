// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recordings of several nodes together: of three that run beside one another over DDS, and what is
/// said of recordings that do not belong together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/main/call.hpp"
#include "cli/main/motor.hpp"
#include "drivers/dds_rig.hpp"
#include "recording/framelog/frame_log.hpp"
#include "recording/framelog/reader.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

/// A motor on a voltage of its own sends its speed to a meter, in other units, and to a brake,
/// whose outputs stay disarmed: it sends the motor safe values.
struct ThreeNodes {
  Folder folder;
  std::string system = own_system();
  std::string file = folder.file("three.yaml", text());

  [[nodiscard]] std::string text() const {
    return "frame: {period: 5 ms, priority: 0, align: tai}\n"
           "model: {type: dc-motor}\n"
           "integrator: {method: rtam-2}\n"
           "overrun: {policy: double, then: continue, standstill: 60 s}\n"
           "safety: {within: 10 s}\n"
           "devices: {net: {driver: dds, domain: " +
           own_domain() + ", system: " + system +
           ", min_age: 2.5 ms, max_latency: 60 s, on_loss: hold}}\n"
           "nodes:\n"
           "  motor:\n" +
           own("motor") +
           "    inputs:\n"
           "      armature_voltage: {value: 12 V}\n"
           "      load_torque: {device: net, node: brake, signal: torque, unit: N m}\n"
           "    outputs:\n"
           "      shaft_speed: {device: net, signal: speed, unit: rad/s, safe: 0 rad/s}\n"
           "      current: {device: net, signal: current, unit: A, scale: 3 A/A, safe: 0 A}\n"
           "  meter:\n" +
           own("meter") +
           "    inputs:\n"
           "      armature_voltage:\n"
           "        {device: net, node: motor, signal: speed, unit: rpm, scale: 0.001 V/rpm}\n"
           "      load_torque:\n"
           "        {device: net, node: motor, signal: current, unit: mA, scale: 1e-9 N m/mA}\n"
           "  brake:\n" +
           own("brake") +
           "    inputs:\n"
           "      armature_voltage:\n"
           "        {device: net, node: motor, signal: speed, unit: rad/s, scale: 0.01 V s/rad}\n"
           "    outputs:\n"
           "      shaft_speed:\n"
           "        {device: net, signal: torque, unit: N m, scale: 1e4 rad/s/(N m), safe: 1e-3 N "
           "m}\n";
  }
  [[nodiscard]] std::string own(const std::string& node) const {
    return "    devices: {net: {node: " + node + "}}\n    record: {file: " + log(node) +
           "}\n    control: {socket: " + socket(node) + "}\n";
  }
  [[nodiscard]] std::string log(const std::string& node) const {
    return folder.path(node + ".mcap");
  }
  [[nodiscard]] std::string socket(const std::string& node) const {
    return folder.path(node + ".sock");
  }

  /// Runs all of them until each has received so many samples.
  void run(std::int64_t samples) const {
    std::vector<std::unique_ptr<Program>> programs;
    programs.reserve(nodes.size());
    for (const std::string& node : nodes) {
      std::vector<std::string> arguments{"run", file, "--node", node};
      if (node == "motor") arguments.emplace_back("--arm");
      programs.push_back(std::make_unique<Program>(arguments));
      ASSERT_TRUE(programs.back()->says("control: unix")) << programs.back()->wait().err;
    }
    for (const std::string& node : nodes) {
      ASSERT_TRUE(comes_true([&] {
        const json::value status = call(socket(node), "status");
        return status.at_pointer("/result/devices/net/received").to_number<std::int64_t>() >=
               samples;
      })) << node;
    }
    for (const auto& program : programs) program->signal(SIGTERM);
    for (const auto& program : programs) {
      EXPECT_TRUE(ended_well(program->wait()));
    }
  }
  [[nodiscard]] std::vector<std::string> join(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"log", "--join", log("motor"), log("meter"), log("brake")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  const std::vector<std::string> nodes{"motor", "meter", "brake"};
};

/// Writes a recording anew, and adds to the first input in the image of one step: the first one
/// that begins at a frame or later, and by which something had come.
class Altering final : public framelog::LogVisitor {
 public:
  Altering(std::string to, std::int64_t from, double add)
      : to_(std::move(to)), from_(from), add_(add) {}

  void begin(const framelog::LogHead& head) override {
    layout_ = head.frame_layout;
    config::Record settings;
    settings.file = to_;
    settings.inputs.assign(layout_.inputs(), true);
    settings.outputs.assign(layout_.outputs(), true);
    settings.states.assign(layout_.states(), true);
    framelog::Description description = head.description;
    description.signals = head.frame_signals;
    framelog::LogOptions options;
    options.wait = true;
    auto output = mcap::FileOutput::create(to_, mcap::FileOutput::Existing::refuse);
    log_ = *framelog::FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)),
                                       description, layout_, settings, std::move(options));
  }
  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::frame;
  }
  void frame(const io::FrameView& record) override {
    std::vector<std::uint64_t> memory(layout_.bytes() / 8 + 1);
    std::memcpy(memory.data(), &record.header(), layout_.bytes());
    const io::FrameView copy(layout_, reinterpret_cast<const std::byte*>(memory.data()));
    const MonoTime made = record.instants(record.tick_image()).front();  // a year ago: by nobody
    if (altered < 0 && record.header().frame >= from_ && made + 1'000'000_s > record.header().due) {
      altered = record.header().frame;
      const_cast<double&>(copy.image(copy.tick_image())[0]) += add_;  // NOLINT: it is of `memory`
    }
    log_->frame(copy);
  }
  void end() { log_->flush(); }

  std::int64_t altered = -1;  ///< the frame

 private:
  std::string to_;
  std::int64_t from_;
  double add_;
  io::FrameLayout layout_;
  std::unique_ptr<framelog::FrameLog> log_;
};

TEST(Joined, WhatNodesReceivedIsWhatTheySent) {
  const ThreeNodes three;
  ASSERT_NO_FATAL_FAILURE(three.run(150));
  const std::string timeline = three.folder.path("t.json");
  const Ended joined = hild(three.join({"--json", "--trace", timeline}));
  EXPECT_EQ(joined.code, 0) << joined.err << joined.out;
  const json::value answer = json::parse(joined.out);
  EXPECT_EQ(answer.at("same"), true);
  EXPECT_EQ(answer.at("nodes").as_array().size(), 3U);
  ASSERT_EQ(answer.at("links").as_array().size(), 4U);
  std::vector<std::string> links;
  for (const json::value& link : answer.at("links").as_array()) {
    links.push_back(json::value_to<std::string>(link.at("from")) + " -> " +
                    json::value_to<std::string>(link.at("to")));
    EXPECT_GE(link.at("received").to_number<int>(), 50) << link;
    EXPECT_EQ(link.at("out_of_order"), 0) << link;
    EXPECT_GT(link.at_pointer("/age_s/max").to_number<double>(), 0) << link;
  }
  EXPECT_THAT(links, testing::UnorderedElementsAre("brake.shaft_speed -> motor.load_torque",
                                                   "motor.shaft_speed -> meter.armature_voltage",
                                                   "motor.current -> meter.load_torque",
                                                   "motor.shaft_speed -> brake.armature_voltage"));
  const json::value trace = json::parse(read_file(timeline));
  std::vector<std::string> processes;
  for (const json::value& event : trace.at("traceEvents").as_array()) {
    if (event.at("name") != "process_name") continue;
    processes.push_back(json::value_to<std::string>(event.at_pointer("/args/name")));
  }
  EXPECT_THAT(processes,
              testing::ElementsAre("motor: dc-motor", "meter: dc-motor", "brake: dc-motor"));
  const Ended shown = hild(three.join());
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("What was received is what was sent, to the bit."));
  const Ended again =
      hild({"replay", "--join", three.log("motor"), three.log("meter"), three.log("brake")});
  EXPECT_EQ(again.code, 0) << again.err << again.out;
  EXPECT_THAT(again.out, HasSubstr("All nodes do what they did, together."));

  const std::string other = three.folder.path("other.mcap");
  auto source = mcap::FileSource::open(three.log("meter"));
  ASSERT_TRUE(source);
  Altering altering(other, 120, 0.25);
  ASSERT_TRUE(framelog::read_log(*source, altering));
  altering.end();
  const Ended differs = hild({"log", "--join", three.log("motor"), other});
  EXPECT_EQ(differs.code, 2) << differs.out;
  EXPECT_THAT(differs.out, HasSubstr("The first difference: meter.armature_voltage received"));
  EXPECT_THAT(differs.out, HasSubstr("frame " + std::to_string(altering.altered) + ", at"));
  EXPECT_THAT(differs.out, Not(HasSubstr("to the bit")));

  const Ended replayed = hild({"replay", "--join", three.log("motor"), other, "--json"});
  EXPECT_EQ(replayed.code, 2) << replayed.err;
  const json::value differing = json::parse(replayed.out);
  EXPECT_EQ(differing.at("same"), false);
  EXPECT_EQ(differing.at_pointer("/nodes/0/replay/same"), true);
  EXPECT_EQ(differing.at_pointer("/nodes/1/replay/first/frame"), altering.altered);
  EXPECT_THAT(json::value_to<std::string>(differing.at_pointer("/first_difference/what")),
              HasSubstr("frame " + std::to_string(altering.altered) + ":"));

  const Ended same_node = hild({"log", "--join", other, three.log("meter")});
  EXPECT_EQ(same_node.code, 1);
  EXPECT_THAT(same_node.err, HasSubstr("both are of node meter"));
}

TEST(Joined, MistakesAreToldWithWhatToDo) {
  const Motor motor;
  const std::string log = motor.folder.path("run.mcap");
  ASSERT_EQ(
      hild({"run", motor.file, "--offline", "--duration", "0.1", "--set", "record.file=" + log})
          .code,
      0);
  const std::string text = motor.folder.file("text.mcap", "no recording");
  const auto said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "log");
    const Ended ended = hild(std::move(arguments));
    EXPECT_EQ(ended.code, 1);
    return ended.err;
  };
  EXPECT_THAT(said({"--join", text, log}), HasSubstr("text.mcap: "));
  EXPECT_THAT(said({"--join", log, log}), HasSubstr("run.mcap: it is of an offline run"));
  EXPECT_THAT(said({log, log}), HasSubstr("found 2 recordings, expected one; `--join` takes"));
  EXPECT_THAT(said({"--join", log, "--from", "1"}), HasSubstr("--join takes all of each"));
  EXPECT_THAT(said({"--join", log, "--recover", "x"}), HasSubstr("expected one of them"));
  const auto replay_said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "replay");
    const Ended ended = hild(std::move(arguments));
    EXPECT_EQ(ended.code, 1);
    return ended.err;
  };
  EXPECT_THAT(replay_said({log, log}), HasSubstr("found 2 recordings, expected one; `--join`"));
  EXPECT_THAT(replay_said({"--join", log, "--from", "1"}), HasSubstr("takes all of each"));
  EXPECT_THAT(replay_said({"--join", log, log}), HasSubstr("run.mcap: it is of an offline run"));
}

}  // namespace
}  // namespace hild::test
