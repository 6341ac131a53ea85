// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <sstream>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {
namespace {

constexpr std::string_view choose_cpu = "name a CPU (--cpu N, and cpu: in the section frame)";

/// A thread in proc(5)'s stat: real-time, and which CPU it was seen on.
struct Seen {
  std::string name;
  int parent = -1;
  int cpu = -1;
  int priority = 0;
};

std::optional<Seen> realtime_thread(const std::string& stat) {
  const auto open = stat.find('(');
  const auto close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  std::istringstream rest(stat.substr(close + 1));
  std::vector<std::string> fields{"", "", ""};  // counted from 1; the third comes next
  for (std::string field; rest >> field;) fields.push_back(field);
  if (fields.size() < 42) return std::nullopt;
  const int policy = std::atoi(fields[41].c_str());
  if (policy != 1 && policy != 2) return std::nullopt;  // SCHED_FIFO, SCHED_RR
  return Seen{stat.substr(open + 1, close - open - 1), std::atoi(fields[4].c_str()),
              std::atoi(fields[39].c_str()), std::atoi(fields[40].c_str())};
}

// The kernel's own that every CPU has, and which wake for what the frames themselves ask for.
bool of_the_kernel(const std::string& name) {
  for (const char* start : {"migration/", "idle_inject/", "ksoftirqd/", "rcu", "ktimers/",
                            "irq_work/", "stopper", "watchdog/", "posixcputmr", "cpuhp/"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

Finding check_isolation(const Machine& machine) {
  Finding f{.check = "isolated_cpus",
            .why = "on a CPU of its own the frame thread shares caches and ticks with nobody"};
  const auto isolated = machine.line("sys/devices/system/cpu/isolated");
  if (!isolated) {
    f.found = "not told";
    return f;
  }
  const bool own = machine.cpu() >= 0 && cpu_list_has(*isolated, machine.cpu());
  f.verdict = own ? Verdict::good : Verdict::warning;
  f.found = isolated->empty() ? "no CPU is isolated" : "isolated: " + *isolated;
  if (machine.cpu() >= 0) f.found += fmt::format("; frames run on {}", machine.cpu());
  if (!own) {
    f.remedy = machine.cpu() < 0 ? std::string(choose_cpu)
                                 : fmt::format(
                                       "boot with isolcpus=managed_irq,domain,{0} nohz_full={0} "
                                       "rcu_nocbs={0}",
                                       machine.cpu());
  }
  return f;
}

Finding check_interrupts(const Machine& machine) {
  Finding f{.check = "irq_affinity",
            .why = "an interrupt on the CPU of the frames delays them by its handler"};
  if (machine.cpu() < 0) {
    f.found = "frames may run on any CPU, as may interrupts";
    f.verdict = Verdict::warning;
    f.remedy = choose_cpu;
    return f;
  }
  std::vector<std::string> here;
  const auto numbers = machine.names("proc/irq");
  for (const auto& irq : numbers) {
    const auto cpus = machine.line("proc/irq/" + irq + "/effective_affinity_list");
    if (cpus && cpu_list_has(*cpus, machine.cpu())) here.push_back(irq);
  }
  if (numbers.empty()) {
    f.found = "no /proc/irq";
    return f;
  }
  f.verdict = here.empty() ? Verdict::good : Verdict::warning;
  f.found = here.empty() ? fmt::format("none is served by CPU {}", machine.cpu())
                         : fmt::format("served by CPU {}: {}", machine.cpu(), fmt::join(here, " "));
  if (!here.empty()) {
    f.remedy = fmt::format(
        "for each: echo OTHER_CPUS > /proc/irq/{}/smp_affinity_list; and keep "
        "irqbalance off that CPU (IRQBALANCE_BANNED_CPULIST={})",
        here.front(), machine.cpu());
  }
  return f;
}

Finding check_smt(const Machine& machine) {
  Finding f{.check = "smt",
            .why = "the other thread of a core takes half of its units whenever it likes"};
  const auto active = machine.number("sys/devices/system/cpu/smt/active");
  if (!active) {
    f.found = "not told";
    return f;
  }
  f.verdict = *active == 0 ? Verdict::good : Verdict::warning;
  f.found = *active == 0 ? "off" : "on";
  if (*active != 0) {
    f.remedy = "echo off > /sys/devices/system/cpu/smt/control, or boot with nosmt";
  }
  return f;
}

Finding check_threads(const Machine& machine) {
  Finding f{.check = "realtime_threads",
            .why = "a real-time thread of the same or a higher priority goes before the frames"};
  std::vector<std::string> others;
  const auto processes = machine.names("proc");
  for (const auto& process : processes) {
    if (process.find_first_not_of("0123456789") != std::string::npos) continue;
    for (const auto& task : machine.names("proc/" + process + "/task")) {
      const auto stat = machine.line(fmt::format("proc/{}/task/{}/stat", process, task));
      const auto seen = stat ? realtime_thread(*stat) : std::nullopt;
      if (!seen || seen->priority < machine.priority() || !machine.runs_frames(seen->cpu) ||
          of_the_kernel(seen->name) || seen->parent == ::getpid()) {  // our guard
        continue;
      }
      others.push_back(
          fmt::format("{} ({}, priority {}, CPU {})", seen->name, task, seen->priority, seen->cpu));
    }
  }
  f.verdict = others.empty() ? Verdict::good : Verdict::warning;
  f.found = others.empty() ? fmt::format("none of priority {} or more", machine.priority())
                           : fmt::format("{}", fmt::join(others, ", "));
  if (processes.empty()) f = {f.check, Verdict::unknown, "no /proc", f.why, ""};
  if (!others.empty()) {
    f.remedy =
        "end it, give it another CPU (taskset -cp CPU TASK), or the frames a higher "
        "priority: in the section frame";
  }
  return f;
}

}  // namespace hild::doctor
