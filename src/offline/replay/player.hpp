// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plays a recorded run to a frame loop through its three doors: what time decided, what was
/// sampled, what took effect from outside. Compares the results of the loop with the record. All on
/// one thread, without a clock.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "exec/external_events.hpp"
#include "exec/recorded_clock.hpp"
#include "hild/core/grid.hpp"
#include "hild/core/result.hpp"
#include "hild/io/sampler.hpp"
#include "hild/rt/ring.hpp"
#include "offline/replay/branch.hpp"
#include "offline/replay/difference.hpp"
#include "offline/replay/source.hpp"

namespace hild::replay {

class Player final : public exec::Replay, public io::Sampler {
 public:
  /// The loop must be made with events(), records(), and this as its replay and its sampler.
  /// `first_step` is the number of the first step of a whole record; one that begins at a keyframe
  /// has its own.
  explicit Player(StepSource& source, std::int64_t first_step = 0);

  [[nodiscard]] exec::ExternalEvents& events() noexcept { return events_; }
  [[nodiscard]] rt::SlotRing& records() noexcept { return records_; }
  /// The first tick of the run, or that of the keyframe, at which the loop must be started. Error:
  /// nothing was recorded, or not from the first step on.
  [[nodiscard]] Result<MonoTime> start(const Grid& grid);

  /// As in compare(); to be set before the run.
  double tolerance = 0;
  SimTime compare_from{};  ///< steps that start before this are played and not compared
  std::function<void(const Difference&)> on_difference = [](const Difference&) {};
  /// Called with each keyframe of the record between the steps it was made between.
  std::function<void(const exec::Keyframe&)> on_keyframe = [](const exec::Keyframe&) {};
  /// Called before every step, with the number of those played.
  std::function<void(std::int64_t)> on_step = [](std::int64_t) {};

  /// Goes on by itself from some step on; null: all is as it was. Outlives the run.
  Branch* branch = nullptr;

  /// To be called after the run: compares what is left.
  void finish() noexcept { compare_last(); }
  [[nodiscard]] std::int64_t steps() const noexcept { return steps_; }
  /// Those of them that were compared.
  [[nodiscard]] std::int64_t compared() const noexcept { return compared_; }
  /// Why the run ended before the record did; empty when it did not.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  const io::FrameHeader* next() noexcept override;
  bool waits() noexcept override;
  bool exchange(std::span<const double> y, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override;
  [[nodiscard]] std::size_t groups() const noexcept override { return source_.layout().groups(); }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  [[nodiscard]] std::size_t heard() const noexcept override { return source_.layout().heard(); }
  /// What was wrong with devices is in what they gave: any fault that was recorded is taken.
  [[nodiscard]] std::optional<io::Interval> fault_range(
      std::size_t /*fault*/) const noexcept override {
    return io::Interval{};
  }
  bool safe() noexcept override { return true; }

 private:
  bool take() noexcept;
  void take_replies() noexcept;
  bool post(const io::FrameHeader& h) noexcept;
  bool submit(const exec::Transaction& t, const io::FrameHeader& h) noexcept;
  void compare_last() noexcept;
  [[nodiscard]] io::FrameView recorded() const noexcept {
    return {source_.layout(), reinterpret_cast<const std::byte*>(record_.data())};
  }
  [[nodiscard]] const io::FrameHeader& header() const noexcept { return recorded().header(); }

  StepSource& source_;
  exec::ExternalEvents events_;
  rt::SlotRing records_;
  std::vector<std::uint64_t> record_;  // record of the step at hand
  std::vector<std::uint32_t> counts_;  // of the image handed over last
  bool taken_ = false;                 // record_ holds the step that comes
  bool played_ = false;                // record_ was played and is to be compared
  std::size_t image_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t compared_ = 0;
  std::int64_t first_step_;
  std::int64_t next_step_;  // a frozen frame has the number of the step after it
  std::string problem_;
};

}  // namespace hild::replay
