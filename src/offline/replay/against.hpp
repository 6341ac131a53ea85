// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two recordings held against one another, step by step: branches of one run, or two runs of one
/// model. Steps belong together that start at the same simulated frame.
#pragma once

#include <functional>

#include "hild/core/archive.hpp"
#include "hild/core/result.hpp"
#include "offline/replay/difference.hpp"
#include "offline/replay/source.hpp"

namespace hild::replay {

struct Against : Differences {
  std::int64_t first_frame = 0;  ///< of those compared
  std::int64_t last_frame = 0;
  std::int64_t only_first = 0;  ///< steps that the first one alone has
  std::int64_t only_second = 0;
};

struct AgainstOptions {
  double tolerance = 0;  ///< as in compare(); 0: every bit
  /// Called with each pair.
  std::function<void(const io::FrameView&, const io::FrameView&)> on_pair =
      [](const io::FrameView&, const io::FrameView&) {};
  /// Called for each step that is read; false ends it.
  std::function<bool()> go_on = [] { return true; };
};

/// Error: they have another number of states or outputs, or no step in common.
[[nodiscard]] Result<Against> against(StepSource& first, StepSource& second,
                                      const AgainstOptions& options = {});

}  // namespace hild::replay
