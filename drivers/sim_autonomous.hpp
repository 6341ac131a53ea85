// SPDX-License-Identifier: Apache-2.0
/// \file
/// A converter at its own rate: at its ticks it takes its D/A mailbox and fills its A/D mailbox,
/// and the frame loop only touches the mailboxes. Ticks are played on a virtual clock, or come from
/// a thread of its own.
#pragma once

#include "drivers/sim_worker.hpp"
#include "drivers/sim_world.hpp"

namespace hild::sim {

class AutonomousConverter final : public Ticking {
 public:
  /// The world outlives this, and has all of its channels.
  AutonomousConverter(const Grid& grid, World& world);

  /// The world has been started. There is an image from now on.
  void start(MonoTime now) noexcept;
  /// Ticks by a thread from now on. Error: it could not be started.
  [[nodiscard]] Result<void> start_thread();
  /// No more ticks. What was posted last, safe values perhaps, still reaches the lines.
  void stop(MonoTime now) noexcept;

  // On a virtual clock.

  [[nodiscard]] MonoTime due() const noexcept { return world_.epoch() + grid_.tick(next_); }
  /// Makes the conversion that is due.
  void play() noexcept;

  /// Posts outputs, if there are any, and returns when the newest image was asked for, which it
  /// copies if inputs are wanted. By the frame loop; real-time safe.
  MonoTime trade(std::span<const double> outputs, std::span<double> inputs,
                 std::span<std::uint32_t> counts) noexcept;

 private:
  struct Image {
    MonoTime asked{};
    std::vector<double> values;
    std::vector<std::uint32_t> counts;
  };

  void tick(MonoTime now) noexcept override;
  void take_outputs(MonoTime now) noexcept;

  Grid grid_;
  World& world_;
  rt::TripleBuffer<std::vector<double>> outputs_;
  rt::TripleBuffer<Image> inputs_;
  std::int64_t next_ = 0;  // its tick
  std::unique_ptr<Worker> thread_;
};

}  // namespace hild::sim
