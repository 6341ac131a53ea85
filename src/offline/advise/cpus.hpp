// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which of several models to run on which CPU, and whether that pays.
#pragma once

#include <string>
#include <vector>

#include "config/plan/placement.hpp"

namespace hild::advise {

/// The best that can be done with so many workers.
struct CpuChoice {
  plan::Placement placement;
  Duration longest{};  ///< what the busiest thread has to do in a step
};

struct CpuAdvice {
  std::string config_file;
  std::vector<std::string> models{};
  std::vector<Duration> costs{};  ///< of a step of each, by itself
  Duration period{};
  int frame_cpu = -1;                ///< of the configuration; -1: any
  std::vector<CpuChoice> choices{};  ///< without workers, with one, and so on
  std::size_t best = 0;              ///< the one to take

  [[nodiscard]] const CpuChoice& chosen() const noexcept { return choices[best]; }
};

/// Tries so many workers as there are other CPUs, but no more than models. The best choice has the
/// fewest workers among those whose longest thread is within a tenth of the shortest; and none
/// where they would not save at least `worth` of a step: a worker costs a CPU.
inline constexpr Duration worth = 5_us;
[[nodiscard]] CpuAdvice advise_cpus(const plan::Assembly& assembly, std::vector<Duration> costs,
                                    const std::vector<int>& other_cpus);

}  // namespace hild::advise
