// SPDX-License-Identifier: Apache-2.0
/// \file
/// The checks of `hild doctor`, a function each; those in one source file belong together.
#pragma once

#include <vector>

#include "cli/doctor/finding.hpp"
#include "cli/doctor/machine.hpp"

namespace hild::doctor {

// check_kernel.cpp
[[nodiscard]] Finding check_preemption(const Machine& machine);
[[nodiscard]] Finding check_throttling(const Machine& machine);
[[nodiscard]] Finding check_fair_server(const Machine& machine);
/// The share of time that real-time threads on the CPU of the frames may keep: what is left by
/// throttling or, where that is less, by the fair server, which takes its part only while ordinary
/// threads wait. 1: all of it.
struct RealTimeShare {
  double share = 1;
  bool by_fair_server = false;
  bool known = true;  ///< else the usual share stands in for one that only root can read
};
[[nodiscard]] RealTimeShare real_time_share(const Machine& machine);
[[nodiscard]] Finding check_clock_source(const Machine& machine);
[[nodiscard]] Finding check_hypervisor(const Machine& machine);
// check_cpus.cpp
[[nodiscard]] Finding check_isolation(const Machine& machine);
[[nodiscard]] Finding check_interrupts(const Machine& machine);
[[nodiscard]] Finding check_smt(const Machine& machine);
[[nodiscard]] Finding check_threads(const Machine& machine);
[[nodiscard]] Finding check_smis(const Machine& machine);
// check_power.cpp
[[nodiscard]] Finding check_governor(const Machine& machine);
[[nodiscard]] Finding check_idle_states(const Machine& machine);
[[nodiscard]] Finding check_latency_file(const Machine& machine);
// check_clocks.cpp
[[nodiscard]] Finding check_timerlat(const Machine& machine);
[[nodiscard]] Finding check_tai(const Machine& machine);
[[nodiscard]] Finding check_network_stamps(const Machine& machine);
// check_rights.cpp
[[nodiscard]] Finding check_rtprio(const Machine& machine);
[[nodiscard]] Finding check_memlock(const Machine& machine);
[[nodiscard]] Finding check_swap(const Machine& machine);
[[nodiscard]] Finding check_comedi(const Machine& machine);
[[nodiscard]] Finding check_disk(const Machine& machine);

/// Makes all checks, in the order in which problems are best repaired.
[[nodiscard]] std::vector<Finding> examine(const Machine& machine);

}  // namespace hild::doctor
