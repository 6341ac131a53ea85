// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the code of a model in a process of its own has of hild, and what it can do to it.
#include "contain/confine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "contain/process.hpp"
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

double write_to_parent() {
  static long word = 0;
  const iovec here{&word, sizeof word};
  return error_of(::process_vm_writev(::getppid(), &here, 1, &here, 1, 0));
}

double limit_parent() {
  const rlimit none{0, 0};
  return error_of(::prlimit(::getppid(), RLIMIT_NOFILE, &none, nullptr));
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
    const std::string parent = "/proc/" + std::to_string(::getppid());
    const sched_param ordinary{};
    y[0] = shared_mappings();
    y[1] = descriptors();
    y[2] = open_for_writing(parent + "/mem");
    y[3] = open_for_writing("/tmp/hild-prisoner-" + std::to_string(::getpid()));
    y[4] = error_of(::kill(::getppid(), 0));
    y[5] = start_process();
    y[6] = error_of(::socket(AF_UNIX, SOCK_STREAM, 0));
    y[7] = write_to_parent();
    y[8] = limit_parent();
    y[9] = thread_runs();
    y[10] = error_of(::sched_setscheduler(0, SCHED_OTHER, &ordinary));
  }
};

TEST(Confine, AModelHasNothingOfHildAndCanDoNothingToIt) {
  if (const std::string& why = contain::not_confined(); !why.empty()) GTEST_SKIP() << why;
  // Of a kind that the guard, the last stage and devices have.
  auto memory = rt::SharedMemory::make(4096);
  ASSERT_TRUE(memory);
  const int descriptor = ::open("/dev/null", O_RDWR);
  static const auto description = model::describe<Prisoner>();
  auto made = contain::contained([] { return model::make_plant<Prisoner>(numerics::rk4); },
                                 description, numerics::rk4, {.answer_within = 20_s});
  ASSERT_TRUE(made) << made.error().message;
  std::array<double, Prisoner::outputs.size()> y{};
  (*made)->outputs(0, std::array{0.0}, y);
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

}  // namespace
}  // namespace hild::testing
