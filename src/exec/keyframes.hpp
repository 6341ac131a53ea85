// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes keyframes, one every so many frames, or when one is asked for: in the slack of a frame,
/// where one's measured cost fits, and never in a frame where it does not. One that was put off for
/// too long is left out, and counted. They go out through a ring. Real-time safe after
/// construction.
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "exec/cost_estimate.hpp"
#include "exec/keyframe.hpp"
#include "exec/loop_context.hpp"
#include "hild/core/archive.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/ring.hpp"

namespace hild::exec {

class Keyframes {
 public:
  /// Makes none until begin().
  explicit Keyframes(LoopContext& run) noexcept : run_(&run) {}

  /// `measured` has the size of a keyframe, or why there can be none; as many slots as `records`
  /// are full after.
  void begin(const Archive& measured, std::size_t records);
  /// The ring they go out through; null: none are made.
  [[nodiscard]] rt::SlotRing* ring() noexcept { return ring_ ? &*ring_ : nullptr; }
  /// Why none can be made.
  [[nodiscard]] const Archive::Problem& problem() const noexcept { return problem_; }

  /// Asks for one soon: settings.keyframes.look frames later at most, or when one fits. Any thread.
  void ask() noexcept { asked_.add(1); }

  /// The run stands at its start, or where it goes on from.
  void begin_run() noexcept {
    due_ = never;
    if (ring_) wait_for_next();
  }
  /// How many frames have gone by when serve() is to be called.
  [[nodiscard]] std::int64_t next() const noexcept { return next_; }
  /// To be called in the slack of such a frame, or a later one: makes it by transfer(archive), or
  /// puts it off. `transactions`: as in KeyframeHead.
  template <class Transfer>
  void serve(std::int64_t transactions, Transfer&& transfer) noexcept {
    if (!wanted()) return look_later();
    const Step& step = run_->step;
    const MonoTime before = run_->meter.last();
    if (cost_.now() + run_->settings.keyframes.guard > step.due - before) return put_off();
    std::byte* const slot = ring_->claim();
    if (slot == nullptr) return leave_out();
    Archive archive = Archive::saving({slot + sizeof(KeyframeHead), most_bytes_},
                                      {.time = step.time, .tick = step.due});
    std::forward<Transfer>(transfer)(archive);
    finish(slot, archive, transactions);
    cost_.learn(run_->meter.close(io::Phase::slack) - before);
  }

 private:
  [[nodiscard]] bool wanted() noexcept;
  void look_later() noexcept;
  void put_off() noexcept;
  void leave_out() noexcept;
  void finish(std::byte* slot, const Archive& archive, std::int64_t transactions) noexcept;
  void wait_for_next() noexcept;

  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  LoopContext* run_;
  std::optional<rt::SlotRing> ring_;
  std::size_t most_bytes_ = 0;
  Archive::Problem problem_{};
  CostEstimate cost_;
  std::int64_t due_ = never;   // frames that have gone by when the next is due unasked
  std::int64_t next_ = never;  // and when to look whether one is wanted
  rt::Tally asked_;            // how often one was asked for
  std::int64_t answered_ = 0;  // so many of these by the one that is made
  int put_off_ = 0;            // frames it has been put off for
};

}  // namespace hild::exec
