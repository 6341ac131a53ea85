// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/checks.hpp"

namespace hild::doctor {

std::string_view to_string(Verdict verdict) noexcept {
  static constexpr std::string_view words[] = {"good", "warning", "problem", "unknown"};
  return words[static_cast<std::size_t>(verdict)];
}

std::vector<Finding> examine(const Machine& machine) {
  std::vector<Finding> findings;
  for (const auto check :
       {check_preemption,  check_hypervisor,   check_rtprio,       check_memlock,
        check_throttling,  check_fair_server,  check_clock_source, check_isolation,
        check_interrupts,  check_threads,      check_smt,          check_governor,
        check_idle_states, check_latency_file, check_smis,         check_swap,
        check_comedi,      check_disk,         check_tai,          check_network_stamps,
        check_timerlat}) {
    findings.push_back(check(machine));
  }
  return findings;
}

}  // namespace hild::doctor
