// SPDX-License-Identifier: Apache-2.0
/// The accounts of the running kernel, from files of /proc that are opened once and read again and
/// again.
#include "recording/record/account.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "hild/core/descriptor.hpp"
#include "hild/rt/clock.hpp"

namespace hild::record {
namespace {

// The word so many words on, as a number.
std::optional<std::int64_t> number_at(std::string_view text, std::size_t word) {
  constexpr std::string_view blank = " \t\n";
  std::size_t length = 0;
  for (std::size_t i = 0; i <= word; ++i) {
    text.remove_prefix(length);
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
    length = std::min(text.find_first_of(blank), text.size());
  }
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + length, n);
  if (error != std::errc() || end != text.data() + length) return {};
  return n;
}

// What follows the first words of a line, which is not the first line.
std::optional<std::string_view> after(std::string_view text, const std::string& words) {
  const std::size_t at = text.find("\n" + words);
  if (at == std::string_view::npos) return {};
  return text.substr(at + 1 + words.size());
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
    const MonoTime from = rt::monotonic_now();
    for (std::size_t i = 0; i < pages; ++i)
      std::memset(static_cast<char*>(memory) + i * page, 1, 1);
    const Duration took = rt::monotonic_now() - from;
    const std::int64_t n = minor_faults_here() - faults;
    if (n <= 0) continue;
    least = least.ns == 0 ? took / n : std::min(least, took / n);
  }
  munmap(memory, pages * page);
  return least;
}

class KernelAccounts final : public Accounts {
 public:
  KernelAccounts(const std::filesystem::path& proc, pid_t tid, const Worth& worth)
      : worth_(worth), room_(std::size_t{1} << 16U) {
    const auto open_in = [](const std::filesystem::path& folder, const char* name) {
      return Descriptor(open((folder / name).c_str(), O_RDONLY | O_CLOEXEC));
    };
    const auto task = proc / "self/task" / std::to_string(tid);
    schedstat_ = open_in(task, "schedstat");
    stat_ = open_in(task, "stat");
    status_ = open_in(task, "status");
    cpus_ = open_in(proc, "stat");
  }

  Account thread() override {
    static_cast<void>(read_thread());
    return account_;
  }
  // A machine that is not told of steal says 0, or nothing at all.
  StealAccount steal() override {
    const MonoTime at = rt::monotonic_now();
    const auto cpu = after(read(cpus_), "cpu" + std::to_string(cpu_) + " ");
    const auto ticks = cpu ? number_at(*cpu, cpu_steal) : std::nullopt;
    if (ticks) steal_ = {.at = at, .cpu = cpu_, .ticks = *ticks};
    return steal_;
  }
  [[nodiscard]] Worth worth() const override { return worth_; }

  // False where a file is not there, or does not contain what it should.
  [[nodiscard]] bool read_thread() {
    const MonoTime at = rt::monotonic_now();
    const auto delay = number_at(read(schedstat_), 1);
    std::string_view text = read(stat_);
    text.remove_prefix(std::min(text.rfind(')') + 1, text.size()));
    const auto minor = number_at(text, stat_minor);
    const auto major = number_at(text, stat_major);
    const auto cpu = number_at(text, stat_cpu);
    const auto taken = after(read(status_), "nonvoluntary_ctxt_switches:");
    const auto switches = taken ? number_at(*taken, 0) : std::nullopt;
    if (!delay || !minor || !major || !cpu || !switches) return false;
    cpu_ = static_cast<int>(*cpu);
    account_ = {.at = at,
                .run_delay = {*delay},
                .taken = *switches,
                .minor_faults = *minor,
                .major_faults = *major};
    return true;
  }

 private:
  // Reads from the beginning of a file, as much as there is room for; empty: it cannot be read.
  std::string_view read(const Descriptor& file) {
    const ssize_t n = !file ? -1 : pread(file.get(), room_.data(), room_.size(), 0);
    return {room_.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
  }

  Descriptor schedstat_, stat_, status_, cpus_;
  Worth worth_;
  std::vector<char> room_;
  int cpu_ = -1;  // the CPU it ran on last
  Account account_;
  StealAccount steal_;
};

}  // namespace

Worth worth_here() {
  return {.minor_fault = cost_of_minor_fault(),
          .steal_tick = Duration{1'000'000'000 / std::max(sysconf(_SC_CLK_TCK), 1L)}};
}

Result<std::unique_ptr<Accounts>> accounts_of(pid_t tid, const Worth& worth,
                                              const std::filesystem::path& proc) {
  auto accounts = std::make_unique<KernelAccounts>(proc, tid, worth);
  if (accounts->read_thread()) return accounts;
  return fail(
      "no account of thread {} in {}/self/task: expected its files schedstat, stat and status", tid,
      proc.string());
}

}  // namespace hild::record
