// SPDX-License-Identifier: Apache-2.0
/// `hild io`: reads every input, writes or wiggles one output, before a run.
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "cli/main/commands.hpp"
#include "cli/main/interrupted.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/assembly.hpp"

namespace hild::commands {
namespace {

struct IoArguments {
  ConfigArguments config;
  std::vector<std::string> write;
  std::string wiggle;
  int count = 1;
};

// A value written by hand, in signal units, put on an output that otherwise stays as it is.
struct Written {
  std::size_t output;
  double value;
};

Result<std::size_t> find_output(const io::Bus& bus, std::string_view name) {
  for (std::size_t i = 0; i < bus.outputs().size(); ++i) {
    if (bus.outputs()[i].name == name && bus.outputs()[i].device >= 0) return i;
  }
  return fail("no output `{}` is mapped to a device in this configuration", name);
}

Result<Written> parse_write(const io::Bus& bus, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return fail("--write {}: expected NAME=VALUE", text);
  const auto output = find_output(bus, std::string_view(text).substr(0, equals));
  if (!output) return tl::make_unexpected(output.error());
  char* end = nullptr;
  const double value = std::strtod(text.c_str() + equals + 1, &end);
  if (end == text.c_str() + equals + 1 || *end != '\0' || !std::isfinite(value)) {
    return fail("--write {}: expected a number in the signal's unit", text);
  }
  const auto& o = bus.outputs()[*output];
  const double converter = (value - o.offset) / o.scale;
  if (converter < o.limits.low || converter > o.limits.high) {
    return fail("--write {}: that is {:.5g} at the converter, whose limits are {:g}..{:g}", text,
                converter, o.limits.low, o.limits.high);
  }
  return Written{*output, value};
}

// What the outputs carry now, in signal units: a write must change one and leave the others.
Result<std::vector<double>> present_outputs(const io::Bus& bus) {
  std::vector<double> y(bus.outputs().size(), 0.0);
  std::vector<std::vector<double>> held(bus.members().size());
  for (std::size_t d = 0; d < held.size(); ++d) {
    std::size_t slots = 0;
    for (const auto& o : bus.outputs()) {
      if (o.device == static_cast<int>(d)) slots = std::max(slots, o.slot + 1);
    }
    held[d].resize(slots);
    if (slots > 0 && !bus.members()[d].device->read_back(held[d])) {
      return fail(ExitCode::device_failed,
                  "device {}: its outputs cannot be read back, so that "
                  "one cannot be written without the others",
                  bus.members()[d].name.view());
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto& o = bus.outputs()[i];
    if (o.device >= 0) y[i] = o.scale * held[static_cast<std::size_t>(o.device)][o.slot] + o.offset;
  }
  return y;
}

void print_inputs(const plan::Assembly& a, const std::vector<double>& u) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto& s = a.bus->inputs()[i];
    const auto& inputs = a.config.model.description.inputs;  // lines of interlocks follow them
    const auto unit = i < inputs.size() ? inputs[i].unit : s.channel.digital ? "1" : "V";
    if (s.device < 0) {
      cli::print("  {:<24} {:>12.5g} {:<8} (constant)\n", s.name.view(), u[i], unit);
      continue;
    }
    cli::print("  {:<24} {:>12.5g} {:<8} {:>10.5g} on {} {}\n", s.name.view(), u[i], unit,
               (u[i] - s.offset) / s.scale,
               a.bus->members()[static_cast<std::size_t>(s.device)].name.view(),
               s.channel.where.view());
  }
}

ExitCode device_failed(const io::Bus& bus) { return complain(bus.failure()); }

// As fast as the slew limits allow.
ExitCode put_out(io::Bus& bus, rt::Clock& clock, std::span<const double> y) {
  do {
    clock.sleep_until(clock.now() + 1_ms);
    if (!bus.exchange(y, {}, clock.now(), {})) return device_failed(bus);
  } while (!bus.settled());
  return ExitCode::done;
}

ExitCode wiggle(io::Bus& bus, rt::Clock& clock, std::size_t output) {
  auto y = present_outputs(bus);
  if (!y) return complain(y.error());
  const auto& o = bus.outputs()[output];
  const double before = (*y)[output];
  const double swing = 0.05 * (o.limits.high - o.limits.low) * o.scale;
  cli::print("wiggling {} by {:.4g} around {:.4g} at 1 Hz until interrupted\n", o.name.view(),
             swing, before);
  Interrupted interrupted;
  for (MonoTime start = clock.now(); !interrupted.raised();) {
    clock.sleep_until(clock.now() + 10_ms);
    (*y)[output] = before + swing * std::sin(2 * std::numbers::pi * seconds(clock.now() - start));
    if (!bus.exchange(*y, {}, clock.now(), {})) return device_failed(bus);
  }
  (*y)[output] = before;
  return put_out(bus, clock, *y);
}

// Each write keeps the other outputs as they are.
ExitCode write_outputs(io::Bus& bus, rt::Clock& clock, const std::vector<std::string>& writes) {
  auto y = present_outputs(bus);
  if (!y) return complain(y.error());
  for (const auto& text : writes) {
    const auto written = parse_write(bus, text);
    if (!written) return complain(written.error());
    (*y)[written->output] = written->value;
  }
  return put_out(bus, clock, *y);
}

ExitCode show_inputs(const plan::Assembly& a, rt::Clock& clock, int count) {
  std::vector<double> u(a.bus->inputs().size());
  std::vector<MonoTime> sampled(a.bus->groups());
  Interrupted interrupted;
  for (int i = 0; i < count && !interrupted.raised(); ++i) {
    if (i > 0) clock.sleep_until(clock.now() + 500_ms);
    if (!a.bus->exchange({}, u, clock.now(), sampled)) return device_failed(*a.bus);
    if (!cli::print("inputs\n")) break;
    print_inputs(a, u);
  }
  return ExitCode::done;
}

ExitCode show_outputs(const plan::Assembly& a) {
  const auto y = present_outputs(*a.bus);
  if (!y) return complain(y.error());
  cli::print("outputs\n");
  for (std::size_t i = 0; i < y->size(); ++i) {
    const auto& o = a.bus->outputs()[i];
    if (o.device < 0) continue;
    cli::print("  {:<24} {:>12.5g} {:<8} {:>10.5g} on {} {}\n", o.name.view(), (*y)[i],
               a.config.model.description.outputs[i].unit, ((*y)[i] - o.offset) / o.scale,
               a.bus->members()[static_cast<std::size_t>(o.device)].name.view(),
               o.channel.where.view());
  }
  return ExitCode::done;
}

ExitCode run_io(const IoArguments& arguments) {
  auto config = load(arguments.config);
  if (!config) return complain(config.error());
  const plan::Assembly a = plan::assemble(std::move(*config));
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  if (!clock) return complain(clock.error());
  // What a run drives may be looked at, as with an instrument, but not driven by two.
  if (arguments.write.empty() && arguments.wiggle.empty()) a.bus->observe();
  if (auto opened = a.bus->open(**clock); !opened) return complain(opened.error());
  a.bus->start((*clock)->now());

  if (!arguments.write.empty()) {
    const ExitCode written = write_outputs(*a.bus, **clock, arguments.write);
    if (written != ExitCode::done) return written;
  }
  if (!arguments.wiggle.empty()) {
    const auto output = find_output(*a.bus, arguments.wiggle);
    if (!output) return complain(output.error());
    return wiggle(*a.bus, **clock, *output);
  }
  const ExitCode shown = show_inputs(a, **clock, arguments.count);
  return shown == ExitCode::done ? show_outputs(a) : shown;
}

}  // namespace

void add_io(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "io", "read every channel, write one, or wiggle one to find its wire, before a run");
  const auto arguments = std::make_shared<IoArguments>();
  add_config_arguments(*command, arguments->config);
  command->add_option("--write", arguments->write, "put a value on an output, in its unit")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--wiggle", arguments->wiggle,
                   "move an output by 5 % of its range at 1 Hz until interrupted")
      ->type_name("NAME");
  command->add_option("--count", arguments->count, "read this many times, twice a second")
      ->check(CLI::Range(1, 1'000'000));
  command->callback([=, &exit_code] { exit_code = run_io(*arguments); });
}

}  // namespace hild::commands
