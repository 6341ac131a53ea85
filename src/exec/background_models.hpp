// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models whose steps take several frames, each on a thread of its own beside the loop: orders what
/// is to be done, and decides, once it is due, whether it is done. Without threads (offline, in a
/// replay) it is done when it is ordered, and the record tells whether it was late. Real-time safe
/// after construction.
#pragma once

#include <array>
#include <vector>

#include "hild/core/tasks.hpp"
#include "hild/io/frame_record.hpp"
#include "hild/model/stepper.hpp"
#include "hild/rt/background_thread.hpp"

namespace hild::exec {

struct LoopContext;

/// The thread of each model; empty: none has one.
using BackgroundThreads = std::vector<rt::BackgroundThread*>;

class BackgroundModels final : public BackgroundRunner {
 public:
  static constexpr std::size_t most_models = io::most_cappers;  ///< of which records tell

  /// Those of the plant of that loop. `threads` outlive it.
  BackgroundModels(LoopContext& run, BackgroundThreads threads);
  BackgroundModels(const BackgroundModels&) = delete;
  BackgroundModels& operator=(const BackgroundModels&) = delete;
  ~BackgroundModels();

  void add(Tasks& tasks, std::size_t model, int count, SimTime next) noexcept override;
  [[nodiscard]] bool ended(std::size_t model) noexcept override;

 private:
  [[nodiscard]] rt::BackgroundThread* thread_of(std::size_t model) const noexcept {
    return model < threads_.size() ? threads_[model] : nullptr;
  }
  void note_late(std::size_t model) noexcept;
  void note_run(std::size_t model) noexcept;

  LoopContext* run_;
  BackgroundThreads threads_;
  model::Composite* models_ = nullptr;              // null: none of them is in the background
  std::array<MonoTime, most_models> late_since_{};  // 0: it is not
};

}  // namespace hild::exec
