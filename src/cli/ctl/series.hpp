// SPDX-License-Identifier: Apache-2.0
/// \file
/// The last values of a signal, and a line that shows them.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "cli/report/style.hpp"

namespace hild::ctl {

class Series {
 public:
  explicit Series(std::size_t length) : length_(length) {}

  void add(double value);
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] double last() const { return values_.back(); }
  /// Of those kept and finite; NaN when there is none.
  [[nodiscard]] double lowest() const;
  [[nodiscard]] double highest() const;

  /// A character a value, oldest first, from the lowest to the highest; what never changes is in
  /// the middle, what is not finite a blank. As many columns as values are kept.
  [[nodiscard]] std::string sparkline(const report::Style& style) const;

 private:
  std::size_t length_;
  std::deque<double> values_;
};

}  // namespace hild::ctl
