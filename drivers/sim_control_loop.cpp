// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_control_loop.hpp"

namespace hild::sim {

void ControlLoop::start() noexcept {
  next_ = 0;
  measured_ = world_.held()[channel()];
}

Result<void> ControlLoop::start_thread() {
  auto thread = Worker::start("hild-sim-ctl", world_.epoch() + controller_.phase(),
                              controller_.grid(), 0, *this);
  if (!thread) return tl::make_unexpected(thread.error());
  thread_ = std::move(*thread);
  return {};
}

void ControlLoop::play() noexcept {
  const MonoTime now = due();
  ++next_;
  world_.command(now, controller_.tick(now - world_.epoch(), world_.held()[channel()]));
}

void ControlLoop::tick(MonoTime now) noexcept {
  // Without a whole image the controller goes by what it measured before.
  if (world_.image.read(seen_)) measured_ = seen_[channel()];
  world_.post_command(now, controller_.tick(now - world_.epoch(), measured_));
}

}  // namespace hild::sim
