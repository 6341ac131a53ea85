// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulated controller at its own rate: its ticks are played on a virtual clock, or come from
/// a thread, which sees the lines by their image alone.
#pragma once

#include "drivers/sim_controller.hpp"
#include "drivers/sim_worker.hpp"
#include "drivers/sim_world.hpp"

namespace hild::sim {

class ControlLoop final : public Ticking {
 public:
  /// Both outlive this; the world has all of its channels.
  ControlLoop(Controller& controller, World& world)
      : controller_(controller), world_(world), seen_(world.width()) {}

  /// The world has been started.
  void start() noexcept;
  /// Ticks by a thread from now on. Error: it could not be started.
  [[nodiscard]] Result<void> start_thread();
  void stop() noexcept { thread_.reset(); }

  // On a virtual clock.

  [[nodiscard]] MonoTime due() const noexcept { return world_.epoch() + controller_.due(next_); }
  /// Makes the tick that is due.
  void play() noexcept;

 private:
  void tick(MonoTime now) noexcept override;
  [[nodiscard]] std::size_t channel() const noexcept {
    return static_cast<std::size_t>(controller_.measure());
  }

  Controller& controller_;
  World& world_;
  std::int64_t next_ = 0;  // its tick
  double measured_ = 0;    // last, by the thread
  std::vector<double> seen_;
  std::unique_ptr<Worker> thread_;
};

}  // namespace hild::sim
