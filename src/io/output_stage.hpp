// SPDX-License-Identifier: Apache-2.0
/// \file
/// The last stage before the output lines of one device: it turns what the model wants into what
/// the lines are given, within limits and slew limits, and carries out the safe action of each line
/// as a function of the time since it began. Real-time safe once its lines are added and shared.
///
/// The values last given to the lines lie in memory that a process shares with those it forks, so
/// that a process that outlives the run knows where its lines stand.
#pragma once

#include <bit>
#include <cstddef>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/io/options.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::io {

/// What a line does when hild is not in control: takes its safe value at once, goes there in the
/// time `ramp`, or holds what it carries.
struct SafeAction {
  bool hold = false;
  Duration ramp{};  ///< 0: at once
};

/// One output line, in converter units.
struct OutputLine {
  std::size_t signal = 0;  ///< its index in the outputs of the model
  double scale = 1;
  double offset = 0;
  Interval limits;
  double safe = 0;
  SafeAction action{};
  double slew = std::numeric_limits<double>::infinity();  ///< per second
  /// The most a line moves in one write, however late that comes.
  double most_step = std::numeric_limits<double>::infinity();
  bool digital = false;  ///< switches, never ramps

  /// What the outputs `y` of the model ask of it.
  [[nodiscard]] double wanted(std::span<const double> y) const noexcept {
    return (y[signal] - offset) / scale;
  }
  /// Whether it can carry that; what is not a number it cannot.
  [[nodiscard]] bool carries(double value) const noexcept {
    return value >= limits.low && value <= limits.high;
  }
};

class OutputStage {
 public:
  /// Lines are added in the order of the device's slots.
  void add(const OutputLine& line);
  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }

  /// Moves the values last given into shared memory. At load time, once.
  [[nodiscard]] Result<void> share();
  /// The values last given to the lines, by slot; before the first, what the lines are taken to
  /// hold.
  [[nodiscard]] std::span<double> held() noexcept { return held_; }
  [[nodiscard]] std::span<const double> held() const noexcept { return held_; }

  /// Moves the lines towards `y`, the outputs of the model: `share` of the way from where begin()
  /// found the lines, and no faster than their slew limits allow in the time `since` the last
  /// write. Returns how many values had to be cut to their limits, or replaced by the safe one
  /// because they were not finite.
  std::int64_t follow(std::span<const double> y, double share, Duration since) noexcept;
  /// The same without a ramp: all the way to `y`. Precondition: no line has a slew limit.
  std::int64_t follow(std::span<const double> y) noexcept;
  /// The same where nothing has to be cut: that is most often. False: something has to; follow() is
  /// to be called.
  [[nodiscard]] bool follows(std::span<const double> y) noexcept {
    moving_ = false;
    double* place = held_.data();
    for (const OutputLine& line : lines_) {
      const double wanted = line.wanted(y);
      if (!line.carries(wanted)) [[unlikely]]
        return false;
      *place++ = wanted;
    }
    return true;
  }
  /// Takes the present values as the start of the next follow() or relax().
  void begin() noexcept;
  /// Moves the lines to where the safe actions have brought them this long after begin().
  void relax(Duration since) noexcept;
  /// How many values of a line were cut so far, and the last of them, in converter units.
  struct Cut {
    rt::Counter values;
    rt::Counter last_bits;
    [[nodiscard]] double last() const noexcept { return std::bit_cast<double>(last_bits.get()); }
  };
  /// The cuts of each line, by slot; from any thread.
  [[nodiscard]] const std::deque<Cut>& cuts() const noexcept { return cuts_; }
  /// Whether the last call of either kind left a line on its way.
  [[nodiscard]] bool moving() const noexcept { return moving_; }

 private:
  [[nodiscard]] double relaxed(const OutputLine& line, double from, double t) const noexcept;
  std::int64_t convert(std::span<const double> y, std::span<double> to) noexcept;
  [[gnu::cold, gnu::noinline]] double cut(std::size_t slot, double wanted) noexcept;
  void follow_softly(double share, Duration since) noexcept;

  std::vector<OutputLine> lines_;
  std::vector<double> own_;  // the memory of held_ until share()
  std::vector<double> from_;
  std::vector<double> wanted_;
  std::deque<Cut> cuts_;  // its elements never move
  std::span<double> held_;
  rt::SharedMemory shared_;
  bool moving_ = false;
};

}  // namespace hild::io
