// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the last values of a signal, and draws them in one line of text.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "cli/report/text.hpp"

namespace hild::ctl {

class Series {
 public:
  explicit Series(std::size_t length) : length_(length) {}

  void add(double value);
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] double last() const { return values_.back(); }
  /// The lowest and the highest of the finite values kept; NaN when there is none.
  [[nodiscard]] double lowest() const;
  [[nodiscard]] double highest() const;

  /// A character for each value, oldest first, scaled from the lowest to the highest. A constant is
  /// drawn in the middle, a value that is not finite as a blank. As many columns as values are
  /// kept.
  [[nodiscard]] std::string sparkline(const report::Style& style) const;

 private:
  std::size_t length_;
  std::deque<double> values_;
};

}  // namespace hild::ctl
