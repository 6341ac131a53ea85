// SPDX-License-Identifier: Apache-2.0
/// \file
/// Images of a run for other threads: of a step, as one reader asks for them, and the states that
/// were saved on demand, for any. Each is consistent, all of one instant, and neither side waits.
/// Signals are in the order and the units of the description.
#pragma once

#include <memory>
#include <vector>

#include "exec/transaction.hpp"
#include "hild/core/archive.hpp"
#include "hild/core/time.hpp"
#include "hild/model/system.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/seqlock.hpp"
#include "hild/rt/triple_buffer.hpp"

namespace hild::exec {

/// Whether the plant moves, and what its outputs do.
struct Mode {
  bool frozen = false;    ///< the plant was held
  bool limited = false;   ///< it was held by an overrun limit
  bool stepping = false;  ///< it moves by StepFrames alone
  bool moving = false;    ///< an output line is on its way: ramp, slew limit, safe action
  FrozenOutputs outputs = FrozenOutputs::hold;  ///< `hold`: the plant's own
};

/// What a reader gets: all of one instant.
struct Image {
  std::int64_t frame = -1;  ///< the simulated frame the step started at; -1: none yet
  SimTime time{};           ///< of the states and the outputs: the end of the step
  std::int64_t frames = 0;  ///< that had gone by when it started
  bool frozen = false;      ///< as in `mode`
  Mode mode;
  std::vector<double> inputs;   ///< of the last pass of the step, as the plant got them
  std::vector<double> outputs;  ///< as due at `time`, falsified or declared where asked for
  std::vector<double> sampled;  ///< the inputs before any falsification
  std::vector<double> own;      ///< the outputs as the plant computed them
  std::vector<double> lines;    ///< what the output lines carry; not a number: no line
  std::vector<double> states;
  std::vector<double> parameters;
};

/// Images for one reader, which asks for them: the loop copies each in pieces, over several frames
/// where it is large, and hands it over when it is whole. Beside them the mode, which is always
/// there.
class Snapshot {
 public:
  /// `offered`: false, there are none, and asking is in vain.
  Snapshot(const model::Description& description, bool offered);

  // ---- one reader ----

  [[nodiscard]] bool offered() const noexcept { return offered_; }
  /// Wants images, from the next step on and for a while.
  void ask() noexcept { asked_.add(offered_ ? 1 : 0); }
  /// The newest one, unchanged until the next call. One that was begun after a moment comes after
  /// begun() + 1 of that moment have been published.
  [[nodiscard]] const Image& newest() noexcept { return buffer_.front().image; }

  // ---- any thread ----

  [[nodiscard]] std::int64_t begun() const noexcept { return begun_.get(); }
  [[nodiscard]] std::int64_t published() const noexcept { return published_.get(); }
  /// That of the newest step, but for `moving`.
  [[nodiscard]] Mode mode() const noexcept;

  // ---- the loop's side, real-time safe ----

  [[nodiscard]] std::int64_t asked() const noexcept { return asked_.get(); }
  void tell(const Mode& mode) noexcept;
  /// Begins an image, also instead of one that is not whole. What there is of a signal is to be
  /// filled in at once; `states` must not change until the image is whole. `version` is of the
  /// parameters: others have another one.
  [[nodiscard]] Image& begin(std::span<const double> states, std::int64_t version) noexcept;
  /// Copies so many values at most, and publishes the image when it is whole.
  void take(std::size_t most, const model::System& system) noexcept;
  /// Whether one has been begun that is not whole.
  [[nodiscard]] bool open() const noexcept { return open_; }
  /// Whether parameters that are others now would spoil it.
  [[nodiscard]] bool spoilt_by(std::int64_t version) const noexcept {
    return open_ && parameters_left_ > 0 && version != version_;
  }

 private:
  struct Kept {
    Image image;
    std::int64_t version = -1;  // of its parameters
  };

  bool offered_;
  rt::TripleBuffer<Kept> buffer_;
  rt::Counter asked_;
  rt::Counter begun_;
  rt::Counter published_;
  rt::Counter mode_;
  std::span<const double> states_;   // of the image that is open
  std::size_t states_left_ = 0;      // to be copied
  std::size_t parameters_left_ = 0;  // likewise, which come first
  std::int64_t version_ = 0;         // of those
  bool open_ = false;
};

/// The states and parameters of the plant, saved in numbered slots.
class SavedStates {
 public:
  SavedStates(std::size_t slots, std::size_t states, std::size_t parameters);

  // ---- the loop's side, real-time safe ----
  [[nodiscard]] bool filled(std::size_t slot) const noexcept { return filled_[slot] != 0; }
  /// The buffer, states and then parameters, that save() puts into a slot and that load() fills
  /// from one.
  [[nodiscard]] std::span<double> staged() noexcept { return staged_; }
  /// Puts staged() into a slot.
  void save(std::size_t slot) noexcept {
    filled_[slot] = 1;
    slots_[slot]->write(staged_);
  }
  /// Fills staged() from a slot.
  void load(std::size_t slot) noexcept { static_cast<void>(slots_[slot]->read(staged_)); }
  /// All slots that something was saved in.
  void transfer(Archive& archive) noexcept;

  // ---- any thread ----
  /// States, then parameters. False when nothing was saved there.
  [[nodiscard]] bool read(std::size_t slot, std::vector<double>& values) const;
  [[nodiscard]] std::size_t states() const noexcept { return states_; }

 private:
  std::size_t states_;
  std::vector<double> staged_;
  std::vector<std::uint8_t> filled_;
  std::vector<std::unique_ptr<rt::SeqlockBuffer>> slots_;
};

}  // namespace hild::exec
