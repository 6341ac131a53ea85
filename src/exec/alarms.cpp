// SPDX-License-Identifier: Apache-2.0
#include "exec/alarms.hpp"

#include <algorithm>
#include <utility>

namespace hild::exec {
namespace {

double watched_by(const Alarm& alarm, const Alarms::Values& values) noexcept {
  switch (alarm.of) {
    case Interlock::Of::input:
      return values.inputs[alarm.index];
    case Interlock::Of::output:
      return values.outputs[alarm.index];
    case Interlock::Of::state:
      break;
  }
  return values.states[alarm.index];
}

}  // namespace

Alarms::Alarms(std::vector<Alarm> all) : all_(std::move(all)) {
  all_.resize(std::min(all_.size(), most_alarms));
  for (rt::Counter& frame : since_) frame.set(-1);
  outside_for_.assign(all_.size(), -1);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if (all_[i].latch) latching_ |= bit;
    if (all_[i].then == Alarm::Then::disarm) disarming_ |= bit;
  }
}

// What is not a number is not within anything.
bool Alarms::within(const Alarm& alarm, double value, bool outside) const noexcept {
  const double by = outside ? alarm.hysteresis : 0;
  return value >= alarm.low + by && value <= alarm.high - by;
}

bool Alarms::look(const Values& values, std::int64_t span, std::int64_t frame,
                  RunEnd& end) noexcept {
  const std::uint32_t before = active_;
  bool goes_on = true;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Alarm& alarm = all_[i];
    const std::uint32_t bit = std::uint32_t{1} << i;
    std::int64_t& outside_for = outside_for_[i];
    const double value = watched_by(alarm, values);
    if (within(alarm, value, outside_for >= 0)) {
      outside_for = -1;
      active_ &= ~bit;
      continue;
    }
    // No further than it takes, so that the count stays small and the same state has the same bits.
    outside_for = outside_for < 0 ? 0 : std::min(outside_for + span, alarm.after);
    if (outside_for < alarm.after) continue;
    if ((open() & bit) == 0) since_[i].set(frame);
    active_ |= bit;
    if (alarm.then != Alarm::Then::stop || !goes_on) continue;
    end.tell_alarm(i, value, frame);
    goes_on = false;
  }
  unacknowledged_ |= active_ & ~before & latching_;
  tell();
  return goes_on;
}

void Alarms::acknowledge(std::uint32_t alarm) noexcept {
  unacknowledged_ &= ~(std::uint32_t{1} << alarm);
  tell();
}

void Alarms::tell() noexcept {
  const auto both = static_cast<std::int64_t>(std::uint64_t{active_} << 32U | open());
  if (told_.get() != both) told_.set(both);
}

void Alarms::transfer(Archive& archive) noexcept {
  archive.expect(all_.size(), "number of alarms");
  archive(active_, unacknowledged_);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    archive.number(outside_for_[i], -1, all_[i].after, "frames that an alarm is outside");
    const bool active = (active_ >> i & 1U) != 0;
    archive.check(active == (outside_for_[i] == all_[i].after), "an alarm that is active");
  }
  const std::uint32_t none = all_.size() < most_alarms ? ~0U << all_.size() : 0;
  archive.check(((active_ | unacknowledged_) & none) == 0 && (unacknowledged_ & ~latching_) == 0,
                "alarms that are open");
  if (!archive.loads()) return;
  for (rt::Counter& frame : since_) frame.set(-1);
  tell();
}

}  // namespace hild::exec
