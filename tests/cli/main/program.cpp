// SPDX-License-Identifier: Apache-2.0
#include "cli/main/program.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "drivers/sim_image.hpp"

namespace hild::test {
namespace {

constexpr unsigned nobody = 65534;

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// In the child, before the program starts.
void drop_privileges() {
  limit(RLIMIT_RTPRIO, 0);
  limit(RLIMIT_NICE, 0);
  limit(RLIMIT_MEMLOCK, 0);
  if (::geteuid() != 0) return;
  if (::setgroups(0, nullptr) != 0 || ::setresgid(nobody, nobody, nobody) != 0 ||
      ::setresuid(nobody, nobody, nobody) != 0) {
    ::_exit(126);
  }
}

void redirect(const std::string& file, int to) {
  if (file == "-") {
    ::close(to);
    return;
  }
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::dup2(fd, to);
  ::close(fd);
}

/// Reads what comes until the other side closes.
std::string drain(int fd) {
  std::string text;
  char part[4096];
  for (ssize_t got = 0; (got = ::read(fd, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

Folder::Folder() {
  std::string pattern = std::filesystem::temp_directory_path() / "hild-test-XXXXXX";
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
  ::chmod(pattern.c_str(), 01777);  // a program without privileges writes here too
  path_ = pattern;
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
  for (const auto& image : images_) ::shm_unlink(("/" + image).c_str());
}

std::string Folder::file(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
  ::chmod(path(name).c_str(), 0644);
  return path(name);
}

std::string Folder::image(const std::string& name) {
  images_.push_back(std::filesystem::path(path_).filename().string() + "-" + name);
  return images_.back();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Program::Program(std::vector<std::string> arguments, Launch launch) {
  arguments.insert(arguments.begin(), launch.program.empty() ? HILD_PROGRAM : launch.program);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (auto& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  const std::string err = folder_.path("err");
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  if (launch.unread) ::close(ends[0]);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    redirect(launch.err.empty() ? err : launch.err, STDERR_FILENO);
    if (!launch.out.empty()) redirect(launch.out, STDOUT_FILENO);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    if (launch.notify_socket.empty()) {
      ::unsetenv("NOTIFY_SOCKET");
    } else {
      ::setenv("NOTIFY_SOCKET", launch.notify_socket.c_str(), 1);
    }
    if (launch.largest_file) limit(RLIMIT_FSIZE, *launch.largest_file);
    if (launch.unprivileged) drop_privileges();
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  if (!launch.unread) output_ = ends[0];
}

Program::~Program() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close_output();
}

void Program::signal(int number) const { ::kill(pid_, number); }

bool Program::ended() const {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == pid_;
}

bool Program::says(const std::string& words) const {
  using namespace std::chrono_literals;
  for (int tries = 0; tries < 12'000; ++tries, std::this_thread::sleep_for(5ms)) {
    if (read_file(folder_.path("err")).find(words) != std::string::npos) return true;
  }
  return false;
}

void Program::close_output() {
  if (output_ >= 0) ::close(output_);
  output_ = -1;
}

Ended Program::wait() {
  Ended ended;
  if (output_ >= 0) ended.out = drain(output_);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.err = read_file(folder_.path("err"));
  return ended;
}

Ended hild(std::vector<std::string> arguments, Launch launch) {
  return Program(std::move(arguments), std::move(launch)).wait();
}

std::optional<std::vector<double>> voltages(const std::string& image) {
  auto read = sim::read_sim_image(image);
  if (!read) return std::nullopt;
  return std::move(*read);
}

bool leaves(const std::string& image, double volts) {
  using namespace std::chrono_literals;
  // No deadline of the program: only so that a test that cannot succeed ends.
  for (int tries = 0; tries < 6000; ++tries, std::this_thread::sleep_for(5ms)) {
    const auto now = voltages(image);
    if (now && now->front() != volts) return true;
  }
  return false;
}

}  // namespace hild::test
