// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a sequence. A change is sent ahead, together with the time it is for, so that it takes
/// effect at exactly that step; conditions look at the samples of every step, not at the value at
/// the instant of asking.
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>

#include "control/sequence/bench.hpp"
#include "control/sequence/outcome.hpp"
#include "control/sequence/sequence.hpp"

namespace hild::sequence {

/// Called with the outcome of every step as soon as it is decided.
using Listener = std::function<void(const StepOutcome&)>;

/// Runs a sequence. `idle_signal` is subscribed to when the sequence has no condition, since
/// samples tell what time it is. A failure is one that happened before the first step.
[[nodiscard]] tl::expected<Outcome, Failure> run_sequence(Bench& bench, const Sequence& sequence,
                                                          std::string idle_signal,
                                                          Listener listener = {});

}  // namespace hild::sequence
