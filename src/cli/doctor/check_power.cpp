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

using enum Verdict;

Finding check_governor(const Machine& machine) {
  const Check c{"governor", "a CPU that slows down when idle does the first frames slowly"};
  std::set<std::string> governors;
  for (const auto& cpu : frame_cpus(machine)) {
    const auto governor = machine.line(cpus + cpu + "/cpufreq/scaling_governor");
    if (governor) governors.insert(*governor);
  }
  if (governors.empty()) return c.is(unknown, "the frequency is not the kernel's to choose");
  const std::string found = fmt::format("{}", fmt::join(governors, ", "));
  if (found == "performance") return c.is(good, found);
  return c.is(warning, found, "cpupower frequency-set -g performance");
}

Finding check_idle_states(const Machine& machine) {
  constexpr std::int64_t shallow_us = 10;
  const Check c{"idle_states", "waking from a deep idle state takes as long as the state says"};
  std::int64_t deepest = -1;
  for (const auto& cpu : frame_cpus(machine)) {
    const std::string idle = fmt::format("{}{}/cpuidle", cpus, cpu);
    for (const auto& state : machine.names(idle, "state")) {
      const std::string path = fmt::format("{}/{}", idle, state);
      if (machine.number(path + "/disable") == 1) continue;
      deepest = std::max(deepest, machine.number(path + "/latency").value_or(-1));
    }
  }
  if (deepest < 0) return c.is(unknown, "no idle states are told of");
  const std::string found = fmt::format("the deepest allowed takes {} us to leave", deepest);
  // While hild runs, it holds /dev/cpu_dma_latency at 0: this is only what there is without.
  if (deepest <= shallow_us || machine.usable("dev/cpu_dma_latency")) return c.is(good, found);
  return c.is(warning, found,
              "let hild hold /dev/cpu_dma_latency (below), or cpupower idle-set -D 10");
}

Finding check_latency_file(const Machine& machine) {
  const Check c{"cpu_dma_latency",
                "hild holds this file at 0 while it runs, so that CPUs idle lightly"};
  if (!machine.exists("dev/cpu_dma_latency")) return c.is(unknown, "no /dev/cpu_dma_latency");
  if (machine.usable("dev/cpu_dma_latency")) return c.is(good, "may be held");
  return c.is(warning, "may not be written by this user",
              "install the udev rule 60-hild.rules and join its group: usermod -aG iocard USER");
}

}  // namespace hild::doctor
