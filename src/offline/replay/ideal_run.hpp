// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the recorded run again with the same loop, as if every step had been in time.
#pragma once

#include "offline/replay/whole_run.hpp"

namespace hild::replay {

/// When images are taken.
enum class Taken {
  on_time,     ///< at their nominal time
  as_recorded  ///< as late, or as long before, as in the frame of the record, where that was in
               ///< time
};

/// The states at every tick. Error: the run ends before its time.
[[nodiscard]] Result<Trajectory> ideal_run(const plan::Assembly& assembly, const WholeRun& run,
                                           exec::Sampling sampling, Taken taken);

/// The configured sampling, or where that holds inputs the best for the method.
[[nodiscard]] exec::Sampling best_sampling(const plan::Assembly& assembly);

}  // namespace hild::replay
