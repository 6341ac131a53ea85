// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hild::sequence {
namespace {

/// Six digits tell a person enough.
std::string with_unit(double value, std::string_view unit) {
  const bool bare = unit.empty() || unit == "1";
  return fmt::format("{:.6g}{}{}", value, bare ? "" : " ", bare ? "" : unit);
}

}  // namespace

Watch::Verdict Watch::feed(SimTime time, double value, bool after_gap) noexcept {
  const SimTime deadline = start_ + condition_->timeout;
  last_time_ = time;
  last_ = value;
  seen_ = true;
  lowest_ = std::min(lowest_, value);
  highest_ = std::max(highest_, value);
  gap_ = gap_ || after_gap;
  const bool inside = condition_->met_by(value);
  if (!inside || after_gap) out_until_ = time;
  if (inside && time - out_until_ >= condition_->hold) return state_ = Verdict::met;
  const bool too_late = out_until_ + condition_->hold > deadline || time >= deadline;
  return state_ = too_late ? Verdict::failed : Verdict::open;
}

std::string Watch::words(SimTime origin) const {
  const std::string wanted = to_string(*condition_);
  if (!seen_) return fmt::format("no sample of {}, expected {}", condition_->signal, wanted);
  std::string text = fmt::format("{} was {} at {:.6g} s", condition_->signal,
                                 with_unit(last_, condition_->unit), seconds(last_time_ - origin));
  if (lowest_ < highest_) {
    text += fmt::format(" ({} ... {} in {:.6g} s)", with_unit(lowest_, condition_->unit),
                        with_unit(highest_, condition_->unit), seconds(last_time_ - start_));
  }
  text += fmt::format(", expected {}", wanted);
  if (gap_) text += "; samples were lost, so that not every step is known";
  return text;
}

std::string to_string(const Condition& c) {
  std::string text;
  if (std::isinf(c.high)) {
    text = fmt::format("at least {}", with_unit(c.low, c.unit));
  } else if (std::isinf(c.low)) {
    text = fmt::format("at most {}", with_unit(c.high, c.unit));
  } else {
    text = fmt::format("{} ... {}", with_unit(c.low, c.unit), with_unit(c.high, c.unit));
  }
  if (c.hold > Duration{}) text += fmt::format(" for {:.6g} s", seconds(c.hold));
  if (c.timeout > c.hold) text += fmt::format(" within {:.6g} s", seconds(c.timeout));
  return text;
}

}  // namespace hild::sequence
