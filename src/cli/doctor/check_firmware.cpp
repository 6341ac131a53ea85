// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {
namespace {

// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 4: MSR_SMI_COUNT.
constexpr std::int64_t smi_count = 0x34;

}  // namespace

Finding check_smis(const Machine& machine) {
  Finding f{.check = "smis",
            .why =
                "an interrupt of the firmware (SMI) stops all CPUs, unseen by the kernel, for as "
                "long as it likes"};
  const auto cpus = machine.text("proc/cpuinfo");
  if (!cpus || cpus->find("GenuineIntel") == std::string::npos) {
    f.found = cpus ? "cannot be read: only CPUs by Intel count them" : "no /proc/cpuinfo";
    return f;
  }
  const std::string path = fmt::format("dev/cpu/{}/msr", std::max(machine.cpu(), 0));
  const auto count = machine.word(path, smi_count);
  if (!count) {
    const bool there = machine.exists(path);
    f.found = fmt::format("cannot be read: {} /{}",
                          there ? "no right to, or no such register in" : "no", path);
    f.remedy =
        there ? "run hild doctor as root, on the hardware itself" : "modprobe msr, then as root";
    return f;
  }
  // Firmware has its say while a machine starts; afterwards it should be silent.
  const auto up = machine.line("proc/uptime");
  const double minutes = up ? std::strtod(up->c_str(), nullptr) / 60 : 0;
  const auto smis = static_cast<double>(*count & 0xffffffff);
  const bool rare = smis <= minutes;
  f.verdict = rare || minutes == 0 ? Verdict::good : Verdict::warning;
  f.found = fmt::format("{:.0f} in the {:.0f} minutes since the machine started", smis, minutes);
  if (f.verdict != Verdict::good) {
    f.remedy =
        "in the firmware's setup switch off USB legacy support and what else it does by itself; "
        "see "
        "whether the number still grows: rdmsr -d 0x34 (package msr-tools)";
  }
  return f;
}

}  // namespace hild::doctor
