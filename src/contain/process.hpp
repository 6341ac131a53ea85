// SPDX-License-Identifier: Apache-2.0
/// \file
/// The process a contained model runs in: made while loading, ended with this object, and ended by
/// the kernel when this process goes. What happens in it, a crash, an exit, a hang, a leak, stays
/// in it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>

#include "hild/core/result.hpp"
#include "remote/shared.hpp"

namespace hild::contain {

using MakePlant = std::function<std::unique_ptr<model::Plant>()>;

struct Options {
  Duration answer_within{};  ///< of a step in all, and of each call between steps
  int priority = 0;          ///< SCHED_FIFO, as the thread that asks; 0: ordinary
  int cpu = -1;              ///< likewise; -1: any
};

/// A plant that is what `make` makes, in a process of its own; `d` and `method` are what it will
/// say of itself. Error: as Process::start.
[[nodiscard]] Result<std::unique_ptr<model::Plant>> contained(const MakePlant& make,
                                                              const model::Description& d,
                                                              const numerics::Method& method,
                                                              const Options& options);

class Process {
 public:
  /// Makes the plant in a new process, which then answers through `shared`. Error: no process, or
  /// the model did not come up in it. Load time.
  [[nodiscard]] static Result<std::unique_ptr<Process>> start(const MakePlant& make,
                                                              remote::Shared& shared,
                                                              const Options& options);
  explicit Process(pid_t pid) : pid_(pid) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();  ///< ends it, where it has not ended by itself

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

 private:
  pid_t pid_;
};

}  // namespace hild::contain
