// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model that does what a model must not, in a run as a user starts it: whatever it is, the
/// outputs become safe, and the run is over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <csignal>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

constexpr double driven = 5;  // V, what the model puts out until told to misbehave
constexpr double safe = -3;
constexpr double step_of_the_line = 20.0 / 65535;

struct ModelFault {
  const char* name;
  int number;  ///< its parameter `fault`, as in plugin/objects/misbehaving.cpp
  int code;    ///< of the run
};

void PrintTo(const ModelFault& fault, std::ostream* to) { *to << fault.name; }

/// Whether the line comes to carry `volts`; only a test that cannot succeed waits for long.
bool reaches(const std::string& image, double volts) {
  for (int tries = 0; tries < 6000; ++tries, ::usleep(5000)) {
    const auto now = voltages(image);
    if (now && std::abs(now->front() - volts) <= step_of_the_line) return true;
  }
  return false;
}

class AModel : public testing::TestWithParam<ModelFault> {};

TEST_P(AModel, ThatMisbehavesLeavesSafeOutputs) {
  Folder folder;
  const std::string image = folder.image();
  const std::string socket = folder.path("control.sock");
  const std::string file =
      folder.file("run.yaml",
                  "frame: {period: 10 ms, clock: sleep, priority: 80}\n"
                  "model: {plugin: " HILD_PLUGINS
                  "/misbehaving.so}\n"
                  "integrator: {method: rtam-2}\n"
                  "devices: {rig: {driver: sim, image: " +
                      image +
                      "}}\n"
                      "outputs: {y: {device: rig, channel: 0, safe: -3 V}}\n"
                      "overrun: {policy: double, then: continue, standstill: 60 s}\n"
                      "control: {socket: " +
                      socket + "}\n");
  Program run({"run", file});
  ASSERT_TRUE(reaches(image, driven));
  boost::asio::local::stream_protocol::iostream stream;
  stream.connect(boost::asio::local::stream_protocol::endpoint(socket));
  // Nobody waits for the answer: there may be none.
  stream << R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"fault": )"
         << GetParam().number << "}}}" << std::endl;
  EXPECT_TRUE(reaches(image, safe));
  const Ended ended = run.wait();
  // A sanitizer has an end of its own for want of memory.
  const bool own_end = HILD_HEAP_TRAP == 0 && GetParam().name == std::string_view("OutOfMemory");
  EXPECT_TRUE(own_end || ended.code == GetParam().code) << ended.code << ended.err;
  EXPECT_TRUE(run.says("every output has taken its safe action"));
  EXPECT_TRUE(reaches(image, safe)) << "and they stay so";
}

INSTANTIATE_TEST_SUITE_P(Fault, AModel,
                         testing::Values(ModelFault{"SegmentationFault", 1, 128 + SIGSEGV},
                                         ModelFault{"Abort", 2, 128 + SIGABRT},
                                         ModelFault{"ExitAtOnce", 3, 2},
                                         ModelFault{"EndlessLoop", 4, 128 + SIGKILL},
                                         ModelFault{"EndlessSleep", 5, 128 + SIGKILL},
                                         ModelFault{"StackOverflow", 6, 128 + SIGSEGV},
                                         ModelFault{"OutOfMemory", 7, 128 + SIGABRT},
                                         ModelFault{"Exit", 9, 2}, ModelFault{"QuickExit", 10, 2}),
                         [](const auto& fault) { return std::string(fault.param.name); });

// Whether its process ends by itself is then the run's to see to: the thread never does.
TEST(AModelOnAWorker, ThatDoesNotReturnEndsTheRunWithSafeOutputs) {
  Folder folder;
  const std::string image = folder.image();
  const std::string socket = folder.path("control.sock");
  const std::string recording = folder.path("run.mcap");
  const std::string file =
      folder.file("run.yaml",
                  "frame: {period: 10 ms, clock: sleep, priority: 0}\n"
                  "models:\n"
                  "  other: {type: dc-motor, integrator: {method: rtam-2}}\n"
                  "  bad: {plugin: " HILD_PLUGINS
                  "/misbehaving.so, integrator: {method: rtam-2}, cpu: 0}\n"
                  "devices: {rig: {driver: sim, image: " +
                      image +
                      "}}\n"
                      "outputs: {bad.y: {device: rig, channel: 0, safe: -3 V}}\n"
                      "overrun: {policy: double, then: continue, standstill: 2 s}\n"
                      "record: {file: " +
                      recording +
                      "}\n"
                      "control: {socket: " +
                      socket + "}\n");
  Program run({"run", file});
  ASSERT_TRUE(reaches(image, driven));
  boost::asio::local::stream_protocol::iostream stream;
  stream.connect(boost::asio::local::stream_protocol::endpoint(socket));
  stream
      << R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"bad.fault": 11}}})"
      << std::endl;
  EXPECT_TRUE(reaches(image, safe));
  const Ended ended = run.wait();
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.out, testing::HasSubstr("model `bad` did not return on its CPU"));
  EXPECT_TRUE(reaches(image, safe)) << "and they stay so";
  EXPECT_THAT(hild({"log", recording}).out, testing::HasSubstr("The log is whole."));
}

}  // namespace
}  // namespace hild::test
