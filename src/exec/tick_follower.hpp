// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps a grid of ticks at the ticks of somebody else, whose arrivals jitter, are missing at
/// times, and whose clock is a little faster or slower: a loop of second order in the error of
/// phase, limited in what it moves the grid by. Real-time safe.
#pragma once

#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::exec {

/// A grid that follows the images of a device.
struct Follow {
  std::size_t group = 0;   ///< whose newest image is the tick
  Duration phase{};        ///< from an image to the tick of the grid that reads it
  double tolerance = 0.1;  ///< of a frame: one further off is stray, and moves no more than this
  int missing = 3;         ///< ticks in a row without a new image that are bridged
  /// A frame begins with the arrival of its image, as far as the tolerance allows; `phase` is then
  /// what the device says (io::Sampler::delivery()).
  bool wake = false;
};

class TickFollower {
 public:
  /// Of the loop, a frame: critically damped, with a time constant of some twenty frames. It takes
  /// a quarter of the jitter of the arrivals over.
  static constexpr double proportional = 0.1;
  static constexpr double integral = proportional * proportional / 4;
  /// Ticks without any image at the start, in time: a device may begin a little later.
  static constexpr Duration patience = 1'000'000'000_ns;

  TickFollower(const Follow& follow, Duration period) noexcept
      : follow_(follow), period_(static_cast<double>(period.ns)) {}

  /// What the newest image says at a tick.
  struct Seen {
    bool tick = false;     ///< there is a new one
    bool missing = false;  ///< there is none, though there should be
    bool stray = false;    ///< it is off by more than the tolerance
    bool lost = false;     ///< nobody ticks any more: more are missing than may be
    MonoTime made{};       ///< when it counts as made: jitter is none of the sampling
  };
  /// At the tick `due`, where the newest image arrived at `image`.
  Seen see(MonoTime due, MonoTime image) noexcept;

  /// When an image that is read within a step counts as made, which is due at `due`: that of the
  /// tick as it did there, a newer one as it would at its tick.
  [[nodiscard]] MonoTime stamp(MonoTime due, MonoTime image) const noexcept;

  /// How much the grid moves before the next tick; asked for once.
  [[nodiscard]] Duration take_move() noexcept;

  /// Whether the grid has been brought to the ticks.
  [[nodiscard]] bool locked() const noexcept { return locked_; }
  /// The mean period of the arrivals by that of the grid, less 1; 0 before there are two.
  [[nodiscard]] double drift() const noexcept;
  /// The root of the mean square of what arrivals are off the grid by, of the last hundred or so,
  /// in ns.
  [[nodiscard]] double jitter() const noexcept;

 private:
  /// How many frames after that of the tick `due` it is expected, and how far from there it is.
  struct Place {
    double frames, error;
  };
  [[nodiscard]] Place place(MonoTime due, MonoTime image) const noexcept;
  [[nodiscard]] MonoTime made_at(MonoTime due, MonoTime image, const Place& at) const noexcept;
  [[nodiscard]] bool stray(const Place& at) const noexcept;
  Seen bridge(MonoTime due, MonoTime image) noexcept;
  void correct(double error) noexcept;

  Follow follow_;
  double period_;      // ns
  MonoTime first_{};   // of the images that count, when it arrived,
  MonoTime last_{};    // the newest one,
  MonoTime tick_{};    // and its tick,
  double ticks_ = 0;   // so many after that of the first one
  MonoTime made_{};    // when the newest one counts as made
  double rate_ = 0;    // ns a frame that the grid is moved by in the long run
  double move_ = 0;    // before the next tick
  double square_ = 0;  // mean of the squared errors
  int missing_ = 0;    // in a row
  bool any_ = false;   // there was an image
  bool locked_ = false;
};

}  // namespace hild::exec
