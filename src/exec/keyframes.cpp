// SPDX-License-Identifier: Apache-2.0
#include "exec/keyframes.hpp"

#include <algorithm>
#include <new>

namespace hild::exec {
namespace {

constexpr std::size_t most_memory = std::size_t{64} << 20U;

}  // namespace

void Keyframes::begin(const Archive& measured, std::size_t records) {
  problem_ = measured.problem();
  if (!measured.good()) return;
  most_bytes_ = (measured.bytes() + 7) / 8 * 8;
  const std::size_t slot = sizeof(KeyframeHead) + most_bytes_;
  const auto every =
      static_cast<std::size_t>(std::max<std::int64_t>(run_->settings.keyframes.every, 0));
  const std::size_t within = every > 0 ? records / every : 0;
  ring_.emplace(slot, std::clamp<std::size_t>(most_memory / slot, 2, 2 + within));
  cost_.seed(run_->settings.keyframes.cost);
}

// One that was asked for moves none that is due unasked: where a file ends goes by those, and who
// asks may be any time late.
void Keyframes::wait_for_next() noexcept {
  put_off_ = 0;
  const std::int64_t every = run_->settings.keyframes.every;
  const std::int64_t now = run_->clock->gone_by();
  if (every > 0 && (due_ <= now || due_ == never)) due_ = now + every;
  look_later();
}

void Keyframes::look_later() noexcept {
  const std::int64_t look = run_->settings.keyframes.look;
  next_ = look > 0 ? std::min(due_, run_->clock->gone_by() + look) : due_;
}

// One answers all that asked before it was begun.
bool Keyframes::wanted() noexcept {
  const std::int64_t asked = asked_.get();
  if (asked == answered_ && run_->clock->gone_by() < due_ && put_off_ == 0) return false;
  answered_ = asked;
  return true;
}

void Keyframes::put_off() noexcept {
  cost_.decay();
  if (++put_off_ >= run_->settings.keyframes.max_deferrals) leave_out();
}

void Keyframes::leave_out() noexcept {
  run_->statistics->keyframes_left_out.add();
  wait_for_next();
}

void Keyframes::finish(std::byte* slot, const Archive& archive,
                       std::int64_t transactions) noexcept {
  if (!archive.good()) return leave_out();
  const Step& step = run_->step;
  new (slot) KeyframeHead{.step = step.number,
                          .frame = step.frame,
                          .time = step.time,
                          .tick = step.due,
                          .transactions = transactions,
                          .bytes = archive.bytes()};
  ring_->publish();
  run_->statistics->keyframes.add();
  wait_for_next();
}

}  // namespace hild::exec
