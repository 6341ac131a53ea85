// SPDX-License-Identifier: Apache-2.0
/// `hild io`: reads every input, writes or wiggles one output, before a run; listens to a device.
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "cli/main/commands.hpp"
#include "cli/main/listen.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/assembly.hpp"

namespace hild::commands {
namespace {

struct IoArguments {
  ConfigArguments config;
  std::vector<std::string> write;
  std::string wiggle;
  std::string listen;
  std::optional<int> count;
  bool as_json = false;
};

std::size_t find_output(const io::Bus& bus, std::string_view name) {
  for (std::size_t i = 0; i < bus.outputs().size(); ++i) {
    if (bus.outputs()[i].name == name && bus.outputs()[i].device >= 0) return i;
  }
  throw Error{fmt::format("no output `{}` is mapped to a device in this configuration", name)};
}

// Of which output, and the value that is put on it, in signal units.
std::pair<std::size_t, double> parse_write(const io::Bus& bus, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw Error{fmt::format("--write {}: expected NAME=VALUE", text)};
  }
  const std::size_t output = find_output(bus, std::string_view(text).substr(0, equals));
  char* end = nullptr;
  const double value = std::strtod(text.c_str() + equals + 1, &end);
  if (end == text.c_str() + equals + 1 || *end != '\0' || !std::isfinite(value)) {
    throw Error{fmt::format("--write {}: expected a number in the signal's unit", text)};
  }
  const auto& o = bus.outputs()[output];
  const double converter = (value - o.offset) / o.scale;
  if (converter < o.limits.low || converter > o.limits.high) {
    throw Error{
        fmt::format("--write {}: that is {:.5g} at the converter, whose limits are {:g}..{:g}",
                    text, converter, o.limits.low, o.limits.high)};
  }
  return {output, value};
}

// What the outputs of a device hold, by slot; nothing where it cannot tell.
std::optional<std::vector<double>> held_by(const io::Bus& bus, std::size_t d) {
  std::size_t slots = 0;
  for (const auto& o : bus.outputs()) {
    if (o.device == static_cast<int>(d)) slots = std::max(slots, o.slot + 1);
  }
  std::vector<double> held(slots);
  if (slots > 0 && !bus.members()[d].device->read_back(held)) return {};
  return held;
}

// What the outputs carry now, in signal units: a write must change one and leave the others.
std::vector<double> present_outputs(const io::Bus& bus) {
  std::vector<double> y(bus.outputs().size(), 0.0);
  for (std::size_t d = 0; d < bus.members().size(); ++d) {
    const auto held = held_by(bus, d);
    if (!held) {
      throw Error{fmt::format("device {}: its outputs cannot be read back, so that one cannot be "
                              "written without the others",
                              bus.members()[d].name.view()),
                  ExitCode::device_failed};
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto& o = bus.outputs()[i];
      if (o.device == static_cast<int>(d)) y[i] = o.scale * (*held)[o.slot] + o.offset;
    }
  }
  return y;
}

template <class Signal>
void print_signal(const io::Bus& bus, const Signal& s, double value, std::string_view unit) {
  if (s.device < 0) {
    cli::print("  {:<24} {:>12.5g} {:<8} (constant)\n", s.name.view(), value, unit);
    return;
  }
  cli::print("  {:<24} {:>12.5g} {:<8} {:>10.5g} on {} {}\n", s.name.view(), value, unit,
             (value - s.offset) / s.scale,
             bus.members()[static_cast<std::size_t>(s.device)].name.view(), s.channel.where.view());
}

void print_inputs(const plan::Assembly& a, const std::vector<double>& u) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto& s = a.bus->inputs()[i];
    const auto& inputs = a.config.model.description.inputs;  // lines of interlocks follow them
    print_signal(*a.bus, s, u[i], i < inputs.size() ? inputs[i].unit : s.channel.value_unit());
  }
}

void exchange(io::Bus& bus, std::span<const double> y, std::span<double> u, MonoTime now,
              std::span<MonoTime> sampled) {
  if (!bus.exchange(y, u, now, sampled)) throw bus.failure();
}

// As fast as the slew limits allow.
void put_out(io::Bus& bus, rt::Clock& clock, std::span<const double> y) {
  do {
    clock.sleep_until(clock.now() + 1_ms);
    exchange(bus, y, {}, clock.now(), {});
  } while (!bus.settled());
}

void wiggle(io::Bus& bus, rt::Clock& clock, std::size_t output) {
  auto y = present_outputs(bus);
  const auto& o = bus.outputs()[output];
  const double before = y[output];
  // A twentieth of all that a floating-point number can be is nothing to try on hardware.
  if (!(o.limits.high - o.limits.low < 1e6)) {
    throw Error{
        fmt::format("{}: its limits are {:.3g} ... {:.3g}, which is no range to wiggle in; "
                    "give it narrower `limits`",
                    o.name.view(), o.limits.low, o.limits.high)};
  }
  const double swing = 0.05 * (o.limits.high - o.limits.low) * o.scale;
  cli::print("wiggling {} by {:.4g} around {:.4g} at 1 Hz until interrupted\n", o.name.view(),
             swing, before);
  Interrupted interrupted;
  for (MonoTime start = clock.now(); !interrupted.raised();) {
    clock.sleep_until(clock.now() + 10_ms);
    y[output] = before + swing * std::sin(2 * std::numbers::pi * seconds(clock.now() - start));
    exchange(bus, y, {}, clock.now(), {});
  }
  y[output] = before;
  put_out(bus, clock, y);
}

// Each write keeps the other outputs as they are.
void write_outputs(io::Bus& bus, rt::Clock& clock, const std::vector<std::string>& writes) {
  auto y = present_outputs(bus);
  for (const auto& text : writes) {
    const auto [output, value] = parse_write(bus, text);
    y[output] = value;
  }
  put_out(bus, clock, y);
}

void show_inputs(const plan::Assembly& a, rt::Clock& clock, int count) {
  std::vector<double> u(a.bus->inputs().size());
  std::vector<MonoTime> sampled(a.bus->groups());
  Interrupted interrupted;
  for (int i = 0; i < count && !interrupted.raised(); ++i) {
    if (i > 0) clock.sleep_until(clock.now() + 500_ms);
    exchange(*a.bus, {}, u, clock.now(), sampled);
    if (!cli::print("inputs\n")) break;
    print_inputs(a, u);
  }
}

void show_outputs(const plan::Assembly& a) {
  const io::Bus& bus = *a.bus;
  cli::print("outputs\n");
  for (std::size_t i = 0; i < bus.outputs().size(); ++i) {
    const auto& o = bus.outputs()[i];
    if (o.device < 0) continue;
    const auto held = held_by(bus, static_cast<std::size_t>(o.device));
    if (held) {
      print_signal(bus, o, o.scale * (*held)[o.slot] + o.offset,
                   a.config.model.description.outputs[i].unit);
    } else {
      cli::print("  {:<24} {:>12} on {} {}\n", o.name.view(), "not known",
                 bus.members()[static_cast<std::size_t>(o.device)].name.view(),
                 o.channel.where.view());
    }
  }
}

void run_io(const IoArguments& arguments) {
  if (arguments.as_json && arguments.listen.empty()) throw Error{"--json is of --listen"};
  if (!arguments.listen.empty() && !(arguments.write.empty() && arguments.wiggle.empty())) {
    throw Error{"--listen beside --write or --wiggle: expected one of them"};
  }
  const plan::Assembly a = plan::assemble(needed(load(arguments.config)));
  const auto clock = needed(rt::make_clock(rt::ClockKind::sleep, {}));
  if (!arguments.listen.empty()) {
    return listen(*a.bus, *clock, {arguments.listen, arguments.count, arguments.as_json});
  }
  // What a run drives may be looked at, as with an instrument, but not driven by two.
  if (arguments.write.empty() && arguments.wiggle.empty()) a.bus->observe();
  needed(a.bus->open(*clock));
  a.bus->start(clock->now());

  if (!arguments.write.empty()) write_outputs(*a.bus, *clock, arguments.write);
  if (!arguments.wiggle.empty()) {
    return wiggle(*a.bus, *clock, find_output(*a.bus, arguments.wiggle));
  }
  show_inputs(a, *clock, arguments.count.value_or(1));
  show_outputs(a);
}

}  // namespace

void add_io(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(app, exit_code, "io",
                                  "read every channel, write one, or wiggle one to find its wire, "
                                  "before a run; show a bus live",
                                  run_io);
  add_config_arguments(command, a.config);
  add_repeated(command, "--write", a.write, "NAME=VALUE", "put a value on an output, in its unit");
  add_option(command, "--wiggle", a.wiggle, "NAME",
             "move an output by 5 % of its range at 1 Hz until interrupted");
  add_option(command, "--listen", a.listen, "DEVICE",
             "show all that comes over its wire, decoded, until interrupted; also beside a run");
  command.add_flag("--json", a.as_json, "of --listen: a line of JSON for each message");
  command
      .add_option("--count", a.count,
                  "read this many times, twice a second; of --listen: end after so many messages")
      ->check(CLI::Range(1, 1'000'000));
}

}  // namespace hild::commands
