// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {
namespace {

const std::string cpus = "sys/devices/system/cpu/";

/// The CPUs that frames may run on: "cpu0", ...
std::vector<std::string> frame_cpus(const Machine& machine) {
  auto all = machine.names(cpus, "cpu");
  std::erase_if(all, [&](const std::string& name) {
    const bool numbered =
        name.size() > 3 && name.find_first_not_of("0123456789", 3) == std::string::npos;
    return !numbered || !machine.runs_frames(std::atoi(name.c_str() + 3));
  });
  return all;
}

}  // namespace

Finding check_governor(const Machine& machine) {
  Finding f{.check = "governor",
            .why = "a CPU that slows down when idle does the first frames slowly"};
  std::set<std::string> governors;
  for (const auto& cpu : frame_cpus(machine)) {
    const auto governor = machine.line(cpus + cpu + "/cpufreq/scaling_governor");
    if (governor) governors.insert(*governor);
  }
  if (governors.empty()) {
    f.found = "the frequency is not the kernel's to choose";
    return f;
  }
  const bool fast = governors == std::set<std::string>{"performance"};
  f.verdict = fast ? Verdict::good : Verdict::warning;
  f.found = fmt::format("{}", fmt::join(governors, ", "));
  if (!fast) f.remedy = "cpupower frequency-set -g performance";
  return f;
}

Finding check_idle_states(const Machine& machine) {
  constexpr std::int64_t shallow_us = 10;
  Finding f{.check = "idle_states",
            .why = "waking from a deep idle state takes as long as the state says"};
  std::int64_t deepest = -1;
  for (const auto& cpu : frame_cpus(machine)) {
    const std::string idle = fmt::format("{}{}/cpuidle", cpus, cpu);
    for (const auto& state : machine.names(idle, "state")) {
      const std::string path = fmt::format("{}/{}", idle, state);
      if (machine.number(path + "/disable") == 1) continue;
      deepest = std::max(deepest, machine.number(path + "/latency").value_or(-1));
    }
  }
  if (deepest < 0) {
    f.found = "no idle states are told of";
    return f;
  }
  f.found = fmt::format("the deepest allowed takes {} us to leave", deepest);
  // While hild runs, it holds /dev/cpu_dma_latency at 0: this is only what there is without.
  f.verdict = deepest <= shallow_us || machine.usable("dev/cpu_dma_latency") ? Verdict::good
                                                                             : Verdict::warning;
  if (f.verdict == Verdict::good) return f;
  f.remedy = "let hild hold /dev/cpu_dma_latency (below), or cpupower idle-set -D 10";
  return f;
}

Finding check_latency_file(const Machine& machine) {
  Finding f{.check = "cpu_dma_latency",
            .why = "hild holds this file at 0 while it runs, so that CPUs idle lightly"};
  if (!machine.exists("dev/cpu_dma_latency")) {
    f.found = "no /dev/cpu_dma_latency";
    return f;
  }
  const bool usable = machine.usable("dev/cpu_dma_latency");
  f.verdict = usable ? Verdict::good : Verdict::warning;
  f.found = usable ? "may be held" : "may not be written by this user";
  if (!usable) {
    f.remedy = "install the udev rule 60-hild.rules and join its group: usermod -aG iocard USER";
  }
  return f;
}

}  // namespace hild::doctor
