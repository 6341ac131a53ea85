// SPDX-License-Identifier: Apache-2.0
/// \file
/// The outputs of a run, and when they are put out: at the tick they belong to, early, at nodes and
/// parts of a step, carried ahead; as the plant has them, held, declared, or safe. Real-time safe
/// after construction.
#pragma once

#include <algorithm>
#include <vector>

#include "exec/dense_outputs.hpp"
#include "exec/loop_context.hpp"
#include "exec/timetable.hpp"
#include "exec/transaction.hpp"
#include "io/image_history.hpp"

namespace hild::exec {

class ExternalControl;

class OutputScheduler {
 public:
  explicit OutputScheduler(LoopContext& run);

  /// The newest, as they are due; of the plant first, then falsified, then what is put out.
  [[nodiscard]] std::span<double> values() noexcept { return y_; }
  /// As the plant had them; only where there are images of the run.
  [[nodiscard]] std::span<const double> own() const noexcept { return own_y_; }

  /// The plant's first ones are there.
  void begin_run() noexcept { own_y_ = y_; }

  // ---- at the tick ----

  /// What is due: nothing where it has been written, or safe values stand instead.
  [[nodiscard]] std::span<const double> due() const noexcept {
    return written_ ? std::span<const double>{} : std::span<const double>(y_);
  }
  void tick_passed() noexcept { written_ = withheld_; }

  // ---- what stands instead of the plant's ----

  /// False: a device did not take its safe value.
  [[nodiscard]] bool freeze(FrozenOutputs as) noexcept;
  void follow() noexcept;
  void declare(std::size_t output, double value) noexcept { declared_[output] = value; }
  /// Those declared, where they stand for the plant's.
  void apply_declared() noexcept;
  /// Whether the plant's own are put out.
  [[nodiscard]] bool follows() const noexcept { return follows_; }
  [[nodiscard]] FrozenOutputs mode() const noexcept {
    if (withheld_) return FrozenOutputs::safe;
    return follows_ ? FrozenOutputs::hold : FrozenOutputs::declared;
  }

  // ---- within a step ----

  [[nodiscard]] bool any_dense() const noexcept { return dense_.any(); }
  void begin_step() noexcept { dense_.begin(); }
  /// What is known of parts of the step belongs to another course of the states.
  void forget_parts() noexcept { dense_.forget(); }
  /// What a pass knows already of its node, with inputs `u`: the predictor's outputs, where they
  /// are to be put out there. Empty: nothing is.
  [[nodiscard]] std::span<const double> at_node(const Slot& slot, SimTime t,
                                                std::span<const double> u,
                                                const ExternalControl& external) noexcept {
    return any_at_nodes_ ? predicted(slot, t, u, external) : std::span<const double>{};
  }
  /// A part of the step was taken, from t over h: what belongs into it.
  [[gnu::noinline]] void take_parts(SimTime t, Duration h, std::span<const double> u) noexcept;
  /// The same again, after state events in it, of which these are the first and the last.
  [[gnu::noinline]] void take_parts_anew(SimTime t, Duration h, SimTime first, SimTime last,
                                         std::span<const double> u) noexcept;
  /// Puts out what is due up to an instant, a step later than it belongs where the step knew it too
  /// late. False: a device failed.
  [[nodiscard]] bool put_out_delayed(SimTime until, ExternalControl& external) noexcept {
    return put_out(dense_.delayed(), until, external);
  }
  [[nodiscard]] bool put_out_rest(SimTime until, ExternalControl& external) noexcept {
    return put_out(dense_.count(), until, external);
  }

  // ---- at its end ----

  /// The plant's new ones are there: carried ahead where it runs behind, and kept for images.
  void close_step() noexcept {
    if (run_->settings.lag.ns > 0) carry_ahead();
    if (run_->settings.snapshot_every != 0) std::ranges::copy(y_, own_y_.begin());
  }
  /// At once, where that was asked for. False: a device failed.
  [[nodiscard]] bool write_early() noexcept {
    return run_->settings.outputs != OutputTime::early || !follows_ || write();
  }

 private:
  [[nodiscard, gnu::noinline]] std::span<const double> predicted(
      const Slot& slot, SimTime t, std::span<const double> u,
      const ExternalControl& external) noexcept;
  [[gnu::noinline]] void carry_ahead() noexcept;
  [[gnu::noinline]] bool write() noexcept;
  [[gnu::noinline]] bool put_out(std::size_t count, SimTime until,
                                 ExternalControl& external) noexcept;
  [[nodiscard]] SimTime instant(std::size_t i) const noexcept;

  LoopContext* run_;
  DenseOutputs dense_;
  io::ImageHistory ahead_;        // newest outputs of a plant that runs behind
  std::vector<double> y_;         // newest
  std::vector<double> own_y_;     // those of the plant alone
  std::vector<double> y_within_;  // at an instant within the step
  std::vector<double> x_within_;  // states there
  std::vector<double> declared_;  // while frozen; not a number: not declared
  bool any_at_nodes_;             // some may go out within a step
  FrozenOutputs frozen_ = FrozenOutputs::hold;
  bool follows_ = true;    // the plant, else the safe or the declared ones stand
  bool withheld_ = false;  // safe values stand instead
  bool written_ = false;   // before its tick
};

}  // namespace hild::exec
