// SPDX-License-Identifier: Apache-2.0
/// \file
/// External events: the third door through which non-determinism enters. Other threads post them
/// into a ring; the loop prepares them in its slack, when their measured cost fits before the next
/// release, and commits them at the start of a step. Nothing else reaches into the loop.
#pragma once

#include <array>
#include <cstdint>

#include "exec/histogram.hpp"
#include "hild/rt/ring.hpp"

namespace hild::exec {

/// Sets one parameter of a plant.
struct ExternalEvent {
  std::uint32_t plant = 0;
  std::uint32_t parameter = 0;
  double value = 0;
  bool restart = false;  ///< the change makes derivatives jump: forget the multistep history
};

class ExternalEvents {
 public:
  static constexpr std::size_t capacity = 256;
  static constexpr std::size_t max_prepared = 16;  ///< committed at one step
  static constexpr int max_deferrals = 1000;       ///< frames an event may wait for slack

  ExternalEvents() : ring_(sizeof(ExternalEvent), capacity) {}

  /// Other side, one thread. False when the ring is full: try again later.
  [[nodiscard]] bool post(const ExternalEvent& event) noexcept;

  // ---- the loop's side, real-time safe ----

  [[nodiscard]] bool waiting() noexcept { return ring_.front() != nullptr; }
  /// Takes one event when its usual cost fits into `slack` and there is room for this step.
  enum class Served { nothing, prepared, deferred, refused };
  Served serve(Duration slack) noexcept;
  /// What serving took, for the next decision.
  void learn(Duration cost) noexcept { cost_.add(cost); }

  [[nodiscard]] std::span<const ExternalEvent> prepared() const noexcept {
    return {prepared_.data(), count_};
  }
  void committed() noexcept { count_ = 0; }

 private:
  rt::SlotRing ring_;
  std::array<ExternalEvent, max_prepared> prepared_{};
  std::size_t count_ = 0;
  int deferrals_ = 0;
  Histogram cost_;
};

}  // namespace hild::exec
