// SPDX-License-Identifier: Apache-2.0
/// What keeps the outputs of a run safe: arming, the guard, the last write.
#include <fmt/format.h>

#include <algorithm>

#include "cli/main/session.hpp"
#include "cli/terminal/print.hpp"
#include "io/guard/safe_ramp.hpp"

namespace hild::commands {

// A converter that drives something is armed by a person; a simulated one needs nobody.
void Session::choose_arming() {
  io::Bus& bus = *assembly_.bus;
  const bool hardware = std::ranges::any_of(bus.outputs(), [&](const io::OutputSignal& o) {
    return o.device >= 0 && bus.members()[static_cast<std::size_t>(o.device)].device->hardware();
  });
  if (!hardware && !options_.arm) return;
  bus.start_disarmed();
  if (options_.arm) {
    bus.arm(assembly_.config.safety.ramp_in);
  } else {
    warn(fmt::format("outputs are disarmed and take their safe actions: {}",
                     assembly_.config.control
                         ? "arm them with `hildctl arm`"
                         : "run with --arm, or add a control: section and use `hildctl arm`"));
  }
}

// Under the ordinary scheduler a busy machine may leave frames out for seconds, and that is no
// hang.
void Session::choose_patience() {
  config::Config& config = assembly_.config;
  const int priority = config.frame.priority;
  if (options_.offline || (priority > 0 && rt::urgent_allowed(priority))) return;
  config.safety.within = config.safety.within_ordinary;
  config.settings.overrun.standstill = config.standstill_ordinary;
}

Result<void> Session::start_guard() {
  if (options_.offline || !assembly_.bus->drives()) return {};
  if (!assembly_.config.safety.guard) {
    warn("safety.guard is off: nobody makes the outputs safe if this process dies or hangs");
    return {};
  }
  return guard_keeper_.start(*assembly_.bus, assembly_.config, warnings_);
}

// The loop ends with its safe actions begun; those that take time are brought to their end here,
// watched by the guard. On the frame thread: another may be waiting for somebody to read its words.
void Session::make_outputs_safe() {
  guard::Guard* const guard = guard_keeper_.guard();
  const bool settled = guard::ramp_to_safe(*assembly_.bus, *clock_, [this, guard] {
    if (guard != nullptr) guard->heartbeat().beat.set(clock_->now().ns);
  });
  frames_.outcome.safe = frames_.outcome.safe && settled;
  if (guard != nullptr) guard->release();
}

void Session::end_loop() {
  if (!frames_.thread) return;
  frames_.thread->join();
  frames_.thread.reset();
  guard_keeper_.end();
  assembly_.bus->stop();
}

}  // namespace hild::commands
