// SPDX-License-Identifier: Apache-2.0
// A card, its calibration, and what to do when it says no; lines of a configuration against what it
// has: subdevice, channel, range, direction, lock.
#include "drivers/comedi_lines.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace hild::comedi {
namespace {

constexpr unsigned most_channels = 65535;  // what a chanspec can name
constexpr double most_counts = 0x1p53;     // that a number tells apart

template <class... Args>
auto refuse(const Line& line, fmt::format_string<Args...> text, Args&&... args) {
  return fail(ExitCode::device_failed, "{}: {}", describe(line).where.view(),
              fmt::format(text, std::forward<Args>(args)...));
}

std::optional<unsigned> read_word(io::Options& entry, std::string_view key) {
  if (!entry.has(key)) return {};
  return static_cast<unsigned>(entry.integer(key, 0, std::numeric_limits<unsigned>::max()));
}

auto refused_by_card(const Line& line, std::string_view what) {
  const int error = comedi_errno();
  return refuse(line, "cannot {}: {}; {}", what, comedi_strerror(error), remedy(error));
}

std::string_view type_name(int type) noexcept {
  static constexpr std::array<std::string_view, COMEDI_SUBD_COUNTER + 1> names{
      "unused",        "analog input",   "analog output",
      "digital input", "digital output", "digital input and output",
      "counter"};
  if (type == COMEDI_SUBD_PWM) return "pulse width output";
  const bool known = type >= 0 && type <= COMEDI_SUBD_COUNTER;
  return known ? names[static_cast<std::size_t>(type)] : "of another kind";
}

int wanted_type(const Line& line) noexcept {
  const bool input = line.direction == io::Direction::input;
  if (line.counter) return COMEDI_SUBD_COUNTER;
  if (line.pwm_period) return COMEDI_SUBD_PWM;
  if (line.digital) return input ? COMEDI_SUBD_DI : COMEDI_SUBD_DO;
  return input ? COMEDI_SUBD_AI : COMEDI_SUBD_AO;
}

Result<void> check_place(comedi_t* card, const Line& line) {
  const int subdevices = comedi_get_n_subdevices(card);
  if (line.subdevice >= static_cast<unsigned>(subdevices)) {
    return refuse(line, "the card has subdevices 0 to {}", subdevices - 1);
  }
  const int type = comedi_get_subdevice_type(card, line.subdevice);
  if (type != wanted_type(line) && !(line.digital && type == COMEDI_SUBD_DIO)) {
    return refuse(line, "expected a subdevice for {}, found one that is {}",
                  type_name(wanted_type(line)), type_name(type));
  }
  const int channels = comedi_get_n_channels(card, line.subdevice);
  if (channels < 0 || line.channel >= static_cast<unsigned>(channels)) {
    return refuse(line, "the subdevice has channels 0 to {}", channels - 1);
  }
  return {};
}

std::string_view unit_name(unsigned unit) noexcept {
  return unit == UNIT_volt ? "V" : unit == UNIT_mA ? "mA" : "(no unit)";
}

/// Ranges come from the card in millionths, so that equal ones differ by rounding alone.
bool same(const comedi_range& found, io::Interval wanted) noexcept {
  constexpr double tolerance = 1e-6;
  return found.unit == UNIT_volt && std::abs(found.min - wanted.low) < tolerance &&
         std::abs(found.max - wanted.high) < tolerance;
}

Result<unsigned> find_range(comedi_t* card, const Line& line) {
  fmt::memory_buffer available;
  const int ranges = comedi_get_n_ranges(card, line.subdevice, line.channel);
  for (int i = 0; i < ranges; ++i) {
    const auto index = static_cast<unsigned>(i);
    const comedi_range* range = comedi_get_range(card, line.subdevice, line.channel, index);
    if (range == nullptr) continue;
    if (same(*range, line.range)) return index;
    const auto unit = unit_name(range->unit);
    fmt::format_to(fmt::appender(available), "{}{} {}..{} {}", available.size() == 0 ? "" : ", ",
                   range->min, unit, range->max, unit);
  }
  return refuse(line, "the card has no range {} V..{} V; it has {}", line.range.low,
                line.range.high, fmt::to_string(available));
}

/// Software calibration first; a card that needs none has a plain scale.
Result<comedi_polynomial_t> find_polynomial(comedi_t* card, const comedi_calibration_t* calibration,
                                            const CalibrationChoice& choice, const Line& line) {
  const auto direction =
      line.direction == io::Direction::input ? COMEDI_TO_PHYSICAL : COMEDI_FROM_PHYSICAL;
  comedi_polynomial_t polynomial{};
  if (calibration != nullptr &&
      comedi_get_softcal_converter(line.subdevice, line.channel, line.range_index, direction,
                                   calibration, &polynomial) == 0) {
    return polynomial;
  }
  const int flags = comedi_get_subdevice_flags(card, line.subdevice);
  const bool needed = flags >= 0 && (flags & SDF_SOFT_CALIBRATED) != 0;
  if (!choice.none && (needed || !choice.file.empty())) {
    return refuse(line,
                  "there is no software calibration of this channel and range: run "
                  "comedi_soft_calibrate, or write `calibration: none` to go without");
  }
  if (comedi_get_hardcal_converter(card, line.subdevice, line.channel, line.range_index, direction,
                                   &polynomial) < 0) {
    return refuse(line, "no conversion to volts: {}", comedi_strerror(comedi_errno()));
  }
  return polynomial;
}

bool configurable(comedi_t* card, const Line& line) {
  return line.digital && comedi_get_subdevice_type(card, line.subdevice) == COMEDI_SUBD_DIO;
}

bool arm(comedi_t* card, const Line& line) noexcept {
  return comedi_arm_channel(card, line.subdevice, line.channel, *line.arm) >= 0;
}

bool set_up_by_us(const Line& line) noexcept {
  return line.arm || (line.counter && (line.counter->reset || line.counter->mode));
}

/// As much as a period may be rounded without anybody being told.
constexpr double other_period = 1e-4;

Result<void> set_period(comedi_t* card, const Line& line) {
  std::array<lsampl_t, 2> data{INSN_CONFIG_PWM_SET_PERIOD,
                               static_cast<lsampl_t>(line.pwm_period->ns)};
  comedi_insn insn{};
  insn.insn = INSN_CONFIG;
  insn.n = data.size();
  insn.data = data.data();
  insn.subdev = line.subdevice;
  insn.chanspec = CR_PACK(line.channel, 0, 0);
  if (comedi_do_insn(card, &insn) < 0) {
    const int error = comedi_errno();
    return refuse(line, "the card does not take a period of {} ns: {}; {}", line.pwm_period->ns,
                  comedi_strerror(error), remedy(error));
  }
  data = {INSN_CONFIG_PWM_GET_PERIOD, 0};
  if (comedi_do_insn(card, &insn) < 0) return {};  // it does not tell
  const auto asked = static_cast<double>(line.pwm_period->ns);
  if (std::abs(data[1] - asked) <= other_period * asked) return {};
  return refuse(line,
                "asked for a period of {} ns, found that the card makes one of {} ns; write "
                "`pwm: {} ns`",
                line.pwm_period->ns, data[1], data[1]);
}

/// The pulse width as a part of the period, in the counts of the card.
Conversion of_width(const Line& line) noexcept {
  return {line.range, line.maxdata, {{0, static_cast<double>(line.maxdata), 0, 0}, 0, 1}};
}

unsigned dio_direction(const Line& line) noexcept {
  return line.direction == io::Direction::input ? COMEDI_INPUT : COMEDI_OUTPUT;
}

}  // namespace

std::string_view remedy(int error) noexcept {
  switch (error) {
    case ENOENT:
      return "load the card's driver (modprobe comedi, and for the simulated card modprobe "
             "comedi_test), or attach it with comedi_config";
    case EACCES:
    case EPERM:
      return "join the group of the device (usermod -aG iocard USER, then log in again), or end "
             "the program that has locked it (fuser -v on the path tells which)";
    case EBUSY:
      return "end the program that uses it (fuser -v on the path tells which)";
    case ENODEV:
    case ENXIO:
    case EIO:
      return "the card is not attached or has vanished: check it and its driver (dmesg), attach "
             "it again with comedi_config and restart";
    case ENOTTY:
      return "this is no Comedi device";
    case EINVAL:
      return "the card's driver refuses the value or the channel: see dmesg";
    case ETIMEDOUT:
      return "a conversion did not end in time: check clock and trigger of the card";
    default:
      return "see dmesg for what the card's driver says";
  }
}

Result<Card> open_card(const std::filesystem::path& path) {
  Card card(comedi_open(path.c_str()));
  if (!card) {
    const int error = comedi_errno();
    return fail(ExitCode::device_failed, "cannot open {}: {}; {}", path.c_str(),
                comedi_strerror(error), remedy(error));
  }
  comedi_loglevel(0);  // it would print in the middle of a run; hild tells every failure itself
  comedi_set_global_oor_behavior(COMEDI_OOR_NUMBER);
  if (::fcntl(comedi_fileno(card.get()), F_SETFD, FD_CLOEXEC) != 0) {
    return fail(ExitCode::device_failed, "cannot keep {} from programs started later: {}",
                path.c_str(), std::strerror(errno));
  }
  return card;
}

std::filesystem::path calibration_file(comedi_t* card, const CalibrationChoice& choice) {
  if (choice.none || !choice.file.empty()) return choice.file;
  const std::unique_ptr<char, decltype(&std::free)> usual(comedi_get_default_calibration_path(card),
                                                          std::free);
  std::error_code unreadable;
  if (!usual || !std::filesystem::exists(usual.get(), unreadable)) return {};
  return usual.get();
}

Result<Calibration> load_calibration(comedi_t* card, const std::filesystem::path& file) {
  if (file.empty()) return Calibration();
  Calibration calibration(comedi_parse_calibration_file(file.c_str()));
  if (!calibration)
    return fail(ExitCode::device_failed, "cannot read calibration file {}", file.c_str());
  const std::string_view driver = comedi_get_driver_name(card);
  const std::string_view board = comedi_get_board_name(card);
  if (calibration->driver_name != driver || calibration->board_name != board) {
    return fail(ExitCode::device_failed, "calibration file {} is for {} {}, not for {} {}",
                file.c_str(), calibration->driver_name, calibration->board_name, driver, board);
  }
  return calibration;
}

Line read_line(io::Direction direction, io::Options& entry) {
  Line line{.direction = direction,
            .subdevice = static_cast<unsigned>(entry.integer("subdevice", 0, 255)),
            .channel = static_cast<unsigned>(entry.integer("channel", 0, most_channels)),
            .digital = entry.boolean("digital", false),
            .conversion = {}};
  if (direction == io::Direction::input && entry.has("conversion")) {
    line.conversion_at = entry.duration("conversion");
  }
  if (line.digital) return line;
  if (direction == io::Direction::input && entry.boolean("counter", false)) {
    line.counter.emplace();
    line.counter->reset = entry.boolean("reset", false);
    line.counter->mode = read_word(entry, "mode");
    line.range = {-most_counts, most_counts};
  } else if (direction == io::Direction::output && entry.has("pwm")) {
    line.pwm_period = entry.duration("pwm");
    if (line.pwm_period->ns < 1 || *line.pwm_period > 4_s) {
      entry.reject("pwm", "expected a period of 1 ns ... 4 s");
    }
  }
  if (!line.analog()) {
    line.arm = read_word(entry, "arm");
    return line;
  }
  line.range = entry.interval("range", "V", io::Interval{-10, 10});
  constexpr std::array<unsigned, 4> arefs{AREF_GROUND, AREF_COMMON, AREF_DIFF, AREF_OTHER};
  line.aref = arefs[entry.choice("aref", {"ground", "common", "diff", "other"}, 0)];
  return line;
}

io::Channel describe(const Line& line) {
  return {.range = line.range,
          .digital = line.digital,
          // That of others is known once the card is open.
          .resolution = line.digital || line.counter ? 1.0 : 0.0,
          .counted = true,
          .where = Name(fmt::format("subdevice {} channel {}", line.subdevice, line.channel)),
          .unit = std::string_view(line.analog() ? "V" : "1")};
}

Result<void> resolve(comedi_t* card, const comedi_calibration_t* calibration,
                     const CalibrationChoice& choice, Line& line) {
  if (auto place = check_place(card, line); !place) return place;
  if (line.digital) return {};
  line.maxdata = comedi_get_maxdata(card, line.subdevice, line.channel);
  if (line.maxdata == 0) return refuse(line, "the card does not tell its resolution");
  if (line.pwm_period) line.conversion = of_width(line);
  if (!line.analog()) return {};
  const auto index = find_range(card, line);
  if (!index) return tl::make_unexpected(index.error());
  line.range_index = *index;
  const auto polynomial = find_polynomial(card, calibration, choice, line);
  if (!polynomial) return tl::make_unexpected(polynomial.error());
  line.conversion = Conversion(line.range, line.maxdata, *polynomial);
  return {};
}

Result<void> lock(comedi_t* card, std::span<const Line> lines) {
  std::vector<unsigned> locked;  // a second lock by the same process is refused as well
  for (const Line& line : lines) {
    if (line.direction == io::Direction::input && !set_up_by_us(line)) continue;
    if (std::find(locked.begin(), locked.end(), line.subdevice) != locked.end()) continue;
    if (comedi_lock(card, line.subdevice) < 0) return refused_by_card(line, "lock the subdevice");
    locked.push_back(line.subdevice);
  }
  return {};
}

Result<void> set_up(comedi_t* card, std::span<const Line> lines) {
  for (const Line& line : lines) {
    if (line.pwm_period) {
      if (auto set = set_period(card, line); !set) return set;
    }
    if (line.counter && line.counter->reset &&
        comedi_reset_channel(card, line.subdevice, line.channel) < 0) {
      return refused_by_card(line, "reset the counter");
    }
    if (line.counter && line.counter->mode &&
        comedi_set_counter_mode(card, line.subdevice, line.channel, *line.counter->mode) < 0) {
      return refused_by_card(line, "set the mode of the counter");
    }
    const bool input = line.direction == io::Direction::input;
    if (line.arm && input && !arm(card, line)) return refused_by_card(line, "arm it");
  }
  return {};
}

bool arm_outputs(comedi_t* card, std::span<const Line> lines) noexcept {
  return std::ranges::all_of(lines, [&](const Line& line) { return !line.arm || arm(card, line); });
}

Result<void> set_directions(comedi_t* card, std::span<const Line> lines) {
  for (const Line& line : lines) {
    if (!configurable(card, line)) continue;
    if (comedi_dio_config(card, line.subdevice, line.channel, dio_direction(line)) < 0) {
      return refused_by_card(line, "set its direction");
    }
  }
  for (const Line& line : lines) {
    unsigned direction = 0;
    if (!configurable(card, line) ||
        comedi_dio_get_config(card, line.subdevice, line.channel, &direction) < 0) {
      continue;
    }
    if (direction != dio_direction(line)) {
      return refuse(line,
                    "its direction is tied to that of another line in use, which has the "
                    "opposite one");
    }
  }
  return {};
}

}  // namespace hild::comedi
