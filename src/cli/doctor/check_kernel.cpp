// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {

Finding check_preemption(const Machine& machine) {
  Finding f{.check = "preempt_rt",
            .why = "only a PREEMPT_RT kernel bounds how long it keeps a real-time thread waiting"};
  const auto version = machine.line("proc/version");
  const bool realtime = machine.number("sys/kernel/realtime") == 1 ||
                        (version && version->find("PREEMPT_RT") != std::string::npos);
  f.verdict = realtime ? Verdict::good : version ? Verdict::problem : Verdict::unknown;
  f.found = realtime  ? "the kernel is PREEMPT_RT"
            : version ? "the kernel is not PREEMPT_RT: " + *version
                      : "no /proc/version";
  if (!realtime) f.remedy = "apt-get install linux-image-rt-amd64, then reboot into it";
  return f;
}

Finding check_throttling(const Machine& machine) {
  Finding f{
      .check = "rt_throttling",
      .why = "beyond its share of a second the kernel stops real-time threads to let others run"};
  const auto runtime = machine.number("proc/sys/kernel/sched_rt_runtime_us");
  const auto period = machine.number("proc/sys/kernel/sched_rt_period_us");
  if (!runtime || !period) {
    f.found = "no /proc/sys/kernel/sched_rt_runtime_us";
  } else if (*runtime < 0) {
    f.verdict = Verdict::good;
    f.found = "off";
  } else {
    f.verdict = Verdict::warning;
    f.found = fmt::format("real-time threads get {} of {} us", *runtime, *period);
    f.remedy =
        "sysctl -w kernel.sched_rt_runtime_us=-1, if the frames use more than this share; it is "
        "what ends a spinning clock otherwise";
  }
  return f;
}

Finding check_clock_source(const Machine& machine) {
  const std::string path = "sys/devices/system/clocksource/clocksource0/";
  Finding f{.check = "clock_source",
            .why = "reading any clock but the CPU's own costs a microsecond or a system call"};
  const auto current = machine.line(path + "current_clocksource");
  f.found = current.value_or("not told");
  if (!current) return f;
  const bool own = *current == "tsc" || *current == "arch_sys_counter";
  f.verdict = own ? Verdict::good : Verdict::warning;
  if (!own) {
    f.remedy =
        "boot with tsc=reliable if the CPU's counter is; see `dmesg | grep -i tsc` for why "
        "the kernel left it";
  }
  return f;
}

Finding check_hypervisor(const Machine& machine) {
  Finding f{.check = "hypervisor",
            .why = "a virtual CPU stands still whenever its host has something else to do"};
  const auto cpus = machine.text("proc/cpuinfo");
  if (!cpus) {
    f.found = "no /proc/cpuinfo";
    return f;
  }
  const bool virtual_machine = cpus->find(" hypervisor") != std::string::npos;
  f.verdict = virtual_machine ? Verdict::problem : Verdict::good;
  f.found = virtual_machine ? "this is a virtual machine" : "none";
  if (virtual_machine) f.remedy = "run on the hardware itself; here only behaviour can be tried";
  return f;
}

}  // namespace hild::doctor
