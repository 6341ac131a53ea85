// SPDX-License-Identifier: Apache-2.0
/// \file
/// Alarms: limits of signals that are watched while a run goes on. At the end of each step an alarm
/// looks at the value of its signal there: an input as the last pass used it, an output as it is
/// put out, a state. Beyond its limits for as long as it says, it is active; within them again by
/// its hysteresis, it is not any more. An alarm is open while it is active, and one that latches
/// until it was acknowledged besides. What follows from it is told by `then`. All of it goes by
/// simulated frames, so that a replay has the same alarms. Real-time safe after construction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/interlock.hpp"
#include "hild/core/archive.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::exec {

inline constexpr std::size_t most_alarms = 32;  ///< of a run: a record has a bit for each

/// What is watched, and what follows.
struct Alarm {
  /// What follows from it, besides being told of.
  enum class Then : std::uint8_t {
    note,    ///< nothing
    disarm,  ///< while it is open outputs are disarmed, and cannot be armed
    stop,    ///< the run ends, with safe outputs
  };
  Interlock::Of of = Interlock::Of::output;  ///< of what the signal is one
  std::uint32_t index = 0;                   ///< its number in the description of the plant
  double low = 0;                            ///< it may not be below; -infinity: no limit
  double high = 0;                           ///< nor above; infinity: no limit
  /// It is within its limits again where it is so by this much: low + hysteresis is below high -
  /// hysteresis.
  double hysteresis = 0;
  std::int64_t after = 0;  ///< frames it is outside before the alarm is active; 0: at once
  bool latch = false;      ///< open until it was acknowledged
  Then then = Then::note;  ///< what follows
};

/// All alarms of a run. A value that is not a number is outside any limits.
class Alarms {
 public:
  /// Those beyond most_alarms are left out.
  explicit Alarms(std::vector<Alarm> all);

  /// Whether there are any: else nothing else needs to be called.
  [[nodiscard]] bool any() const noexcept { return !all_.empty(); }
  /// How many there are.
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  /// The values at the end of a step.
  struct Values {
    std::span<const double> inputs;   ///< of the plant, as the last pass had them
    std::span<const double> outputs;  ///< as they are put out
    std::span<const double> states;   ///< of the plant
  };
  /// To be called at the end of a step that covers `span` frames from `frame` on. False: one of
  /// them ends the run, and has told `end` so.
  [[nodiscard, gnu::noinline]] bool look(const Values& values, std::int64_t span,
                                         std::int64_t frame, RunEnd& end) noexcept;
  /// Somebody knows of it. One that is still active stays open until it is not. Precondition:
  /// alarm < size().
  void acknowledge(std::uint32_t alarm) noexcept;

  /// A bit for each that is active.
  [[nodiscard]] std::uint32_t active() const noexcept { return active_; }
  /// A bit for each that is open.
  [[nodiscard]] std::uint32_t open() const noexcept { return active_ | unacknowledged_; }
  /// Whether outputs are to be disarmed for one that is open.
  [[nodiscard]] bool disarms() const noexcept { return (open() & disarming_) != 0; }

  /// A bit for each that is active, and for each that is open.
  struct Told {
    std::uint32_t active = 0;
    std::uint32_t open = 0;
  };
  /// As the newest step left them, both by the same step. From any thread.
  [[nodiscard]] Told told() const noexcept {
    const auto both = static_cast<std::uint64_t>(told_.get());
    return {static_cast<std::uint32_t>(both >> 32U), static_cast<std::uint32_t>(both)};
  }
  /// Where the step began in which an alarm became open last; -1: none did since the state of the
  /// run was loaded. From any thread. Precondition: alarm < size().
  [[nodiscard]] std::int64_t since(std::size_t alarm) const noexcept { return since_[alarm].get(); }
  /// A bit for each that is open and for which outputs are disarmed, as the newest step left it.
  /// From any thread.
  [[nodiscard]] std::uint32_t keep_disarmed() const noexcept { return told().open & disarming_; }

  /// Between two steps.
  void transfer(Archive& archive) noexcept;

 private:
  [[nodiscard]] bool within(const Alarm& alarm, double value, bool outside) const noexcept;
  void tell() noexcept;

  std::vector<Alarm> all_;
  std::vector<std::int64_t> outside_for_;  // frames; -1: it is within its limits
  std::uint32_t latching_ = 0;
  std::uint32_t disarming_ = 0;
  std::uint32_t active_ = 0;
  std::uint32_t unacknowledged_ = 0;  // of those that latch
  rt::Counter told_;  // for other threads: those active, and 32 bits lower those open
  std::array<rt::Counter, most_alarms> since_;  // likewise: frames
};

}  // namespace hild::exec
