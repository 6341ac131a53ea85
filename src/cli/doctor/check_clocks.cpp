// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if_arp.h>

#include <algorithm>
#include <sstream>

#include "cli/doctor/checks.hpp"

// What some runs need, and others never miss: no warnings.
namespace hild::doctor {
namespace {

std::optional<bool> has_tracer(const Machine& machine, const std::string& name) {
  const auto tracers = machine.line("sys/kernel/tracing/available_tracers");
  if (!tracers) return std::nullopt;
  std::istringstream words(*tracers);
  for (std::string word; words >> word;) {
    if (word == name) return true;
  }
  return false;
}

}  // namespace

using enum Verdict;

Finding check_timerlat(const Machine& machine) {
  const Check c{"timerlat",
                "it tells what a late wake consists of: the interrupt, the thread, and what the "
                "kernel did meanwhile"};
  const auto traced = has_tracer(machine, "timerlat");
  if (!traced) {
    return c.is(unknown, "no right to /sys/kernel/tracing/available_tracers, or not mounted",
                "mount -t tracefs tracefs /sys/kernel/tracing, then run hild doctor as root");
  }
  if (!*traced) {
    return c.is(unknown, "this kernel has no such tracer",
                "a kernel with CONFIG_TIMERLAT_TRACER, as Debian's are; cyclictest (package "
                "rt-tests) tells the sum");
  }
  const std::string command = fmt::format(
      "rtla timerlat top{} -p 1000 -P f:{} -d 60s",
      machine.cpu() < 0 ? "" : fmt::format(" -c {}", machine.cpu()), machine.priority());
  const bool installed = machine.exists("usr/bin/rtla") || machine.exists("usr/local/bin/rtla");
  if (installed) return c.is(good, "measure by " + command);
  return c.is(
      unknown, "this kernel has it, but rtla is not installed",
      fmt::format("apt-get install rtla, then {}; or, in /sys/kernel/tracing: {}echo 1000 > "
                  "osnoise/timerlat_period_us, echo timerlat > current_tracer, cat trace, "
                  "echo nop > current_tracer",
                  command,
                  machine.cpu() < 0 ? "" : fmt::format("echo {} > osnoise/cpus, ", machine.cpu())));
}

Finding check_tai(const Machine& machine) {
  const Check c{
      "tai_offset",
      "PTP counts in TAI, which CLOCK_TAI is once the kernel knows how far UTC is behind"};
  const auto offset = machine.answers().tai_offset;
  if (!offset) return c.is(unknown, "not told");
  if (*offset != 0 && machine.answers().clock_is_kept == false) {
    return c.is(
        unknown,
        fmt::format("UTC is {} s behind, but nobody keeps the clock of this machine", *offset),
        "only where frames are aligned to those of other machines (`frame.align`): ptp4l and "
        "phc2sys (package linuxptp), or chrony, keep it");
  }
  if (*offset != 0) return c.is(good, fmt::format("UTC is {} s behind", *offset));
  return c.is(unknown, "0: nobody has told the kernel",
              "only where times are compared with those of PTP or CLOCK_TAI: `leapsectz right/UTC` "
              "in /etc/chrony/chrony.conf, or phc2sys (package linuxptp), sets it");
}

Finding check_network_stamps(const Machine& machine) {
  const Check c{
      "network_stamps",
      "the hardware stamps a packet when it comes in, the kernel when it gets round to it"};
  std::vector<std::string> by_hardware;
  std::vector<std::string> by_adapter;  // of a CAN bus, which PTP does not go over
  std::vector<std::string> by_kernel;
  const auto& stamps = machine.answers().receive_stamps;
  for (const auto& name : machine.names("sys/class/net")) {
    const std::string files = "sys/class/net/" + name;
    // What has no device is made by the kernel: lo, bridges, tunnels.
    if (!machine.exists(files + "/device")) continue;
    const auto stamp = stamps.find(name);
    if (stamp == stamps.end()) continue;
    const bool can = machine.number(files + "/type") == ARPHRD_CAN;
    (!stamp->second ? by_kernel : can ? by_adapter : by_hardware).push_back(name);
  }
  const auto also = [](std::string_view what, const std::vector<std::string>& names) {
    return names.empty() ? "" : fmt::format(", {}: {}", what, fmt::join(names, " "));
  };
  const std::string others =
      also("by the kernel alone", by_kernel) + also("by adapters of CAN", by_adapter);
  if (by_hardware.empty()) {
    if (others.empty()) return c.is(unknown, "no interface tells");
    return c.is(unknown, others.substr(2),
                "only where clocks are to agree by PTP to less than some tens of microseconds: a "
                "card whose `ethtool -T` names hardware-receive");
  }
  return c.is(good,
              fmt::format("by the hardware: {}{}; PTP (ptp4l, phc2sys) can keep this clock by {}",
                          fmt::join(by_hardware, " "), others, fmt::join(by_hardware, " ")));
}

}  // namespace hild::doctor
