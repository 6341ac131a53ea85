// SPDX-License-Identifier: Apache-2.0
/// \file
/// A thread that ticks on a grid in real time under the ordinary scheduler: what a simulated device
/// does at its own rate in a live run.
#pragma once

#include <memory>
#include <optional>

#include "hild/core/grid.hpp"
#include "hild/core/result.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/thread.hpp"

namespace hild::sim {

/// What a worker calls at its ticks.
class Ticking {
 public:
  virtual void tick(MonoTime now) = 0;

 protected:
  ~Ticking() = default;
};

class Worker {
 public:
  /// Starts a thread that calls `target.tick(now)` at epoch + grid.tick(first), and so on. Ticks
  /// that it comes too late for are left out: a machine that stalled must not answer with a burst.
  /// Error: no thread could be started.
  [[nodiscard]] static Result<std::unique_ptr<Worker>> start(std::string_view name, MonoTime epoch,
                                                             Grid grid, std::int64_t first,
                                                             Ticking& target);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();  ///< stops and joins

 private:
  Worker(MonoTime epoch, Grid grid, Ticking& target)
      : epoch_(epoch), grid_(grid), target_(&target) {}
  void run(std::int64_t k);
  [[nodiscard]] bool wait_until(MonoTime due);

  MonoTime epoch_;
  Grid grid_;
  Ticking* target_;
  rt::Flag stop_;
  std::optional<rt::Thread> thread_;
};

}  // namespace hild::sim
