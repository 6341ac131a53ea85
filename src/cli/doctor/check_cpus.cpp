// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli/doctor/checks.hpp"
#include "core/doc_page.hpp"

namespace hild::doctor {
namespace {

constexpr const char* choose_cpu = "name a CPU (--cpu N, and cpu: in the section frame)";

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

// The CPUs of cgroup v2's isolated partitions. Linux 6.8 and later lists them; before, partitions
// are found where systemd has its slices.
std::string partitioned_cpus(const Machine& machine) {
  const std::string groups = "sys/fs/cgroup/";
  if (const auto all = machine.line(groups + "cpuset.cpus.isolated")) return *all;
  std::vector<std::string> found;
  for (const auto& slice : machine.names(groups)) {
    const std::string path = groups + slice;
    // The kernel adds " invalid" and why where it could not make it one.
    if (machine.line(path + "/cpuset.cpus.partition") == "isolated") {
      found.push_back(machine.line(path + "/cpuset.cpus.effective").value_or(""));
    }
  }
  return fmt::format("{}", fmt::join(found, ","));
}

bool has_partitions(const Machine& machine) {
  const auto controllers = machine.line("sys/fs/cgroup/cgroup.controllers");
  return controllers && controllers->find("cpuset") != std::string::npos;
}

// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 4: MSR_SMI_COUNT.
constexpr std::int64_t smi_count = 0x34;

}  // namespace

using enum Verdict;

Finding check_isolation(const Machine& machine) {
  const Check c{"isolated_cpus",
                "on a CPU of its own the frame thread shares caches and ticks with nobody"};
  const auto at_boot = machine.line("sys/devices/system/cpu/isolated");
  const std::string partitioned = partitioned_cpus(machine);
  if (!at_boot && partitioned.empty()) return c.is(unknown, "not told");
  std::vector<std::string> isolated;
  if (at_boot && !at_boot->empty()) isolated.push_back("isolated: " + *at_boot);
  if (!partitioned.empty()) isolated.push_back("isolated by a partition: " + partitioned);
  if (isolated.empty()) isolated.emplace_back("no CPU is isolated");
  const std::string found = fmt::format("{}", fmt::join(isolated, "; "));
  if (machine.cpu() < 0) return c.is(warning, found, choose_cpu);
  std::string where = fmt::format("{}; frames run on {}", found, machine.cpu());
  const bool in_partition = cpu_list_has(partitioned, machine.cpu());
  if (machine.answers().cpu_allowed == false) {
    where += ", where this process may not run";
    if (in_partition) {
      return c.is(warning, where,
                  "run hild in the slice of that partition: Slice= in its unit, by hand "
                  "systemd-run --scope --slice=SLICE hild ...");
    }
    return c.is(problem, where,
                "name a CPU that there is (/sys/devices/system/cpu/online), or allow this one: "
                "AllowedCPUs= of the unit and of the slices it is in");
  }
  if (in_partition || (at_boot && cpu_list_has(*at_boot, machine.cpu()))) return c.is(good, where);
  std::string remedy = fmt::format(
      "boot with isolcpus=managed_irq,domain,{0} nohz_full={0} rcu_nocbs={0}", machine.cpu());
  if (has_partitions(machine)) {
    remedy +=
        "; or without a boot: a slice of systemd with AllowedCPUs= as an isolated partition, see " +
        doc_page("install");
  }
  return c.is(warning, where, remedy);
}

Finding check_interrupts(const Machine& machine) {
  const Check c{"irq_affinity", "an interrupt on the CPU of the frames delays them by its handler"};
  if (machine.cpu() < 0) {
    return c.is(warning, "frames may run on any CPU, as may interrupts", choose_cpu);
  }
  const auto numbers = machine.names("proc/irq");
  if (numbers.empty()) return c.is(unknown, "no /proc/irq");
  std::vector<std::string> here;
  for (const auto& irq : numbers) {
    const auto cpus_of_it = machine.line("proc/irq/" + irq + "/effective_affinity_list");
    if (cpus_of_it && cpu_list_has(*cpus_of_it, machine.cpu())) here.push_back(irq);
  }
  if (here.empty()) return c.is(good, fmt::format("none is served by CPU {}", machine.cpu()));
  return c.is(warning, fmt::format("served by CPU {}: {}", machine.cpu(), fmt::join(here, " ")),
              fmt::format("for each: echo OTHER_CPUS > /proc/irq/{}/smp_affinity_list; and keep "
                          "irqbalance off that CPU (IRQBALANCE_BANNED_CPULIST={})",
                          here.front(), machine.cpu()));
}

Finding check_smt(const Machine& machine) {
  const Check c{"smt", "the other thread of a core takes half of its units whenever it likes"};
  const auto active = machine.number("sys/devices/system/cpu/smt/active");
  if (!active) return c.is(unknown, "not told");
  if (*active == 0) return c.is(good, "off");
  return c.is(warning, "on", "echo off > /sys/devices/system/cpu/smt/control, or boot with nosmt");
}

Finding check_threads(const Machine& machine) {
  const Check c{"realtime_threads",
                "a real-time thread of the same or a higher priority goes before the frames"};
  std::vector<std::string> others;
  const auto processes = machine.names("proc");
  if (processes.empty()) return c.is(unknown, "no /proc");
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
  if (others.empty()) {
    return c.is(good, fmt::format("none of priority {} or more", machine.priority()));
  }
  return c.is(warning, fmt::format("{}", fmt::join(others, ", ")),
              "end it, give it another CPU (taskset -cp CPU TASK), or the frames a higher "
              "priority: in the section frame");
}

Finding check_smis(const Machine& machine) {
  const Check c{"smis",
                "an interrupt of the firmware (SMI) stops all CPUs, unseen by the kernel, for as "
                "long as it likes"};
  const auto cpuinfo = machine.text("proc/cpuinfo");
  if (!cpuinfo) return c.is(unknown, "no /proc/cpuinfo");
  if (cpuinfo->find("GenuineIntel") == std::string::npos) {
    return c.is(unknown, "cannot be read: only CPUs by Intel count them");
  }
  const std::string path = fmt::format("dev/cpu/{}/msr", std::max(machine.cpu(), 0));
  const auto count = machine.word(path, smi_count);
  if (!count && machine.exists(path)) {
    return c.is(unknown,
                fmt::format("cannot be read: no right to, or no such register in /{}", path),
                "run hild doctor as root, on the hardware itself");
  }
  if (!count) {
    return c.is(unknown, fmt::format("cannot be read: no /{}", path), "modprobe msr, then as root");
  }
  // Firmware has its say while a machine starts; afterwards it should be silent.
  const auto up = machine.line("proc/uptime");
  const double minutes = up ? std::strtod(up->c_str(), nullptr) / 60 : 0;
  const auto smis = static_cast<double>(*count & 0xffffffff);
  const std::string found =
      fmt::format("{:.0f} in the {:.0f} minutes since the machine started", smis, minutes);
  if (smis <= minutes || minutes == 0) return c.is(good, found);
  return c.is(warning, found,
              "in the firmware's setup switch off USB legacy support and what else it does by "
              "itself; see whether the number still grows: rdmsr -d 0x34 (package msr-tools)");
}

}  // namespace hild::doctor
