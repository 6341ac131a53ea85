// SPDX-License-Identifier: Apache-2.0
#include "recording/record/kernel_accounts.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

namespace hild::record {
namespace {

MonoTime now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return {t.tv_sec * 1'000'000'000 + t.tv_nsec};
}

// The word so many words on, as a number.
std::optional<std::int64_t> number_at(std::string_view text, std::size_t word) {
  constexpr std::string_view blank = " \t\n";
  for (;; --word) {
    const std::size_t from = text.find_first_not_of(blank);
    if (from == std::string_view::npos) return {};
    text.remove_prefix(from);
    const std::size_t to = std::min(text.find_first_of(blank), text.size());
    if (word > 0) {
      text.remove_prefix(to);
      continue;
    }
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + to, n);
    return error == std::errc() && end == text.data() + to ? std::optional(n) : std::nullopt;
  }
}

// What follows a line's first words.
std::optional<std::string_view> after(std::string_view text, std::string_view words) {
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return text.substr(at + words.size());
  }
  return {};
}

// proc(5): fields of stat are numbered from 1, the second is a name in brackets that may hold
// anything; those behind it begin with the third.
constexpr std::size_t stat_minor = 10 - 3;
constexpr std::size_t stat_major = 12 - 3;
constexpr std::size_t stat_cpu = 39 - 3;
constexpr std::size_t cpu_steal = 7;  // user nice system idle iowait irq softirq steal

std::int64_t minor_faults_here() {
  rusage u{};
  getrusage(RUSAGE_THREAD, &u);
  return u.ru_minflt;
}

// The least of some rounds. A run that has locked its memory gives these pages back first.
Duration cost_of_minor_fault() {
  constexpr std::size_t pages = 32;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory =
      mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  munlock(memory, pages * page);
  Duration least{};
  for (int round = 0; round < 8; ++round) {
    madvise(memory, pages * page, MADV_DONTNEED);
    const std::int64_t faults = minor_faults_here();
    const MonoTime from = now();
    for (std::size_t i = 0; i < pages; ++i)
      std::memset(static_cast<char*>(memory) + i * page, 1, 1);
    const Duration took = now() - from;
    const std::int64_t n = minor_faults_here() - faults;
    if (n <= 0) continue;
    least = least.ns == 0 ? took / n : std::min(least, took / n);
  }
  munmap(memory, pages * page);
  return least;
}

}  // namespace

Worth worth_here() {
  return {.minor_fault = cost_of_minor_fault(),
          .steal_tick = Duration{1'000'000'000 / std::max(sysconf(_SC_CLK_TCK), 1L)}};
}

KernelAccounts::File::File(const std::filesystem::path& path)
    : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
std::string_view KernelAccounts::File::read(std::vector<char>& room) const {
  const ssize_t n = !fd_ ? -1 : pread(fd_.get(), room.data(), room.size(), 0);
  return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

KernelAccounts::KernelAccounts(const std::filesystem::path& proc, pid_t tid, const Worth& worth)
    : schedstat_(proc / "self/task" / std::to_string(tid) / "schedstat"),
      stat_(proc / "self/task" / std::to_string(tid) / "stat"),
      status_(proc / "self/task" / std::to_string(tid) / "status"),
      cpus_(proc / "stat"),
      worth_(worth),
      room_(std::size_t{1} << 16U) {}

Result<std::unique_ptr<KernelAccounts>> KernelAccounts::watch(pid_t tid, const Worth& worth,
                                                              const std::filesystem::path& proc) {
  auto accounts = std::unique_ptr<KernelAccounts>(new KernelAccounts(proc, tid, worth));
  if (!accounts->read_thread()) {
    return fail(
        "no account of thread {} in {}/self/task: expected its files schedstat, stat and status",
        tid, proc.string());
  }
  return accounts;
}

bool KernelAccounts::read_thread() {
  Account a{.at = now()};
  const auto delay = number_at(schedstat_.read(room_), 1);
  if (!delay) return false;
  a.run_delay = {*delay};

  std::string_view text = stat_.read(room_);
  const std::size_t name_ends = text.rfind(')');
  if (name_ends == std::string_view::npos) return false;
  text.remove_prefix(name_ends + 1);
  const auto minor = number_at(text, stat_minor);
  const auto major = number_at(text, stat_major);
  const auto cpu = number_at(text, stat_cpu);
  if (!minor || !major || !cpu) return false;
  a.minor_faults = *minor;
  a.major_faults = *major;

  const auto taken = after(status_.read(room_), "nonvoluntary_ctxt_switches:");
  const auto switches = taken ? number_at(*taken, 0) : std::nullopt;
  if (!switches) return false;
  a.taken = *switches;
  cpu_ = static_cast<int>(*cpu);
  account_ = a;
  return true;
}

// A machine that is not told of steal says 0, or nothing at all.
bool KernelAccounts::read_steal() {
  StealAccount s{.at = now(), .cpu = cpu_};
  const auto cpu = after(cpus_.read(room_), "cpu" + std::to_string(cpu_) + " ");
  const auto ticks = cpu ? number_at(*cpu, cpu_steal) : std::nullopt;
  if (!ticks) return false;
  s.ticks = *ticks;
  steal_ = s;
  return true;
}

Account KernelAccounts::thread() {
  static_cast<void>(read_thread());
  return account_;
}

StealAccount KernelAccounts::steal() {
  static_cast<void>(read_steal());
  return steal_;
}

}  // namespace hild::record
