// SPDX-License-Identifier: Apache-2.0
/// What keeps the outputs of a run safe: arming, the guard, the last write.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/print.hpp"
#include "guard/safe_ramp.hpp"
#include "main/session.hpp"

namespace hild::commands {

// A converter that drives something is armed by a person; a simulated one needs nobody.
void Session::choose_arming() {
  io::Bus& bus = *assembly_.bus;
  const bool hardware = std::ranges::any_of(bus.outputs(), [&](const io::OutputSignal& o) {
    return o.device >= 0 && bus.members()[static_cast<std::size_t>(o.device)].device->hardware();
  });
  if (!hardware && !arm_) return;
  bus.start_disarmed();
  if (arm_) {
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
  if (offline_ || (priority > 0 && rt::urgent_allowed(priority))) return;
  config.safety.within = config.safety.within_ordinary;
  config.settings.overrun.standstill = config.standstill_ordinary;
}

Result<void> Session::start_guard() {
  const config::Config& config = assembly_.config;
  if (offline_ || !assembly_.bus->drives()) return {};
  if (!config.safety.guard) {
    warn("safety.guard is off: nobody makes the outputs safe if this process dies or hangs");
    return {};
  }
  const int frames = config.frame.priority;
  guard_watch_ = guard::Watch(config.safety.within * 4);  // noticed in 2 ... 2.5 times that
  auto guard = guard::Guard::start(*assembly_.bus,
                                   {.within = config.safety.within,
                                    .frame = config.settings.grid.period(),
                                    .priority = frames > 0 ? std::min(frames + 1, 99) : 0},
                                   warnings_);
  if (!guard) return tl::make_unexpected(guard.error());
  guard_.emplace(std::move(*guard));
  return {};
}

// Without a guard the run goes no further: the loop sees to that, here it is told.
void Session::watch_guard() {
  guard_death_.assign(::dup(guard_->death()));
  guard_death_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                          [this](const boost::system::error_code& error) {
                            if (!error && !guard_->released()) tell_guard_lost();
                          });
  look_at_guard();
}

void Session::tell_guard_lost() {
  if (std::exchange(guard_lost_, true)) return;
  cli::tell_text("hild: the guard of the outputs died: ending the run\n");
}

// One that is stopped guards nothing. It is ended, and the run with it.
void Session::look_at_guard() {
  guard_look_.expires_after(std::chrono::nanoseconds(guard_watch_.interval().ns));
  guard_look_.async_wait([this](const boost::system::error_code& error) {
    if (error || guard_->released()) return;
    if (guard_watch_.hangs(guard_->looks())) {
      cli::tell_text("hild: the guard of the outputs does not look any more: ending it\n");
      return guard_->kill();
    }
    look_at_guard();
  });
}

// The loop ends with its safe actions begun; those that take time are brought to their end here,
// watched by the guard. On the frame thread: another may be waiting for somebody to read its words.
void Session::make_outputs_safe() {
  const bool settled = guard::ramp_to_safe(*assembly_.bus, *clock_, [this] {
    if (guard_) guard_->heartbeat().beat.set(clock_->now().ns);
  });
  outcome_.safe = outcome_.safe && settled;
  if (guard_) guard_->release();
}

void Session::end_loop() {
  if (!thread_) return;
  thread_->join();
  thread_.reset();
  guard_.reset();
  assembly_.bus->stop();
}

}  // namespace hild::commands
