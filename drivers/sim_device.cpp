// SPDX-License-Identifier: Apache-2.0
// The loading half of the simulated device, and its starting and stopping.
#include "drivers/sim_device.hpp"

#include <algorithm>

namespace hild::sim {
namespace {

constexpr double longest_delay_s = 0.01;  // what InputHistory keeps

int channel_of(const Line& output) { return output.channel; }
int channel_of(const AnalogInput& input) { return input.line.channel; }

template <class Lines>
bool in_use(const Lines& lines, int channel) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const auto& used) { return channel_of(used) == channel; });
}

}  // namespace

SimDevice::SimDevice(SimSettings settings) : settings_(std::move(settings)) {
  latch(fmt::format("vanished after {} exchanges, as told to by fail_after", settings_.fail_after));
}

SimDevice::~SimDevice() { stop(); }

std::string_view SimDevice::why_not_repeatable() const {
  if (settings_.controller) return "its controller cannot be taken back";
  if (settings_.autonomous) return "it converts at a rate of its own, which goes on";
  return "";
}

void SimDevice::latch(std::string_view problem) {
  failure_.clear();
  fmt::format_to(fmt::appender(failure_), "{}", problem);
}

Result<io::Channel> SimDevice::add(io::Direction direction, io::Options& entry) {
  return direction == io::Direction::input ? add_input(entry) : add_output(entry);
}

Result<io::Channel> SimDevice::add_input(io::Options& entry) {
  const Line line = read_line(entry);
  if (in_use(world_.inputs, line.channel)) {
    return fail("A/D channel {} is already used by another signal", line.channel);
  }
  const std::string_view unit = line.digital ? "1" : "V";
  const double noise = line.digital ? 0 : entry.number("noise", "V", 0.0, {.low = 0});
  const auto after = [&](std::string_view key) {
    return from_seconds(entry.number(key, "s", 0.0, {.low = 0, .high = longest_delay_s}));
  };
  const std::size_t group = world_.group_of(after("conversion") - after("delay"));
  // The seed of a channel depends on nothing but the device's seed and the channel.
  const std::uint64_t seed = settings_.seed * 1'000'003 + static_cast<std::uint64_t>(line.channel);
  world_.inputs.push_back(
      {line, noise, Noise(seed), group, read_source(entry, "source", unit, line.digital)});
  counts_.resize(world_.inputs.size());
  io::Channel channel = describe(line, "A/D");
  channel.group = group;
  return channel;
}

Result<io::Channel> SimDevice::add_output(io::Options& entry) {
  const Line line = read_line(entry);
  if (in_use(world_.outputs, line.channel)) {
    return fail("D/A channel {} is already used by another signal", line.channel);
  }
  world_.outputs.push_back(line);
  return describe(line, "D/A");
}

Result<void> SimDevice::check_wiring() const {
  const Controller* const controller = settings_.controller.get();
  for (const AnalogInput& input : world_.inputs) {
    const int from = input.source->loopback();
    if (from >= 0 && !in_use(world_.outputs, from)) {
      return fail("A/D channel {}: loopback of D/A channel {}, which no output uses",
                  input.line.channel, from);
    }
    const bool commanded = controller != nullptr && controller->command() == input.line.channel;
    if (input.source->is_command() && !commanded) {
      return fail("A/D channel {}: source is a controller, but no controller commands it",
                  input.line.channel);
    }
    if (commanded && !input.source->is_command()) {
      return fail(
          "A/D channel {}: the controller commands it, so its source must be "
          "{{controller: command}}",
          input.line.channel);
    }
  }
  if (controller == nullptr) return {};
  if (!in_use(world_.inputs, controller->command())) {
    return fail("controller: command is A/D channel {}, which no input uses",
                controller->command());
  }
  if (!in_use(world_.outputs, controller->measure())) {
    return fail("controller: measure is D/A channel {}, which no output uses",
                controller->measure());
  }
  return {};
}

Result<void> SimDevice::open_image() {
  const std::size_t channels = world_.width();
  if (detached_) return world_.image.open_private(channels);
  const std::string_view name = settings_.image.view();
  if (observing_) return world_.image.look(name, channels);
  const std::string_view configuration(settings_.configuration.data(),
                                       settings_.configuration.size());
  return world_.image.open(name, configuration, channels);
}

Result<void> SimDevice::open(rt::Clock& clock) {
  if (auto wired = check_wiring(); !wired) return wired;
  if (auto opened = open_image(); !opened) return opened;
  clock_ = &clock;
  virtual_ = clock.virtual_time();
  // Live, the lines hold what an earlier process left on them. A virtual world starts afresh: what
  // happened to be in the memory must not change an offline run.
  std::vector<double> left(world_.width());
  if (virtual_ || !world_.image.read(left)) std::ranges::fill(left, 0.0);
  world_.prepare(left);
  if (settings_.autonomous) converter_.emplace(*settings_.autonomous, world_);
  if (settings_.controller) controller_.emplace(*settings_.controller, world_);
  return {};
}

bool SimDevice::read_back(std::span<double> outputs) {
  std::vector<double> voltages(world_.width());
  if (clock_ == nullptr || !world_.image.read(voltages)) return false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = voltages[static_cast<std::size_t>(world_.outputs[i].channel)];
  }
  return true;
}

void SimDevice::start(MonoTime zero) {
  stop();
  world_.start(zero);
  running_ = true;
  if (converter_) converter_->start(clock_->now());
  if (controller_) controller_->start();
  if (!virtual_) start_threads();
}

void SimDevice::start_threads() {
  const auto need = [this](const Result<void>& started) {
    if (started) return;
    latch(fmt::format("cannot start its thread: {}", started.error().message));
    failed_ = true;
  };
  if (converter_) need(converter_->start_thread());
  if (controller_) need(controller_->start_thread());
}

void SimDevice::stop() {
  if (!running_) return;
  if (controller_) controller_->stop();
  if (converter_) converter_->stop(clock_->now());
  running_ = false;
}

}  // namespace hild::sim
