// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {
namespace {

const std::string fair_servers = "sys/kernel/debug/sched/fair_server";
/// What a fair server leaves unless somebody changed it: its files may be unreadable.
constexpr double usual_share = 0.95;

/// Whether this kernel has a fair server: Linux 6.12 and later.
std::optional<bool> has_fair_server(const Machine& machine) {
  if (machine.exists(fair_servers)) return true;  // an older one that was given it
  const auto release = machine.line("proc/sys/kernel/osrelease");
  int major = 0;
  int minor = 0;
  if (!release || std::sscanf(release->c_str(), "%d.%d", &major, &minor) != 2) return std::nullopt;
  return major > 6 || (major == 6 && minor >= 12);
}

// Since there is a fair server, only kernels with RT_GROUP_SCHED stop real-time threads as well.
bool may_throttle(const Machine& machine) {
  if (!has_fair_server(machine).value_or(false)) return true;
  const auto config =
      machine.text("boot/config-" + machine.line("proc/sys/kernel/osrelease").value_or(""));
  return !config || config->find("CONFIG_RT_GROUP_SCHED=y") != std::string::npos;
}

/// Time that ordinary threads which wait get in each period of a CPU; none: it cannot be read.
struct FairServer {
  std::int64_t runtime = 0;
  std::int64_t period = 1;  ///< both in nanoseconds
};
std::optional<FairServer> fair_server_of(const Machine& machine, const std::string& cpu) {
  const std::string path = fmt::format("{}/{}", fair_servers, cpu);
  const auto runtime = machine.number(path + "/runtime");
  const auto period = machine.number(path + "/period");
  if (!runtime || !period || *period <= 0) return std::nullopt;
  return FairServer{*runtime, *period};
}

/// The CPUs with a fair server that frames may run on: "cpu3".
std::vector<std::string> served_cpus(const Machine& machine) {
  std::vector<std::string> cpus = machine.names(fair_servers, "cpu");
  std::erase_if(cpus, [&](const std::string& cpu) {
    return !machine.runs_frames(std::atoi(cpu.c_str() + 3));
  });
  return cpus;
}

/// What fair servers leave of the CPU on which they take the most.
RealTimeShare left_by_fair_servers(const Machine& machine) {
  if (!has_fair_server(machine).value_or(false)) return {1, true};
  const std::vector<std::string> cpus = served_cpus(machine);
  RealTimeShare left{cpus.empty() ? usual_share : 1, true, !cpus.empty()};
  for (const std::string& cpu : cpus) {
    const auto server = fair_server_of(machine, cpu);
    const double share =
        !server ? usual_share
                : 1 - static_cast<double>(server->runtime) / static_cast<double>(server->period);
    left.known = left.known && server.has_value();
    left.share = std::min(left.share, share);
  }
  return left;
}

double left_by_throttling(const Machine& machine) {
  const auto runtime = machine.number("proc/sys/kernel/sched_rt_runtime_us");
  const auto period = machine.number("proc/sys/kernel/sched_rt_period_us");
  if (!runtime || !period || *runtime < 0 || *period <= 0 || !may_throttle(machine)) return 1;
  return static_cast<double>(*runtime) / static_cast<double>(*period);
}

}  // namespace

using enum Verdict;

RealTimeShare real_time_share(const Machine& machine) {
  const double throttled = left_by_throttling(machine);
  const RealTimeShare served = left_by_fair_servers(machine);
  return served.share < throttled ? served : RealTimeShare{throttled, false};
}

Finding check_preemption(const Machine& machine) {
  const Check c{"preempt_rt",
                "only a PREEMPT_RT kernel bounds how long it keeps a real-time thread waiting"};
  const auto version = machine.line("proc/version");
  if (machine.number("sys/kernel/realtime") == 1 ||
      (version && version->find("PREEMPT_RT") != std::string::npos)) {
    return c.is(good, "the kernel is PREEMPT_RT");
  }
  const char* const remedy = "apt-get install linux-image-rt-amd64, then reboot into it";
  if (!version) return c.is(unknown, "no /proc/version", remedy);
  return c.is(problem, "the kernel is not PREEMPT_RT: " + *version, remedy);
}

Finding check_throttling(const Machine& machine) {
  const Check c{
      "rt_throttling",
      "beyond its share of a second the kernel stops real-time threads to let others run"};
  const auto runtime = machine.number("proc/sys/kernel/sched_rt_runtime_us");
  const auto period = machine.number("proc/sys/kernel/sched_rt_period_us");
  if (!runtime || !period) return c.is(unknown, "no /proc/sys/kernel/sched_rt_runtime_us");
  if (*runtime < 0) return c.is(good, "off");
  if (!may_throttle(machine)) {
    return c.is(good, "off: this kernel has a fair server in its place, and no RT_GROUP_SCHED");
  }
  return c.is(warning, fmt::format("real-time threads get {} of {} us", *runtime, *period),
              "sysctl -w kernel.sched_rt_runtime_us=-1, if the frames use more than this share; it "
              "is what ends a spinning clock otherwise");
}

Finding check_fair_server(const Machine& machine) {
  const Check c{"fair_server",
                "when real-time threads leave ordinary ones no time, Linux 6.12 and later takes "
                "this share of each period from them"};
  const auto here = has_fair_server(machine);
  if (!here) return c.is(unknown, "no /proc/sys/kernel/osrelease");
  if (!*here) return c.is(good, "none: this kernel is older than 6.12");
  const std::vector<std::string> cpus = served_cpus(machine);
  if (cpus.empty() && machine.exists(fair_servers)) return c.is(unknown, "no such CPU");
  if (cpus.empty()) {
    return c.is(unknown,
                fmt::format("no /{}: debugfs is not mounted, or root's alone", fair_servers),
                "mount -t debugfs debugfs /sys/kernel/debug, then run hild doctor as root");
  }
  std::map<std::string, std::vector<std::string>> shares;  // and the CPUs of each
  for (const auto& cpu : cpus) {
    const auto server = fair_server_of(machine, cpu);
    if (!server) {
      return c.is(unknown,
                  fmt::format("cannot be read: no right to /{}/{}/runtime", fair_servers, cpu),
                  "run hild doctor as root; a kernel that is locked down "
                  "(/sys/kernel/security/lockdown) refuses it to root too");
    }
    if (server->runtime == 0) continue;
    shares[fmt::format("{:g} of {:g} ms", static_cast<double>(server->runtime) / 1e6,
                       static_cast<double>(server->period) / 1e6)]
        .push_back(cpu.substr(3));
  }
  if (shares.empty()) return c.is(good, "off");
  std::vector<std::string> found;
  found.reserve(shares.size());
  for (const auto& [share, of] : shares) {
    found.push_back(fmt::format("{} on CPU {}", share, fmt::join(of, " ")));
  }
  return c.is(
      warning, fmt::format("ordinary threads get {}", fmt::join(found, ", ")),
      fmt::format("for clock: spin, or frames that leave no such share: echo 0 > "
                  "/{}/cpu{}/runtime after every boot; it is what ends a spinning clock "
                  "otherwise",
                  fair_servers, machine.cpu() < 0 ? "N" : fmt::format("{}", machine.cpu())));
}

Finding check_clock_source(const Machine& machine) {
  const Check c{"clock_source",
                "reading any clock but the CPU's own costs a microsecond or a system call"};
  const auto current =
      machine.line("sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!current) return c.is(unknown, "not told");
  if (*current == "tsc" || *current == "arch_sys_counter") return c.is(good, *current);
  return c.is(warning, *current,
              "boot with tsc=reliable if the CPU's counter is; see `dmesg | grep -i tsc` for why "
              "the kernel left it");
}

Finding check_hypervisor(const Machine& machine) {
  const Check c{"hypervisor",
                "a virtual CPU stands still whenever its host has something else to do"};
  const auto cpus = machine.text("proc/cpuinfo");
  if (!cpus) return c.is(unknown, "no /proc/cpuinfo");
  if (cpus->find(" hypervisor") == std::string::npos) return c.is(good, "none");
  return c.is(problem, "this is a virtual machine",
              "run on the hardware itself; here only behaviour can be tried");
}

}  // namespace hild::doctor
