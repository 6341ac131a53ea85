// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_scans.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace hild::comedi {
namespace {

constexpr Duration longest_period = 4_s;  // what a command can say: 32 bits of nanoseconds
/// As much as a quartz is off anyway.
constexpr double other_rate = 1e-4;

template <class... Args>
auto refuse_command(fmt::format_string<Args...> text, Args&&... args) {
  return fail(ExitCode::device_failed, "command: {}",
              fmt::format(text, std::forward<Args>(args)...));
}

bool has(unsigned sources, unsigned wanted) noexcept { return (sources & wanted) != 0; }

/// Without a time of its own for each conversion, a command of the library's making.
Result<void> ask_for_conversions(comedi_t* card, unsigned subdevice, Duration convert,
                                 unsigned period_ns, comedi_cmd& command) {
  comedi_cmd can{};
  if (comedi_get_cmd_src_mask(card, subdevice, &can) < 0 || !has(can.scan_begin_src, TRIG_TIMER) ||
      !has(can.convert_src, TRIG_TIMER)) {
    return refuse_command(
        "found `convert`, but this card has no clock for conversions beside that for scans; leave "
        "`convert` out");
  }
  command.scan_begin_src = command.convert_src = TRIG_TIMER;
  command.scan_begin_arg = period_ns;
  command.convert_arg = static_cast<unsigned>(convert.ns);
  return {};
}

/// What a test of the kernel found wrong, by its number.
std::string_view wrong_at(int test) noexcept {
  switch (test) {
    case 1:
    case 2:
      return "the card does not have its triggers: scans by a timer that go on without end";
    case 5:
      return "the card cannot scan these channels in this order, with these ranges and references: "
             "many cards want channels that follow each other, of one range";
    default:
      return "the card does not take its times";
  }
}

/// The kernel changes what does not suit the card, until all does.
Result<void> settle(comedi_t* card, comedi_cmd& command) {
  int test = 1;
  for (int tries = 0; tries < 4 && test != 0; ++tries) {
    test = comedi_command_test(card, &command);
    if (test == 1 || test == 2 || test == 5) break;
  }
  if (test == 0) return {};
  if (test > 0) return refuse_command("{}", wrong_at(test));
  const int error = comedi_errno();
  return refuse_command("cannot try it: {}; {}", comedi_strerror(error), remedy(error));
}

Duration period_of(const comedi_cmd& command) noexcept {
  if (command.scan_begin_src == TRIG_TIMER) return {command.scan_begin_arg};
  return Duration{command.convert_arg} * command.chanlist_len;
}

bool differs(Duration found, Duration asked) noexcept {
  return std::abs(seconds(found - asked)) > other_rate * seconds(asked);
}

Result<void> check_times(const comedi_cmd& command, const CommandSettings& asked) {
  const Duration period = period_of(command);
  if (period.ns <= 0 || differs(period, asked.period)) {
    return refuse_command(
        "asked for a scan each {} ns, found that the card would make one each {} ns; write "
        "`period: {} ns`",
        asked.period.ns, period.ns, period.ns);
  }
  if (asked.convert && differs({command.convert_arg}, *asked.convert)) {
    return refuse_command(
        "asked for a conversion each {} ns, found that the card would make one each {} ns; write "
        "`convert: {} ns`",
        asked.convert->ns, command.convert_arg, command.convert_arg);
  }
  return {};
}

/// Reads of the device are of this subdevice, and do not wait.
Result<void> make_readable(comedi_t* card, unsigned subdevice) {
  if (comedi_get_read_subdevice(card) != static_cast<int>(subdevice) &&
      comedi_set_read_subdevice(card, subdevice) < 0) {
    return refuse_command("scans cannot be read from subdevice {}, but from subdevice {}",
                          subdevice, comedi_get_read_subdevice(card));
  }
  const int file = comedi_fileno(card);
  const int flags = ::fcntl(file, F_GETFL);
  if (flags < 0 || ::fcntl(file, F_SETFL, flags | O_NONBLOCK) != 0) {
    return refuse_command("cannot read without waiting: {}", std::strerror(errno));
  }
  return {};
}

}  // namespace

std::optional<CommandSettings> read_command(io::Options& device) {
  io::Options* const keys = device.child("command");
  if (keys == nullptr) return {};
  const bool by_rate = keys->has("rate");
  if (by_rate && keys->has("period")) {
    keys->reject("rate", "found period and rate, expected one of them");
  }
  CommandSettings settings{};
  settings.period =
      by_rate ? from_seconds(1 / keys->number("rate", "Hz", {}, {.low = 0.25, .high = 1e9}))
              : keys->duration("period");
  if (settings.period.ns < 1 || settings.period > longest_period) {
    keys->reject("period", "expected 1 ns ... 4 s");
  }
  if (keys->has("convert")) {
    settings.convert = keys->duration("convert");
    if (settings.convert->ns < 1 || *settings.convert > settings.period) {
      keys->reject("convert", "expected 1 ns ... the period of the scans");
    }
  }
  settings.scans = keys->integer("scans", 1, 4096, settings.scans);
  return settings;
}

Result<Scans> Scans::prepare(comedi_t* card, const CommandSettings& settings,
                             std::span<const Line> lines) {
  if (lines.empty()) {
    return refuse_command("found no analog input on the device, expected one at least");
  }
  const unsigned subdevice = lines.front().subdevice;
  const int flags = comedi_get_subdevice_flags(card, subdevice);
  if (flags < 0 || (flags & SDF_CMD_READ) == 0) {
    return refuse_command(
        "subdevice {} of this card cannot be sampled by a clock of the card; leave `command` out, "
        "and it is read when the frame asks",
        subdevice);
  }
  Scans scans;
  for (const Line& line : lines) {
    scans.channels_.push_back(CR_PACK(line.channel, line.range_index, line.aref));
  }
  const auto count = static_cast<unsigned>(lines.size());
  const auto period_ns = static_cast<unsigned>(settings.period.ns);
  comedi_cmd& command = scans.command_;
  if (comedi_get_cmd_generic_timed(card, subdevice, &command, count, period_ns) < 0) {
    return refuse_command(
        "subdevice {} of this card has no clock for scans: {}; leave `command` out", subdevice,
        comedi_strerror(comedi_errno()));
  }
  if (settings.convert) {
    if (auto asked = ask_for_conversions(card, subdevice, *settings.convert, period_ns, command);
        !asked) {
      return tl::make_unexpected(asked.error());
    }
  }
  command.subdev = subdevice;
  command.flags |= TRIG_WAKE_EOS;  // each scan is to be there once it is complete
  command.stop_src = TRIG_NONE;
  command.stop_arg = 0;
  command.chanlist = scans.channels_.data();
  command.chanlist_len = command.scan_end_arg = count;
  if (auto settled = settle(card, command); !settled) return tl::make_unexpected(settled.error());
  if (auto good = check_times(command, settings); !good) return tl::make_unexpected(good.error());
  if (auto good = make_readable(card, subdevice); !good) return tl::make_unexpected(good.error());

  if ((flags & SDF_LSAMPL) != 0) scans.sample_bytes_ = sizeof(lsampl_t);
  scans.samples_.resize(count);
  scans.room_ = static_cast<std::size_t>(settings.scans) * scans.scan_bytes();
  scans.bytes_.resize(scans.scan_bytes() + scans.room_);
  scans.buffer_ = static_cast<std::size_t>(std::max(comedi_get_buffer_size(card, subdevice), 0));
  scans.file_ = comedi_fileno(card);
  if (command.convert_src == TRIG_TIMER) {
    scans.middle_ = Duration{command.convert_arg} * (count - 1) / 2;
  }
  return scans;
}

int Scans::start(comedi_t* card, rt::Clock& clock, MonoTime image) noexcept {
  const MonoTime began = clock.now();
  command_.chanlist = channels_.data();  // where it is now
  if (comedi_command(card, &command_) < 0) return comedi_errno();
  started_ = true;
  if (command_.start_src == TRIG_INT && comedi_internal_trigger(card, command_.subdev, 0) < 0) {
    const int error = comedi_errno();
    stop(card);
    return error;
  }
  times_ = ScanTimes(period_of(command_), image, began);
  sampled_ = image;
  begun_ = kept_ = 0;
  emptied_ = true;
  return 0;
}

void Scans::stop(comedi_t* card) noexcept {
  if (started_) comedi_cancel(card, command_.subdev);
  started_ = false;
}

Scans::Read Scans::read(rt::Clock& clock, ScanCounts& counts) noexcept {
  const MonoTime began = clock.now();
  const ssize_t got = ::read(file_, bytes_.data() + begun_, room_);
  if (got <= 0) return nothing_read(got < 0 ? errno : 0, began, clock);
  const auto bytes = static_cast<std::size_t>(got);
  const bool emptied = bytes < room_;
  kept_ = emptied_ ? bytes : kept_ + bytes;
  emptied_ = emptied;
  if (!emptied) counts.full.add();

  const std::size_t there = begun_ + bytes;
  const std::size_t scans = there / scan_bytes();
  begun_ = there % scan_bytes();
  times_.found(static_cast<std::int64_t>(scans), emptied, began, clock.now());
  if (scans > 0) take(bytes_.data() + (scans - 1) * scan_bytes());
  std::memmove(bytes_.data(), bytes_.data() + scans * scan_bytes(), begun_);
  if (scans == 0) return Read::nothing;
  counts.scans.add(static_cast<std::int64_t>(scans));
  counts.skipped.add(static_cast<std::int64_t>(scans) - 1);
  sampled_ = std::max(sampled_, times_.newest() - middle_);
  return Read::image;
}

void Scans::wait(rt::Clock& clock, MonoTime until) noexcept {
  const Duration left = std::max(until - clock.now(), Duration{});
  pollfd asks{file_, POLLIN, 0};
  const timespec most{left.ns / 1'000'000'000, left.ns % 1'000'000'000};
  if (::ppoll(&asks, 1, &most, nullptr) > 0) times_.woke(clock.now());
}

// The kernel tells of an end once nothing is left to be read.
Scans::Read Scans::nothing_read(int error, MonoTime began, rt::Clock& clock) noexcept {
  switch (error) {
    case EAGAIN:
      times_.found(0, true, began, clock.now());
      kept_ = 0;
      emptied_ = true;
      return Read::nothing;
    case EINTR:
      return Read::nothing;
    case 0:
      return Read::ended;
    case EPIPE:
      return kept_ + scan_bytes() > buffer_ ? Read::overflow : Read::stopped;
    default:
      return Read::failed;
  }
}

void Scans::take(const std::byte* scan) noexcept {
  for (lsampl_t& sample : samples_) {
    if (sample_bytes_ == sizeof(lsampl_t)) {
      std::memcpy(&sample, scan, sizeof sample);
    } else {
      sampl_t narrow = 0;
      std::memcpy(&narrow, scan, sizeof narrow);
      sample = narrow;
    }
    scan += sample_bytes_;
  }
}

}  // namespace hild::comedi
