// SPDX-License-Identifier: Apache-2.0
// The driver `sim`: A/D and D/A channels without hardware.
//   devices: {daq: {driver: sim, seed: 1, image: NAME, autonomous: {rate: 2 kHz}, fail_after: 1000,
//                   stall: {for: 3 ms, every: 10}, controller: {...}}} (see sim_controller.hpp)
//   inputs:  {u: {device: daq, channel: 0, range: -10 V..10 V, resolution: 16, noise: 1 mV,
//                 conversion: 5 us, delay: 20 us, source: {...}}}      (see sim_source.hpp)
//   outputs: {y: {device: daq, channel: 0, range: -10 V..10 V, resolution: 16}}
//   either:  {digital: true} in the place of range, resolution and noise
#include "drivers/sim_device.hpp"
#include "drivers/sim_owner.hpp"

namespace hild::sim {
namespace {

Grid read_rate(io::Options& autonomous) {
  return grid_of_rate(autonomous.number("rate", "Hz", {}, {.low = 1e-3, .high = 1e6}));
}

void read_stall(io::Options& stall, SimSettings& settings) {
  settings.stall_every = stall.integer("every", 1, INT64_MAX);
  settings.stall = stall.duration("for");
  if (settings.stall > 1_s) {
    stall.reject("for", fmt::format("found {:g} s, expected at most 1 s", seconds(settings.stall)));
  }
}

Name read_image_name(std::string_view device, io::Options& options) {
  if (!options.has("image")) return usual_image(device, options.configuration());
  const std::string_view name = options.text("image");
  if (name.size() > Name::capacity) {
    options.reject("image", fmt::format("expected a name of at most {} characters, found {}",
                                        Name::capacity, name));
  }
  return name;
}

std::unique_ptr<io::Device> make_sim(std::string_view device_name, io::Options& options) {
  SimSettings settings;
  settings.name = device_name;
  settings.image = read_image_name(device_name, options);
  const std::string_view configuration = options.configuration();
  settings.configuration.assign(configuration.begin(), configuration.end());
  settings.seed = static_cast<std::uint64_t>(options.integer("seed", 0, INT64_MAX, 1));
  settings.fail_after = options.integer("fail_after", -1, INT64_MAX, -1);
  if (io::Options* const map = options.child("stall")) read_stall(*map, settings);
  if (io::Options* const map = options.child("autonomous")) settings.autonomous = read_rate(*map);
  if (io::Options* const map = options.child("controller")) {
    settings.controller = std::make_unique<Controller>(*map);
  }
  return std::make_unique<SimDevice>(std::move(settings));
}

HILD_DRIVER(sim, "simulated converters: sources, noise, delay, a controller", make_sim);

}  // namespace
}  // namespace hild::sim
