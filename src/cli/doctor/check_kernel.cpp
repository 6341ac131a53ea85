// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {

using enum Verdict;

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
  return c.is(warning, fmt::format("real-time threads get {} of {} us", *runtime, *period),
              "sysctl -w kernel.sched_rt_runtime_us=-1, if the frames use more than this share; it "
              "is what ends a spinning clock otherwise");
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
