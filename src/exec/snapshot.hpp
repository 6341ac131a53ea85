// SPDX-License-Identifier: Apache-2.0
/// \file
/// Images of a run for other threads: the newest step, and the states that were saved on demand.
/// Each image is consistent, all of one instant; the loop writes, anyone reads at any time, and
/// neither waits. Signals are in the order and the units of the description.
#pragma once

#include <memory>
#include <vector>

#include "exec/transaction.hpp"
#include "hild/core/archive.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/seqlock.hpp"

namespace hild::exec {

/// Whether the plant moves, and what its outputs do.
struct Mode {
  bool frozen = false;    ///< the plant was held
  bool limited = false;   ///< it was held by an overrun limit
  bool stepping = false;  ///< it moves by StepFrames alone
  bool moving = false;    ///< an output line is on its way: ramp, slew limit, safe action
  FrozenOutputs outputs = FrozenOutputs::hold;  ///< `hold`: the plant's own
};

/// What a reader gets. Make it once by Snapshot::image() and reuse it.
struct Image {
  std::int64_t frame = -1;  ///< the simulated frame the step started at; -1: none yet
  SimTime time{};           ///< of the states and the outputs: the end of the step
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

/// The image of the newest step.
class Snapshot {
 public:
  Snapshot(std::size_t inputs, std::size_t outputs, std::size_t states, std::size_t parameters);

  /// The loop's side, real-time safe: begin(), the parts of an image in their order, then
  /// publish(). Parameters that are not added are those of the image before.
  void begin(std::int64_t frame, SimTime time, const Mode& mode) noexcept;
  void add(std::span<const double> values) noexcept;
  void add(double value) noexcept { staged_[at_++] = value; }
  void publish() noexcept { buffer_.write(std::span(staged_).first(at_)); }

  /// For readers: image() makes an image of the right size, read() puts the newest step into it.
  /// False when there is none yet.
  [[nodiscard]] Image image() const;
  [[nodiscard]] bool read(Image& image, std::vector<double>& scratch) const;
  [[nodiscard]] std::uint64_t published() const noexcept { return buffer_.writes(); }

 private:
  static constexpr std::size_t head = 3;  // frame, time, mode
  std::size_t inputs_;
  std::size_t outputs_;
  std::size_t states_;
  std::size_t parameters_;
  std::vector<double> staged_;
  std::size_t at_ = head;
  rt::SeqlockBuffer buffer_;
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
