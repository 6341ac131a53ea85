// SPDX-License-Identifier: Apache-2.0
/// \file
/// The process a contained model runs in: started at load time, ended with this object, and ended
/// by the kernel when this process ends. A crash, an exit, a hang or a leak in it affects no other
/// process.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <memory>
#include <span>
#include <string>

#include "foreign/contain/source.hpp"
#include "foreign/remote/bounds.hpp"
#include "hild/core/result.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::contain {

struct ProcessOptions {
  Duration answer_within{};  ///< for all answers of a step, and for each call between steps
  int priority = 0;          ///< SCHED_FIFO, that of the thread that asks; 0: ordinary
  int cpu = -1;              ///< likewise; -1: any
};

/// Makes a stepper of the model in a process of its own. Error: as Process::start.
[[nodiscard]] Result<std::unique_ptr<model::Stepper>> contained(
    const std::shared_ptr<const ModelSource>& source, const Way& way,
    const ProcessOptions& options);
/// Makes its equations alone. Each call may take all of `answer_within`.
[[nodiscard]] Result<std::unique_ptr<model::System>> contained_system(
    const std::shared_ptr<const ModelSource>& source, const ProcessOptions& options);

class Process final : public remote::Keeper {
 public:
  /// Makes the model of `source` in a new process, which then answers through `shared`. Error: no
  /// process, or the model could not be made in it. Load time.
  [[nodiscard]] static Result<std::unique_ptr<Process>> start(
      const std::shared_ptr<const ModelSource>& source, const std::optional<Way>& way,
      const remote::Shared& shared, const ProcessOptions& options);
  /// `shared` outlives it.
  Process(pid_t pid, std::shared_ptr<const ModelSource> source, const remote::Shared& shared);
  ~Process() override;  ///< ends the process if it has not ended by itself, and reports why it did

  /// Ends the process. The reason is reported when this object is destroyed, so that no text is
  /// composed on the real-time side.
  void end(const remote::Breach& why) noexcept override;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  /// How the process ended by itself, "the model's process ended by itself, exit code 3"; empty: it
  /// did not.
  [[nodiscard]] std::string ending() const;

 private:
  [[nodiscard]] std::string why(const siginfo_t& ended) const;

  pid_t pid_;
  std::shared_ptr<const ModelSource> source_;
  std::span<std::byte> said_;
  remote::Breach ended_for_;
  rt::Flag broken_;  // the reason is set
};

/// How the processes of models ended that did so by themselves, "...; ..."; empty: none did. Any
/// thread.
[[nodiscard]] std::string endings();

}  // namespace hild::contain
