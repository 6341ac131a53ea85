// SPDX-License-Identifier: Apache-2.0
/// `hild safe`: drives every output to its safe value, now.
#include <fmt/format.h>

#include <memory>

#include "main/commands.hpp"
#include "plan/assembly.hpp"

namespace hild::commands {
namespace {

void print_outputs(const io::Bus& bus) {
  for (const auto& output : bus.outputs()) {
    if (output.device < 0) continue;
    const auto& device = bus.members()[static_cast<std::size_t>(output.device)];
    fmt::print("{:<24} {:>10.4g}   {} {}\n", output.name.view(), output.safe, device.name.view(),
               output.channel.where.view());
  }
  fmt::print("All outputs are at their safe values.\n");
}

ExitCode safe(const ConfigArguments& arguments) {
  auto config = load(arguments);
  if (!config) return complain(config.error());
  const plan::Assembly assembly = plan::assemble(std::move(*config));
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  if (!clock) return complain(clock.error());

  // One device that cannot be opened must not keep the others from being made safe.
  const auto opened = assembly.bus->open_all(**clock);
  const bool written = assembly.bus->safe();
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
  auto* command = app.add_subcommand("safe", "drive every output to its safe value, now");
  const auto arguments = std::make_shared<ConfigArguments>();
  add_config_arguments(*command, *arguments);
  command->callback([=, &exit_code] { exit_code = safe(*arguments); });
}

}  // namespace hild::commands
