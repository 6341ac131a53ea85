// SPDX-License-Identifier: Apache-2.0
/// \file
/// The settings of a Comedi channel in a configuration, and their check against the card.
#pragma once

#include <comedilib.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "drivers/comedi_convert.hpp"
#include "hild/io/device.hpp"

namespace hild::comedi {

/// What a counter is told before it is read; what is not said stays as it is.
struct CounterSetup {
  bool reset = false;
  std::optional<unsigned> mode;  ///< bits that the card's driver knows
};

struct Line {
  // As asked for.
  io::Direction direction;
  unsigned subdevice;
  unsigned channel;
  bool digital;
  io::Interval range{0, 1};
  unsigned aref = AREF_GROUND;
  /// For an input, how long after the start of a device call its sample is taken.
  std::optional<Duration> conversion_at{};
  // As found on the card.
  unsigned range_index = 0;
  Conversion conversion;
  // Of lines that are neither analog nor digital.
  std::optional<CounterSetup> counter{};  ///< an input that counts
  std::optional<Duration> pwm_period{};   ///< an output that is a pulse width
  std::optional<unsigned> arm{};          ///< of either: the source that arms it
  lsampl_t maxdata = 0;
  /// An analog input that the card samples by its own clock.
  bool scanned = false;

  [[nodiscard]] bool analog() const noexcept { return !digital && !counter && !pwm_period; }
};

/// Reads `{subdevice: 0, channel: 3, range: -10 V..10 V, aref: ground}`, `{subdevice: 2, channel:
/// 3, digital: true}`, `{subdevice: 4, channel: 0, counter: true, reset: true}` or `{subdevice: 5,
/// channel: 0, pwm: 100 us}`.
[[nodiscard]] Line read_line(io::Direction direction, io::Options& entry);
[[nodiscard]] io::Channel describe(const Line& line);

struct CloseCard {
  void operator()(comedi_t* card) const noexcept { comedi_close(card); }
};
using Card = std::unique_ptr<comedi_t, CloseCard>;

/// Opens a card, not inherited by programs started later. The error names the path and a remedy.
[[nodiscard]] Result<Card> open_card(const std::filesystem::path& path);

struct FreeCalibration {
  void operator()(comedi_calibration_t* c) const noexcept { comedi_cleanup_calibration(c); }
};
using Calibration = std::unique_ptr<comedi_calibration_t, FreeCalibration>;

/// The choice of a soft calibration: the card's default one where there is one, a file, or none.
struct CalibrationChoice {
  std::filesystem::path file;
  bool none = false;
};

/// The calibration file; empty: none was asked for, or the card has none by default.
[[nodiscard]] std::filesystem::path calibration_file(comedi_t* card,
                                                     const CalibrationChoice& choice);

/// Loads a calibration; null when there is no file.
[[nodiscard]] Result<Calibration> load_calibration(comedi_t* card,
                                                   const std::filesystem::path& file);

/// Checks that the line exists and is of the right kind, finds its range and its conversion.
[[nodiscard]] Result<void> resolve(comedi_t* card, const comedi_calibration_t* calibration,
                                   const CalibrationChoice& choice, Line& line);

/// Takes the subdevices of outputs, and of counters that are set up, for this process alone.
[[nodiscard]] Result<void> lock(comedi_t* card, std::span<const Line> lines);

/// Sets up counters and pulse widths as their entries say. Outputs are not armed.
[[nodiscard]] Result<void> set_up(comedi_t* card, std::span<const Line> lines);
/// Arms those of these outputs that want to be. False, with errno, where the card refuses.
[[nodiscard]] bool arm_outputs(comedi_t* card, std::span<const Line> lines) noexcept;

/// Sets the direction of lines that have two, and checks that all got theirs: cards switch them in
/// groups.
[[nodiscard]] Result<void> set_directions(comedi_t* card, std::span<const Line> lines);

/// What to do about an errno of the card at `path`.
[[nodiscard]] std::string_view remedy(int error) noexcept;

}  // namespace hild::comedi
