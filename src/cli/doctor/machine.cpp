// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/machine.hpp"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "hild/core/descriptor.hpp"
#include "hild/core/whole_file.hpp"
#include "hild/rt/tai.hpp"
#include "hild/rt/thread.hpp"

namespace hild::doctor {
namespace {

std::int64_t limit_of(__rlimit_resource resource) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? -1 : static_cast<std::int64_t>(limit.rlim_cur);
}

// Whether the kernel would let a thread of this process run there. The affinity that the process
// has does not tell: where isolcpus= takes a CPU away, every process begins without it, and may
// take it. The thread that asks keeps its other CPUs, since that one may be taken by frames that do
// not sleep.
std::optional<bool> may_run_on(int cpu) {
  std::optional<bool> allowed;
  rt::Warnings missing;
  const rt::ThreadOptions options{.priority = 0, .cpu = -1, .name = Name("hild-doctor")};
  auto trial = rt::Thread::start(options, missing, [&] {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return;
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    if (::sched_setaffinity(0, sizeof set, &set) != 0) return;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return;
    allowed = CPU_ISSET(static_cast<std::size_t>(cpu), &set);  // the rest was left out
  });
  if (!trial) return std::nullopt;
  trial->join();
  return allowed;
}

std::optional<bool> clock_is_kept() {
  timex told{};
  const int state = ::adjtimex(&told);
  if (state < 0) return std::nullopt;
  return state != TIME_ERROR && (told.status & STA_UNSYNC) == 0;
}

std::map<std::string, bool> receive_stamps(const std::vector<std::string>& interfaces) {
  std::map<std::string, bool> stamps;
  const Descriptor asked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!asked) return stamps;
  for (const auto& name : interfaces) {
    ethtool_ts_info info{};
    info.cmd = ETHTOOL_GET_TS_INFO;
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_data = reinterpret_cast<char*>(&info);
    if (::ioctl(asked.get(), SIOCETHTOOL, &request) != 0) continue;
    stamps[name] = (info.so_timestamping & SOF_TIMESTAMPING_RX_HARDWARE) != 0;
  }
  return stamps;
}

}  // namespace

Machine this_machine(int cpu, int priority) {
  const Limits limits = limits_of_this_process();
  const auto interfaces = Machine("/", limits, cpu, priority).names("sys/class/net");
  return {"/", limits, cpu, priority,
          Answers{.cpu_allowed = cpu < 0 ? std::nullopt : may_run_on(cpu),
                  .tai_offset = rt::utc_behind_tai(),
                  .clock_is_kept = clock_is_kept(),
                  .receive_stamps = receive_stamps(interfaces)}};
}

Limits limits_of_this_process() {
  return {limit_of(RLIMIT_RTPRIO), limit_of(RLIMIT_MEMLOCK), ::geteuid() == 0};
}

std::optional<std::string> Machine::text(const std::string& path) const {
  return whole_file(root_ / path);
}

std::optional<std::string> Machine::line(const std::string& path) const {
  auto all = text(path);
  if (all) all->resize(std::min(all->size(), all->find('\n')));
  return all;
}

std::optional<std::int64_t> Machine::number(const std::string& path) const {
  const auto written = line(path);
  if (!written) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = written->data() + written->size();
  const auto read = std::from_chars(written->data(), end, value);
  if (read.ec != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> Machine::word(const std::string& path, std::int64_t offset) const {
  // One read at the offset: that is how a register of a CPU is asked for (msr(4)).
  const Descriptor file(::open((root_ / path).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::uint64_t value = 0;
  const auto got = ::pread(file.get(), &value, sizeof value, offset);
  if (got != sizeof value) return std::nullopt;
  return value;
}

std::vector<std::string> Machine::names(const std::string& path, const std::string& prefix) const {
  std::vector<std::string> found;
  std::error_code gone;  // at once, or on the way
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry(root_ / path, gone); !gone && entry != end;
       entry.increment(gone)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with(prefix)) found.push_back(std::move(name));
  }
  std::ranges::sort(found);
  return found;
}

bool Machine::exists(const std::string& path) const {
  std::error_code unreadable;
  return std::filesystem::exists(root_ / path, unreadable);
}

bool Machine::usable(const std::string& path) const {
  return ::access((root_ / path).c_str(), R_OK | W_OK) == 0;
}

std::optional<std::int64_t> Machine::free_bytes(const std::string& path) const {
  std::error_code unreadable;
  const auto space = std::filesystem::space(root_ / path, unreadable);
  if (unreadable) return std::nullopt;
  return static_cast<std::int64_t>(space.available);
}

bool cpu_list_has(const std::string& list, int cpu) {
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    int first = -1;
    int last = -1;
    const char* const end = part.data() + part.size();
    const auto read = std::from_chars(part.data(), end, first);
    if (read.ec != std::errc{}) continue;
    last = first;
    if (read.ptr != end && *read.ptr == '-') std::from_chars(read.ptr + 1, end, last);
    if (first <= cpu && cpu <= last) return true;
  }
  return false;
}

}  // namespace hild::doctor
