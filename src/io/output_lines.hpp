// SPDX-License-Identifier: Apache-2.0
/// \file
/// The output lines of all devices: whether they follow the model or their safe actions, and how
/// far they have come on the way there. Real-time safe once the lines are added and shared.
#pragma once

#include <vector>

#include "io/output_stage.hpp"

namespace hild::io {

class OutputLines {
 public:
  /// Lines of `devices` devices, armed.
  explicit OutputLines(std::size_t devices) : stages_(devices) {}

  /// Adds the next line of a device, in the order of its slots.
  void add(std::size_t device, const OutputLine& line);
  [[nodiscard]] OutputStage& of(std::size_t device) noexcept { return stages_[device]; }
  [[nodiscard]] const OutputStage& of(std::size_t device) const noexcept { return stages_[device]; }

  /// As Bus says of them.
  void arm(Duration over) noexcept;
  void disarm() noexcept { arm_.set(0); }
  void start_disarmed() noexcept;
  [[nodiscard]] bool armed() const noexcept { return armed_.get() != 0; }
  [[nodiscard]] bool settled() const noexcept;
  [[nodiscard]] bool drives() const noexcept;

  /// Brings the lines to where they are to be at `now`: the outputs `y` of the model, or on their
  /// way (`y` empty: the model has none for them). Whether they are to be written.
  [[nodiscard]] bool move(std::span<const double> y, MonoTime now) noexcept;
  /// Brings the lines to where their safe actions have come by `now`.
  [[gnu::noinline]] void relax(MonoTime now) noexcept;
  /// When they were moved last.
  [[nodiscard]] MonoTime moved() const noexcept { return moved_; }

  /// How many values were cut to the limits of their lines. Always the same counter.
  [[nodiscard]] const rt::Counter& cut_values() const noexcept { return cut_values_; }

 private:
  void follow(std::span<const double> y, MonoTime now) noexcept;
  [[gnu::noinline, gnu::cold]] void follow_cut(std::span<const double> y) noexcept;
  [[gnu::noinline]] void follow_softly(std::span<const double> y, MonoTime now) noexcept;
  void begin_way(bool following, MonoTime now) noexcept;

  std::vector<OutputStage> stages_;  // one a device
  rt::Counter cut_values_;
  rt::Counter arm_{1};  // what arm() and disarm() last asked for
  rt::Counter arm_over_ns_;
  rt::Counter armed_{1};   // what is in force
  MonoTime way_began_{};   // when the lines turned to the model, or to their safe actions
  Duration way_over_{};    // length of the ramp that arming asked for
  MonoTime moved_{};       // the last time
  bool following_ = true;  // the outputs follow the model; else the safe actions
  bool moved_once_ = false;
  bool slewed_ = false;   // any output has a slew limit
  bool at_once_ = false;  // follows the model with no ramp and no slew limit
};

}  // namespace hild::io
