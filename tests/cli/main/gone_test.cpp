// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant that is not there any more, in a run as a user starts it: the process of its model ended
/// or is silent, frames slip, the run was held. Whatever it is, outputs become safe, the run tells
/// why and ends with a code. HILD_GONE times each, else once; 100 is the bar.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "cli/main/call.hpp"
#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;

int trials() {
  const char* const wanted = std::getenv("HILD_GONE");
  return wanted != nullptr ? std::atoi(wanted) : 1;
}

/// Whether it comes true; only a test that cannot succeed waits for long.
bool comes_true(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 12'000; ++tries, ::usleep(5000)) {
    if (condition()) return true;
  }
  return false;
}

/// A run that drives 5 V until its model is told to misbehave; safe are -3 V.
struct Driven {
  explicit Driven(const std::string& model, const std::string& overrun) {
    const std::string file =
        folder.file("run.yaml",
                    "frame: {period: 10 ms, clock: sleep, priority: 0}\n"
                    "model: {plugin: " HILD_PLUGINS "/misbehaving.so" +
                        model +
                        "}\n"
                        "integrator: {method: rtam-2}\n"
                        "devices: {rig: {driver: sim, image: " +
                        image +
                        "}}\n"
                        "outputs: {y: {device: rig, channel: 0, safe: -3 V}}\n"
                        "overrun: {" +
                        overrun +
                        "}\n"
                        "safety: {within: 600 s}\n"  // it is not the guard that acts here
                        "control: {socket: " +
                        socket + "}\n");
    program.emplace(std::vector<std::string>{"run", file, "--report", report});
    EXPECT_TRUE(carries(5));
  }
  [[nodiscard]] bool carries(double volts) const {
    return comes_true([&] {
      const auto now = voltages(image);
      return now && std::abs(now->front() - volts) <= 20.0 / 65535;
    });
  }
  /// The process of the model: the child that is not the guard.
  [[nodiscard]] pid_t model() const {
    const std::string own = std::to_string(program->pid());
    std::ifstream children("/proc/" + own + "/task/" + own + "/children");
    for (pid_t pid = 0; children >> pid;) {
      if (read_file("/proc/" + std::to_string(pid) + "/comm") != "hild-guard\n") return pid;
    }
    ADD_FAILURE() << "no process of the model";
    return -1;
  }
  /// Nobody waits for the answer.
  void misbehave(int fault) const {
    boost::asio::local::stream_protocol::iostream stream;
    stream.connect(boost::asio::local::stream_protocol::endpoint(socket));
    stream << R"({"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"fault": )"
           << fault << "}}}" << std::endl;
  }
  [[nodiscard]] bool stopped() const {
    return read_file("/proc/" + std::to_string(program->pid()) + "/stat").find(") T ") !=
           std::string::npos;
  }
  /// Held as by a debugger, for that long and not less.
  void hold(useconds_t us) const {
    program->signal(SIGSTOP);
    ASSERT_TRUE(comes_true([&] { return stopped() || program->ended(); }));
    ::usleep(us);
    program->signal(SIGCONT);
  }
  /// It has ended by the limit of that name, with safe outputs, and said so.
  void expect_ended(const std::string& limit, const std::string& words) {
    EXPECT_TRUE(carries(-3));
    const Ended ended = program->wait();
    EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
    EXPECT_TRUE(carries(-3)) << "and it stays so";
    const auto said = boost::json::parse(read_file(report));
    EXPECT_EQ(std::string(said.at_pointer("/outcome/limit").as_string()), limit);
    EXPECT_EQ(said.at_pointer("/outcome/outputs_safe"), true);
    EXPECT_THAT(std::string(said.at_pointer("/outcome/message").as_string()), HasSubstr(words));
    EXPECT_THAT(limit == "missed" ? words : ended.err, HasSubstr(words));
  }

  Folder folder;
  std::string image = folder.image();
  std::string socket = folder.path("control.sock");
  std::string report = folder.path("report.json");
  std::optional<Program> program;
};

const std::string own = ", process: own, answer_within: 5 ms";

/// A group of processes with little memory, where the kernel lets us make one.
class Narrow {
 public:
  Narrow() {
    namespace fs = std::filesystem;
    const bool first = fs::exists("/sys/fs/cgroup/memory");
    const fs::path all = first ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    std::error_code failed;
    path_ = all / ("hild-gone-" + std::to_string(::getpid()));
    if (!fs::create_directory(path_, failed)) return;
    good_ = write(first ? "memory.limit_in_bytes" : "memory.max", "33554432");
    write(first ? "memory.swappiness" : "memory.swap.max", "0");
  }
  Narrow(const Narrow&) = delete;
  Narrow& operator=(const Narrow&) = delete;
  ~Narrow() {
    comes_true([&] { return ::rmdir(path_.c_str()) == 0 || errno == ENOENT; });
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool take(pid_t pid) const { return write("cgroup.procs", std::to_string(pid)); }

 private:
  bool write(const char* file, const std::string& text) const {
    std::ofstream to(path_ / file);
    return static_cast<bool>(to << text << std::flush);
  }
  std::filesystem::path path_;
  bool good_ = false;
};

struct Death {
  const char* name;
  int fault;          ///< of plugin/objects/misbehaving.cpp; 0: by the signal
  int signal;         ///< sent to the process of the model
  const char* limit;  ///< which is reached
  const char* words;  ///< in which the run tells it
};
void PrintTo(const Death& death, std::ostream* to) { *to << death.name; }

class AModelsProcess : public testing::TestWithParam<Death> {};

TEST_P(AModelsProcess, ThatIsGoneLeavesSafeOutputs) {
  const Death death = GetParam();
  for (int trial = 0; trial < trials() && !HasFailure(); ++trial) {
    // A death is noticed at once: that a busy machine stands still for long must not come before
    // it.
    Driven run(own,
               death.limit == std::string_view("gone") ? "standstill: 60 s" : "standstill: 5 s");
    if (death.signal != 0) {
      ::kill(run.model(), death.signal);
    } else {
      run.misbehave(death.fault);
    }
    run.expect_ended(death.limit, death.words);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Gone, AModelsProcess,
    testing::Values(Death{"SegmentationFault", 1, 0, "gone", "was ended by signal 11"},
                    Death{"Abort", 2, 0, "gone", "was ended by signal 6"},
                    Death{"Exit", 3, 0, "gone", "ended by itself, exit code 0"},
                    Death{"EndlessLoop", 4, 0, "silent", "the model did not answer for"},
                    Death{"EndlessSleep", 5, 0, "silent", "the model did not answer for"},
                    Death{"StackOverflow", 6, 0, "gone", "was ended by signal 11"},
                    // A sanitizer has an end of its own for want of memory.
                    Death{"OutOfMemory", 7, 0, "gone",
                          HILD_HEAP_TRAP != 0 ? "was ended by signal 6" : "exit code 1"},
                    Death{"Killed", 0, SIGKILL, "gone", "was ended by signal 9"},
                    Death{"Stopped", 0, SIGSTOP, "silent", "the model did not answer for"}),
    [](const auto& death) { return std::string(death.param.name); });

TEST(Gone, AModelThatTheKernelEndsForWantOfMemory) {
  for (int trial = 0; trial < trials() && !testing::Test::HasFailure(); ++trial) {
    const Narrow narrow;
    if (!narrow.good()) GTEST_SKIP() << "no group of processes with a limit of memory can be made";
    Driven run(own, "standstill: 60 s");
    if (!narrow.take(run.model())) GTEST_SKIP() << "and no process put into one";
    run.misbehave(8);
    run.expect_ended("gone", "by the kernel for want of memory");
  }
}

// Held for longer than allowed, and for less than the guard waits.
TEST(Gone, ARunThatWasHeldAndGoesOn) {
  for (int trial = 0; trial < trials() && !testing::Test::HasFailure(); ++trial) {
    Driven run("", "standstill: 3 s");
    run.hold(3'200'000);
    run.expect_ended("standstill", "no frame began for");
  }
}

// Held for short, as often as it takes: each time some frames slip.
TEST(Gone, ARunOfWhichTooManyFramesSlip) {
  for (int trial = 0; trial < trials() && !testing::Test::HasFailure(); ++trial) {
    Driven run("", "max_debt: 1, limit: {percent: 1, window: 1000}, standstill: 60 s");
    while (!run.program->ended()) {
      run.hold(50'000);
      ::usleep(50'000);
    }
    run.expect_ended("missed", "slipped");
  }
}

// While it goes on, all who ask are told at once; the outputs are not to be armed any more.
TEST(Gone, IsToldWhileTheRunGoesOn) {
  Driven run(own, "then: continue, standstill: 60 s");
  ::kill(run.model(), SIGKILL);
  EXPECT_TRUE(run.carries(-3));
  EXPECT_TRUE(run.program->says("was ended by signal 9"));
  const auto armed = [&] {
    return call(run.socket, "status").at_pointer("/result/armed").as_bool();
  };
  EXPECT_TRUE(comes_true([&] { return !armed(); }));
  const auto status = call(run.socket, "status").at("result");
  EXPECT_EQ(status.at("standstills").as_int64(), 1);
  std::string plant;
  for (const auto& topic : status.at("told").as_array()) {
    if (topic.at("of") == "plant") plant = boost::json::serialize(topic);
  }
  EXPECT_THAT(plant, HasSubstr(R"("is":"gone","level":"bad")"));
  EXPECT_THAT(plant, HasSubstr("was ended by signal 9"));
  static_cast<void>(call(run.socket, "arm"));
  EXPECT_TRUE(comes_true([&] { return !armed(); }));
  EXPECT_TRUE(run.carries(-3));
  run.program->signal(SIGTERM);
  const Ended ended = run.program->wait();
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("and its outputs were made safe"));
}

// A standstill that is over leaves outputs that wait to be armed.
TEST(Gone, IsOverOnceOutputsAreArmedAgain) {
  Driven run("", "then: continue, standstill: 3 s");
  run.hold(3'200'000);
  EXPECT_TRUE(run.carries(-3));
  EXPECT_TRUE(run.program->says("no frame began for"));
  static_cast<void>(call(run.socket, "arm"));
  EXPECT_TRUE(run.carries(5));
  run.program->signal(SIGTERM);
  EXPECT_EQ(run.program->wait().code, 3);
}

}  // namespace
}  // namespace hild::test
