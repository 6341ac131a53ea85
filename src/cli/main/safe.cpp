// SPDX-License-Identifier: Apache-2.0
/// `hild safe`: drives every output to its safe value, now.
#include <fmt/format.h>

#include "cli/main/commands.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/assembly.hpp"
#include "io/guard/guard.hpp"
#include "io/guard/safe_ramp.hpp"

namespace hild::commands {
namespace {

struct SafeArguments {
  ConfigArguments config;
  std::string wait;
};

void print_outputs(const io::Bus& bus) {
  for (const auto& output : bus.outputs()) {
    if (output.device < 0) continue;
    const auto& device = bus.members()[static_cast<std::size_t>(output.device)];
    const std::string value = output.action.hold ? "held" : fmt::format("{:.4g}", output.safe);
    cli::print("{:<24} {:>10}   {} {}\n", output.name.view(), value, device.name.view(),
               output.channel.where.view());
  }
  cli::print("All outputs are at their safe values.\n");
}

// A device that a guard still holds comes free when its outputs are safe.
std::vector<Error> open_within(io::Bus& bus, rt::Clock& clock, Duration wait) {
  const MonoTime end = clock.now() + wait;
  auto errors = bus.open_all(clock);
  while (!errors.empty() && clock.now() < end) {
    clock.sleep_until(clock.now() + 50_ms);
    errors = bus.open_all(clock);
  }
  return errors;
}

// Where outputs take their time, a guard is at hand: killed on the way, this process would leave
// them there. Without one it does what it can.
bool make_safe(io::Bus& bus, rt::Clock& clock) {
  const bool begun = bus.safe();
  if (bus.settled()) return guard::flushed(bus, clock) && begun;
  rt::Warnings none;
  auto guard = guard::Guard::start(bus, {.within = 5_s, .priority = 0}, none);
  if (!guard) {
    cli::tell("hild: warning: {}\n", guard.error().message);
    return guard::ramp_to_safe(bus, clock) && begun;
  }
  guard->hold();
  const bool settled =
      guard::ramp_to_safe(bus, clock, [&] { guard->heartbeat().beat.set(clock.now().ns); });
  return settled && begun;  // the guard goes with its owner
}

ExitCode safe(const SafeArguments& arguments) {
  const auto wait = optional_time_of("--wait", arguments.wait);
  const plan::Assembly assembly = plan::assemble(needed(load(arguments.config)));
  const auto clock = needed(rt::make_clock(rt::ClockKind::sleep, {}));

  // One device that cannot be opened must not keep the others from being made safe.
  const auto opened = open_within(*assembly.bus, *clock, wait.value_or(Duration{}));
  const bool written = make_safe(*assembly.bus, *clock);
  if (opened.empty() && written) {
    print_outputs(*assembly.bus);
    return ExitCode::done;
  }
  for (const auto& error : opened) complain(error);
  if (assembly.bus->failed() >= 0) complain(assembly.bus->failure());
  return complain({"the outputs of that device are not at their safe values; those of others are",
                   ExitCode::device_failed});
}

}  // namespace

void add_safe(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] =
      add_command(app, exit_code, "safe", "drive every output to its safe value, now", safe);
  add_config_arguments(command, a.config);
  add_option(command, "--wait", a.wait, "S",
             "try for so many seconds while another program has a device; default: once");
}

}  // namespace hild::commands
