// SPDX-License-Identifier: Apache-2.0
/// \file
/// The remedies where no step fits: Cellier's four (The Race Against Time), each with its numbers.
/// Not real-time.
#pragma once

#include <string>
#include <vector>

#include "offline/advise/partition.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {

enum class Remedy { longer_step, cheaper_function, cheaper_method, faster_machine };

/// One remedy. `price` ranks those that help: the factor by which something is given up, accuracy
/// (error over accuracy asked for) or money (speed of a machine); 1 gives up nothing.
struct Offer {
  Remedy remedy{};
  bool helps = false;
  double price = 1;
  double h = 0;      ///< s: longer_step, the step; cheaper_function, the new upper bound
  double error = 0;  ///< longer_step: of the method at h; cheaper_function: of leaving modes out
  std::vector<std::size_t> states{};  ///< cheaper_function: the fast states to be residualised
  double share = 0;      ///< cheaper_function: their share of all states, so about of the cost
  double factor = 1;     ///< how many times faster the function or the machine has to be
  std::string method{};  ///< cheaper_method: the one with the widest window
};

/// The situation in which no step fits.
struct Shortfall {
  const Window* window = nullptr;  ///< of the configured method
  double error_at_lower = 0;       ///< fractional error with the smallest step that fits
  std::optional<Split> split{};    ///< fast modes that could go ...
  double upper_without_fast = 0;   ///< ... with the upper bound without them, s
  double band = 0;                 ///< omega of interest, rad/s
  std::span<const Window> all{};   ///< the windows of all candidates
};

/// The four remedies: those that help first, among them the lowest price first.
///
/// - A longer step: h is the lower bound; it helps unless stability ends before.
/// - A cheaper function: the one without its fast modes, which then follow at once
///   (residualised): wrong by band / slowest_fast at the end of the band. It helps when the window
///   opens with the costs reduced in proportion to the states; else `factor` is what the function
///   must gain.
/// - A cheaper method: another one with an open window.
/// - A faster machine: all costs fall with its speed, and the lower bound with them, so `factor` is
///   lower / upper. Without any stable step no machine helps.
[[nodiscard]] std::vector<Offer> remedies(const Shortfall& shortfall, double accuracy);

}  // namespace hild::advise
