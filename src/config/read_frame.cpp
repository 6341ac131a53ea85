// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cmath>
#include <numeric>

#include "config/sections.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

constexpr Duration shortest{1'000};

/// A frame of num/den ns as a grid, where its fraction is small enough.
std::optional<Grid> grid_of(std::int64_t num, std::int64_t den) {
  const std::int64_t common = std::gcd(num, den);
  if (!Grid::valid(num / common, den / common)) return {};
  const Grid grid(num, den);
  return grid.period() < shortest ? std::nullopt : std::optional(grid);
}

Grid read_period(YamlOptions& frame) {
  const Duration period = frame.duration("period");
  if (period.ns > 0) {
    if (const auto grid = grid_of(period.ns, 1)) return *grid;
  }
  frame.mismatch("period", "a time from 1 us to 1000 s");
}

Grid read_grid_rate(YamlOptions& frame) {
  constexpr std::int64_t ns_by_mhz = 1'000'000'000'000;  // 1e9 ns/s times 1e3 mHz/Hz
  constexpr std::string_view expected = "a rate from 1 mHz to 1 MHz, such as \"3 kHz\"";
  const std::string text(frame.text("rate"));
  const auto millihertz = quantity(text, "mHz");
  if (!millihertz) frame.mismatch("rate", expected, millihertz.error().message);
  if (*millihertz < 1 || *millihertz > 1e9) frame.mismatch("rate", expected);
  const double whole = std::round(*millihertz);
  if (std::abs(*millihertz - whole) > 1e-15 * whole) {
    frame.mismatch("rate", "a whole number of millihertz", "or write period: instead");
  }
  if (const auto grid = grid_of(ns_by_mhz, static_cast<std::int64_t>(whole))) return *grid;
  frame.mismatch("rate", "a rounder rate", "its ticks would not fit 64 bits");
}

int cpus_there_are() { return static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)); }

std::vector<int> read_workers(YamlOptions& frame) {
  std::vector<int> cpus;
  if (!frame.has("workers")) return cpus;
  for (const double cpu : frame.numbers("workers", "1")) {
    if (cpu != std::floor(cpu) || cpu < 0 || cpu >= cpus_there_are()) {
      frame.mismatch("workers",
                     fmt::format("a list of CPUs, each from 0 to {}", cpus_there_are() - 1));
    }
    cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

std::optional<Duration> read_margin(YamlOptions& frame, rt::ClockKind clock, Duration period) {
  if (!frame.has("margin")) return {};
  if (clock != rt::ClockKind::sleep_spin) {
    frame.reject("margin", "found a margin, expected none without \"clock: sleep+spin\"");
  }
  const Duration margin = frame.duration("margin");
  if (margin.ns <= 0 || margin >= period) {
    frame.mismatch("margin", "a time above 0 and below the frame's");
  }
  return margin;
}

rt::ClockKind read_kind(YamlOptions& section, std::string_view key) {
  static_assert(static_cast<int>(rt::ClockKind::timerfd) == 3, "the words follow the kinds");
  return section.choice(key, {"sleep", "sleep+spin", "spin", "timerfd"}, rt::ClockKind::sleep);
}

/// clock: {device: x} or {input: u}: which device it is can be told once those are read.
void read_followed(YamlOptions& frame, Config& config) {
  YamlOptions& clock = frame.section("clock");
  clock.one_of({"device", "input"});
  if (!clock.has("input")) static_cast<void>(clock.text("device"));
  config.frame.clock = read_kind(clock, "wait");
  exec::Follow follow;
  const Duration period = config.settings.grid.period();
  follow.tolerance = frame.number("tolerance", "1", 0.1, {.low = 1e-4, .high = 0.4});
  follow.wake = clock.choice("mode", {"follow", "wake"}, 0) == 1;
  follow.missing = static_cast<int>(frame.integer("missing", 0, 1'000'000, follow.missing));
  follow.phase = clock.duration("phase", part(period, follow.tolerance));
  if (follow.phase >= period) clock.mismatch("phase", "a time below the frame's");
  if (follow.wake && clock.has("phase")) {
    clock.reject("phase", "found it beside `mode: wake`, in which a frame begins with its image");
  }
  config.settings.follow = follow;
}

/// align: tai, with phase and on_step beside it.
void read_aligned(YamlOptions& frame, Config& config) {
  frame.choice("align", {"tai"});
  exec::Align read;
  read.phase = frame.duration("phase", Duration{});
  if (read.phase.ns < 0 || read.phase >= config.settings.grid.period()) {
    frame.mismatch("phase", "a time below the frame's");
  }
  read.ends_on_step = frame.choice("on_step", {"move", "stop"}, 0) == 1;
  if (config.settings.follow) {
    frame.reject("align", "found it beside a device that frames follow, expected one of them");
  }
  config.settings.align = read;
}

/// What is simulated in the place of one that wakes is followed.
void check_wakes(YamlOptions& clock, const io::Device& device, bool simulated, bool& wake) {
  if (!wake || device.wakes()) return;
  if (!simulated) {
    clock.mismatch("mode",
                   "`follow`: only a card that scans by itself (comedi with `command`) wakes a "
                   "frame by its images");
  }
  wake = false;
}

}  // namespace

// By the first of its inputs, or by the one that is named.
void find_followed(YamlOptions& root, Config& config) {
  if (!config.settings.follow) return;
  YamlOptions& clock = root.section("frame").section("clock");
  const bool by_input = clock.has("input");
  const char* const key = by_input ? "input" : "device";
  const std::string_view name = clock.text(key);
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    const io::InputSignal& input = config.inputs[i];
    if (input.device < 0) continue;
    const io::Member& device = config.devices[static_cast<std::size_t>(input.device)];
    known.push_back(by_input ? input.name.view() : device.name.view());
    if (known.back() != name) continue;
    const bool simulated = config.in_place_of[static_cast<std::size_t>(input.device)] != nullptr;
    if (device.device->has_ticks()) {
      config.frame.follows = device.name.view();
      config.frame.follows_input = i;
      check_wakes(clock, *device.device, simulated, config.settings.follow->wake);
    } else if (simulated) {
      config.settings.follow.reset();  // it is simulated at the ticks of the run
    } else {
      clock.reject(key,
                   fmt::format("found {}, whose images are made when hild reads them, expected "
                               "a device with a clock of its own",
                               name));
    }
    return;
  }
  if (root.has("inputs") && root.damaged()) clock.follow();
  clock.no_such(key, by_input ? "an input that a device supplies" : "a device with an input on it",
                known);
}

int read_cpu(YamlOptions& section) {
  return static_cast<int>(section.integer("cpu", 0, cpus_there_are() - 1, -1));
}

Grid read_grid(YamlOptions& frame) {
  const bool period = frame.has("period");
  const bool rate = frame.has("rate");
  if (period && rate) frame.reject("rate", "found period and rate, expected one of them");
  if (rate) return read_grid_rate(frame);
  return read_period(frame);
}

void read_frame(YamlOptions& root, Config& config) {
  YamlOptions& frame = root.section("frame");
  Frame& read = config.frame;
  frame.one_of({"period", "rate"});
  frame.attempt([&] { config.settings.grid = read_grid(frame); });
  const Duration period = config.settings.grid.period();
  if (frame.is_map("clock")) {
    read_followed(frame, config);
  } else {
    read.clock = read_kind(frame, "clock");
  }
  if (frame.has("align")) frame.attempt([&] { read_aligned(frame, config); });
  frame.attempt([&] { read.margin = read_margin(frame, read.clock, period); });
  read.cpu = read_cpu(frame);
  frame.attempt([&] { read.workers = read_workers(frame); });
  read.priority = static_cast<int>(frame.integer("priority", 0, 99, read.priority));
  config.settings.late_wake = frame.duration("late_wake", period / 10);
  if (config.settings.late_wake.ns <= 0) frame.mismatch("late_wake", "a time above 0");
}

}  // namespace hild::config
