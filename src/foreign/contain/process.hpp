// SPDX-License-Identifier: Apache-2.0
/// \file
/// The process a contained model runs in: started while loading, ended with this object, and ended
/// by the kernel when this process goes. What happens in it, a crash, an exit, a hang, a leak,
/// stays in it.
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
  Duration answer_within{};  ///< of a step in all, and of each call between steps
  int priority = 0;          ///< SCHED_FIFO, as the thread that asks; 0: ordinary
  int cpu = -1;              ///< likewise; -1: any
};

/// The model in a process of its own. Error: as Process::start.
[[nodiscard]] Result<std::unique_ptr<model::Stepper>> contained(
    const std::shared_ptr<const ModelSource>& source, const Way& way,
    const ProcessOptions& options);
/// Its equations alone. Each call has all of `answer_within`.
[[nodiscard]] Result<std::unique_ptr<model::System>> contained_system(
    const std::shared_ptr<const ModelSource>& source, const ProcessOptions& options);

class Process final : public remote::Keeper {
 public:
  /// Makes the model of `source` in a new process, which then answers through `shared`. Error: no
  /// process, or the model did not come up in it. Load time.
  [[nodiscard]] static Result<std::unique_ptr<Process>> start(
      const std::shared_ptr<const ModelSource>& source, const std::optional<Way>& way,
      const remote::Shared& shared, const ProcessOptions& options);
  /// `shared` outlives it.
  Process(pid_t pid, std::shared_ptr<const ModelSource> source, const remote::Shared& shared);
  ~Process() override;  ///< ends it, where it has not ended by itself, and tells why it did

  /// Told when it is destroyed: no word is put together on the real-time side.
  void end(const remote::Breach& why) noexcept override;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  /// How it ended by itself, "the model's process ended by itself, exit code 3"; empty: it did not.
  [[nodiscard]] std::string ending() const;

 private:
  [[nodiscard]] std::string why(const siginfo_t& ended) const;

  pid_t pid_;
  std::shared_ptr<const ModelSource> source_;
  std::span<std::byte> said_;
  remote::Breach ended_for_;
  rt::Flag broken_;  // the reason stands
};

/// The endings of all processes of models there are that ended by themselves, "...; ..."; empty:
/// none did. Any thread.
[[nodiscard]] std::string endings();

}  // namespace hild::contain
