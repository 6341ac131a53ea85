// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sources of the voltage at an A/D channel. `source` in a channel's entry is exactly one of
///   constant:   1 V
///   sine:       {amplitude: 1 V, frequency: 50 Hz, offset: 0 V, phase: 0 rad}
///   step:       {before: 0 V, after: 1 V, at: 100 ms}
///   csv:        {file: run.csv, column: speed, rate: 1 kHz | time: t, repeat: false}
///   loopback:   2             the voltage of D/A channel 2 of this device
///   controller: command       the command of the simulated controller
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "hild/core/time.hpp"
#include "hild/io/options.hpp"
#include "hild/io/signal.hpp"

namespace hild::sim {

/// The surroundings of the converters at one instant.
struct Moment {
  Duration elapsed;                 ///< since the device was started
  std::span<const double> outputs;  ///< voltages held, by D/A channel
  double command = 0;               ///< held by the simulated controller
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// Real-time safe.
  [[nodiscard]] virtual double at(const Moment& moment) const noexcept = 0;

  /// The D/A channel it is wired to, -1: none.
  [[nodiscard]] virtual int loopback() const noexcept { return -1; }
  [[nodiscard]] virtual bool is_command() const noexcept { return false; }
  /// The source as a signal, if it depends on time alone; else null.
  [[nodiscard]] virtual const io::Signal* signal() const noexcept { return nullptr; }
};
using SourcePtr = std::unique_ptr<const Source>;

/// Reads the source under `key`; if absent, a constant 0. Values are in `unit`; `hold` keeps
/// recorded values until the next one, where an analog signal is interpolated.
[[nodiscard]] SourcePtr read_source(io::Options& entry, std::string_view key, std::string_view unit,
                                    bool hold);

/// Reads the map under `key`, which must be there: one of the sources that depend on time alone.
[[nodiscard]] SourcePtr read_setpoint(io::Options& entry, std::string_view key,
                                      std::string_view unit);

}  // namespace hild::sim
