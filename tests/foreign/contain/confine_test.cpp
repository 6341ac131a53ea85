// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the code of a model in a process of its own has of hild, and what it can do to it.
#include "hild/rt/confined/confine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "foreign/contain/child.hpp"
#include "foreign/contain/own.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::testing {
namespace {

// What comes of a call: 0, or its errno.
double error_of(long result) { return result < 0 ? errno : 0; }

double shared_mappings() {
  std::ifstream maps("/proc/self/maps");
  double found = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find(" rw-s ") != line.npos) ++found;
  }
  return found;
}

// Those beyond the standard ones, but for the one it looks with.
double descriptors() {
  namespace fs = std::filesystem;
  const auto all = fs::directory_iterator("/proc/self/fd");
  return static_cast<double>(std::distance(fs::begin(all), fs::end(all))) - 4;
}

double open_for_writing(const std::string& file) {
  return error_of(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
}

double start_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  return error_of(child);
}

// Of the test, by its number there: here it has none.
pid_t hild() { return std::atoi(std::getenv("HILD_HOSTILE_PID")); }

double write_to_hild() {
  static long word = 0;
  const iovec here{&word, sizeof word};
  return error_of(::process_vm_writev(hild(), &here, 1, &here, 1, 0));
}

double limit_hild() {
  const rlimit none{0, 0};
  return error_of(::prlimit(hild(), RLIMIT_NOFILE, &none, nullptr));
}

double thread_runs() {
  double ran = 0;
  std::thread([&] { ran = 1; }).join();
  return ran;
}

/// Its outputs are what comes of what it tries.
struct Prisoner {
  static constexpr std::string_view name = "prisoner", summary = "tries the doors";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{
      model::Output{"shared"},  model::Output{"descriptors"}, model::Output{"memory"},
      model::Output{"file"},    model::Output{"signal"},      model::Output{"process"},
      model::Output{"socket"},  model::Output{"vm"},          model::Output{"limits"},
      model::Output{"threads"}, model::Output{"priority"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Prisoner>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X, D::U, D::P, D::Y y) noexcept {
    const std::string parent = "/proc/" + std::to_string(hild());
    const sched_param ordinary{};
    y[0] = shared_mappings();
    y[1] = descriptors();
    y[2] = open_for_writing(parent + "/mem");
    y[3] = open_for_writing("/tmp/hild-prisoner-" + std::to_string(::getpid()));
    y[4] = error_of(::kill(hild(), 0));
    y[5] = start_process();
    y[6] = error_of(::socket(AF_UNIX, SOCK_STREAM, 0));
    y[7] = write_to_hild();
    y[8] = limit_hild();
    y[9] = thread_runs();
    y[10] = error_of(::sched_setscheduler(0, SCHED_OTHER, &ordinary));
  }
};

HILD_MODEL(Prisoner);

/// What a hostile model is told: whom it is after, and where to leave a trace.
class Victim {
 public:
  Victim() {
    ::setenv("HILD_HOSTILE_PID", std::to_string(::getpid()).c_str(), 1);
    ::setenv("HILD_HOSTILE_FILE", trace_.c_str(), 1);
    std::filesystem::remove(trace_);
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() {
    ::unsetenv("HILD_HOSTILE_PID");
    ::unsetenv("HILD_HOSTILE_FILE");
    std::filesystem::remove(trace_);
  }
  [[nodiscard]] bool trace() const { return std::filesystem::exists(trace_); }

 private:
  std::string trace_ =
      std::filesystem::temp_directory_path() / ("hild-hostile-" + std::to_string(::getpid()));
};

class Confine : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& why = contain::not_confined(); !why.empty()) GTEST_SKIP() << why;
  }
  Victim victim_;
};

TEST_F(Confine, AModelHasNothingOfHildAndCanDoNothingToIt) {
  // Of a kind that the guard, the last stage and devices have.
  auto memory = rt::SharedMemory::make(4096);
  ASSERT_TRUE(memory);
  const int descriptor = ::open("/dev/null", O_RDWR);
  const auto made = in_its_own("prisoner", &numerics::rk4);
  std::array<double, Prisoner::outputs.size()> y{};
  made->outputs(0, std::array{0.0}, y);
  EXPECT_EQ(y[0], 1) << "the page of requests and answers is all they share";
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], EPERM) << "the memory of hild";
  EXPECT_EQ(y[3], EPERM) << "a file";
  EXPECT_EQ(y[4], EPERM) << "a signal to hild";
  EXPECT_EQ(y[5], EPERM) << "another process";
  EXPECT_EQ(y[6], EPERM) << "a socket";
  EXPECT_EQ(y[7], EPERM) << "the memory of hild, by a call";
  EXPECT_EQ(y[8], EPERM) << "the limits of hild";
  EXPECT_EQ(y[9], 1) << "threads are its own";
  EXPECT_EQ(y[10], EPERM) << "its priority";
  ::close(descriptor);
}

#if defined(__x86_64__)
unsigned float_control() { return _mm_getcsr() & 0xffc0U; }
#else
unsigned float_control() { return 0; }
#endif

// From the first instruction on: what a shared object does while it is loaded, it does there.
TEST_F(Confine, HoldsWhileTheCodeIsLoaded) {
  const unsigned control = float_control();
  const auto source = contain::ModelSource::plugin(HILD_PLUGINS "/hostile.so");
  ASSERT_TRUE(source) << source.error().message;
  const auto made = contain::contained(*source, &numerics::rk4, {.answer_within = 20_s});
  ASSERT_TRUE(made) << made.error().message;
  const auto& outputs = (*source)->description().outputs;
  std::vector<double> y(outputs.size(), -1);
  (*made)->outputs(0, {}, y);
  for (std::size_t i = 0; i + 1 < y.size(); ++i) EXPECT_EQ(y[i], EPERM) << outputs[i].name;
  EXPECT_EQ(y.back(), 0) << "mappings that are shared with others";
  EXPECT_FALSE(victim_.trace());
  EXPECT_EQ(float_control(), control);
}

TEST_F(Confine, HoldsWhileItIsExamined) {
  const auto source = contain::ModelSource::fmu(HILD_FMUS "/hostile_3.fmu", {});
  ASSERT_TRUE(source) << source.error().message;
  const unsigned control = float_control();
  const auto seen = contain::examined(**source, &numerics::rk4, {}, std::array{1.0}, {.steps = 20});
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(seen->end, examine::End::done);
  EXPECT_EQ(seen->of(examine::Function::derivatives).calls, 4 * 20);
  EXPECT_FALSE(victim_.trace());
  EXPECT_EQ(float_control(), control);
}

// In a user namespace that allows none below it, as a container or a unit may.
TEST(NotConfined, TellsThatNamespacesAreRefused) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWUSER) != 0) ::_exit(77);
    std::ofstream limit("/proc/sys/user/max_user_namespaces");
    if (!(limit << 0 << std::flush)) ::_exit(77);
    const remote::Shared page(remote::Sizes{});
    auto tried = contain::start_child({.work = contain::Work::attempt}, page);
    if (!tried || !tried->reply()) ::_exit(1);
    ::_exit(tried->refused().find("namespaces of its own") == std::string::npos ? 2 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no user namespaces here";
  EXPECT_EQ(status, 0);
}

/// Processes of which this one is the parent.
std::vector<std::string> children() {
  std::vector<std::string> found;
  for (const auto& one : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(one.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line == "PPid:\t" + std::to_string(::getpid())) found.push_back(one.path().string());
    }
  }
  return found;
}

/// For a while, the program that is installed.
class Installed {
 public:
  Installed() { contain::use_program("", ""); }
  Installed(const Installed&) = delete;
  Installed& operator=(const Installed&) = delete;
  ~Installed() {
    contain::use_program(std::filesystem::read_symlink("/proc/self/exe"), server_of_a_test);
  }
};

// As the kernel tells it, not the model.
TEST_F(Confine, NothingOfHildIsMappedOrOpenThere) {
  namespace fs = std::filesystem;
  auto memory = rt::SharedMemory::make(4096);
  ASSERT_TRUE(memory);
  const Installed program;
  const auto plant = in_its_own("van-der-pol", &numerics::rk4);
  plant->reset();  // what answers has closed the socket it came up by
  const auto there = children();
  ASSERT_EQ(there.size(), 1U);
  std::ifstream maps(there[0] + "/maps");
  int shared = 0;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find_first_of("/[");
    const std::string file = path == line.npos ? "" : line.substr(path);
    const bool exchange = file.starts_with("/memfd:hild-exchange");
    shared += exchange ? 1 : 0;
    EXPECT_EQ(line[line.find(' ') + 4] == 's', exchange) << line;
    EXPECT_TRUE(exchange || file.empty() || file[0] == '[' || file.ends_with("/hild-model") ||
                file.find(".so") != file.npos)
        << line;
  }
  EXPECT_EQ(shared, 1);
  const auto open = fs::directory_iterator(there[0] + "/fd");
  EXPECT_EQ(std::distance(fs::begin(open), fs::end(open)), 3);
  for (const char* kind : {"user", "pid", "mnt", "net", "ipc"}) {
    const std::string of = std::string("/ns/") + kind;
    EXPECT_NE(fs::read_symlink(there[0] + of), fs::read_symlink("/proc/self" + of)) << kind;
  }
}

// The same that is said of a model in hild's process.
TEST(Examined, TellsHowAModelEndedItsProcess) {
  const auto source = contain::ModelSource::plugin(HILD_PLUGINS "/misbehaving.so");
  ASSERT_TRUE(source) << source.error().message;
  const auto end_of = [&](double fault) {
    const auto seen = contain::examined(**source, &numerics::rk4, std::array{fault},
                                        std::array{5.0}, {.steps = 20, .patience = 2_s});
    EXPECT_TRUE(seen) << seen.error().message;
    return std::pair(seen->end, seen->end_code);
  };
  EXPECT_EQ(end_of(0), (std::pair(examine::End::done, 0)));
  EXPECT_EQ(end_of(1), (std::pair(examine::End::crashed, SIGSEGV)));
  EXPECT_EQ(end_of(2), (std::pair(examine::End::crashed, SIGABRT)));
  EXPECT_EQ(end_of(3), (std::pair(examine::End::exited, 0)));
  EXPECT_EQ(end_of(5).first, examine::End::hung);
}

}  // namespace
}  // namespace hild::testing
