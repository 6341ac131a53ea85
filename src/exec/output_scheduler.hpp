// SPDX-License-Identifier: Apache-2.0
/// \file
/// Holds the outputs of a run and decides when they are put out: at the tick they belong to, early,
/// at nodes and parts of a step, or carried ahead; and which: the plant's, held, declared, or safe
/// ones. Real-time safe after construction.
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

  /// The newest outputs. They are first the plant's, then falsified, and then what is put out.
  [[nodiscard]] std::span<double> values() noexcept { return y_; }
  /// The newest outputs as the plant computed them.
  [[nodiscard]] std::span<const double> own() const noexcept {
    return altered_ ? std::span<const double>(own_y_) : y_;
  }

  /// The plant's first outputs have been computed.
  void begin_run() noexcept { altered_ = false; }
  /// Between two steps. The run must not have put anything out meanwhile.
  void transfer(Archive& archive) noexcept;

  // ---- at the tick ----

  /// The outputs to be written at the tick; empty where they have been written already or safe
  /// values stand instead.
  [[nodiscard]] std::span<const double> due() const noexcept {
    return written_ ? std::span<const double>{} : y_;
  }
  void tick_passed() noexcept { written_ = withheld_; }

  // ---- what stands instead of the plant's ----

  /// Sets what is put out while the plant is held. False: a device did not take its safe value.
  [[nodiscard]] bool freeze(FrozenOutputs as) noexcept;
  void follow() noexcept;
  void declare(std::size_t output, double value) noexcept { declared_[output] = value; }
  /// Replaces outputs by the declared values, where those are to be put out.
  void apply_declared() noexcept;
  /// Whether the plant's own outputs are put out.
  [[nodiscard]] bool follows() const noexcept { return follows_; }
  [[nodiscard]] FrozenOutputs mode() const noexcept {
    if (withheld_) return FrozenOutputs::safe;
    return follows_ ? FrozenOutputs::hold : FrozenOutputs::declared;
  }

  // ---- within a step ----

  /// Whether they are put out at ticks alone, as the plant computed them.
  [[nodiscard]] bool plain() const noexcept {
    return !any_dense() && !any_at_nodes_ && run_->settings.outputs != OutputTime::early &&
           run_->settings.lag.ns == 0;
  }
  [[nodiscard]] bool any_dense() const noexcept { return dense_.any(); }
  void begin_step() noexcept { dense_.begin(); }
  /// Discards what is known of outputs within the step: the states were set anew.
  void forget_parts() noexcept { dense_.forget(); }
  /// The predicted outputs at the node of a pass, with inputs `u`, where they are to be put out
  /// there; else empty.
  [[nodiscard]] std::span<const double> at_node(const Slot& slot, SimTime t,
                                                std::span<const double> u,
                                                const ExternalControl& external) noexcept {
    return any_at_nodes_ ? predicted(slot, t, u, external) : std::span<const double>{};
  }
  /// Computes the outputs at the parts of the step that lie within the interval just taken, from t
  /// over h.
  [[gnu::noinline]] void take_parts(SimTime t, Duration h, std::span<const double> u) noexcept;
  /// Computes them anew after state events in that interval, of which `first` and `last` are the
  /// first and the last.
  [[gnu::noinline]] void take_parts_anew(SimTime t, Duration h, SimTime first, SimTime last,
                                         std::span<const double> u) noexcept;
  /// Puts out the outputs that the step before computed too late for their instants, and that are
  /// due up to `until`. False: a device failed.
  [[nodiscard]] bool put_out_delayed(SimTime until, ExternalControl& external) noexcept {
    return put_out(dense_.delayed(), until, external);
  }
  /// Puts out those of this step that are due up to `until`. False: a device failed.
  [[nodiscard]] bool put_out_rest(SimTime until, ExternalControl& external) noexcept {
    return put_out(dense_.count(), until, external);
  }

  // ---- at its end ----

  /// The plant's new outputs have been computed: carries them ahead where the plant runs behind,
  /// and keeps them where they are `steered`, that is others may take their place.
  template <bool Plain>
  void close_step(bool steered) noexcept {
    if (!Plain && run_->settings.lag.ns > 0) carry_ahead();
    altered_ = false;
    if (steered) keep_own();
  }
  /// Writes the outputs at once, where the settings ask for early outputs. False: a device failed.
  [[nodiscard]] bool write_early() noexcept {
    return run_->settings.outputs != OutputTime::early || !follows_ || write();
  }

 private:
  [[nodiscard, gnu::noinline]] std::span<const double> predicted(
      const Slot& slot, SimTime t, std::span<const double> u,
      const ExternalControl& external) noexcept;
  [[gnu::noinline]] void keep_own() noexcept;
  [[gnu::noinline]] void carry_ahead() noexcept;
  [[gnu::noinline]] bool write() noexcept;
  [[gnu::noinline]] bool put_out(std::size_t count, SimTime until,
                                 ExternalControl& external) noexcept;
  [[nodiscard]] SimTime instant(std::size_t i) const noexcept;

  LoopContext* run_;
  DenseOutputs dense_;
  io::ImageHistory ahead_;  // newest outputs of a plant that runs behind
  std::vector<double> newest_;
  std::span<double> y_;           // newest_
  std::vector<double> own_y_;     // those of the plant alone, while `altered_`
  std::vector<double> y_within_;  // at an instant within the step
  std::vector<double> x_within_;  // states there
  std::vector<double> declared_;  // while frozen; not a number: not declared
  bool any_at_nodes_;             // some may go out within a step
  FrozenOutputs frozen_ = FrozenOutputs::hold;
  bool follows_ = true;    // the plant, else the safe or the declared ones stand
  bool withheld_ = false;  // safe values stand instead
  bool written_ = false;   // before its tick
  bool altered_ = false;   // the newest may be others than the plant's own
};

}  // namespace hild::exec
