// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hild::sequence {

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
                                 value_words(*condition_, last_), seconds(last_time_ - origin));
  if (lowest_ < highest_) {
    text += fmt::format(" ({} ... {} in {:.6g} s)", value_words(*condition_, lowest_),
                        value_words(*condition_, highest_), seconds(last_time_ - start_));
  }
  text += fmt::format(", expected {}", wanted);
  if (gap_) text += "; samples were lost, so that not every step is known";
  return text;
}

std::string value_words(const Condition& c, double value) {
  if (c.of_alarm) return value >= 2 ? "active" : value >= 1 ? "open" : "clear";
  // Six digits tell a person enough.
  const bool bare = c.unit.empty() || c.unit == "1";
  return fmt::format("{:.6g}{}{}", value, bare ? "" : " ", bare ? "" : c.unit);
}

std::string to_string(const Condition& c) {
  std::string text;
  if (c.of_alarm) {
    text = value_words(c, std::isinf(c.low) ? c.high : c.low);
  } else if (std::isinf(c.high)) {
    text = fmt::format("at least {}", value_words(c, c.low));
  } else if (std::isinf(c.low)) {
    text = fmt::format("at most {}", value_words(c, c.high));
  } else {
    text = fmt::format("{} ... {}", value_words(c, c.low), value_words(c, c.high));
  }
  if (c.hold > Duration{}) text += fmt::format(" for {:.6g} s", seconds(c.hold));
  if (c.timeout > c.hold) text += fmt::format(" within {:.6g} s", seconds(c.timeout));
  return text;
}

}  // namespace hild::sequence
