// SPDX-License-Identifier: Apache-2.0
#include "plan/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "contain/process.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::plan {

namespace {

std::unique_ptr<model::Plant> configured(std::unique_ptr<model::Plant> made,
                                         const config::Config& config) {
  for (std::size_t i = 0; i < config.model.parameters.size(); ++i) {
    made->set_parameter(i, config.model.parameters[i]);
  }
  made->set_initial(config.model.initial);
  return made;
}

// In this process or in one of its own, as the configuration has it.
std::unique_ptr<model::Plant> made(const contain::MakePlant& make, const numerics::Method& method,
                                   const config::Config& config) {
  if (!config.model.contained) return make();
  auto contained = contain::contained(make, config.model.description, method,
                                      {.answer_within = *config.model.contained,
                                       .priority = config.frame.priority,
                                       .cpu = config.frame.cpu});
  if (!contained) throw std::runtime_error(contained.error().message);
  return std::move(*contained);
}

}  // namespace

std::unique_ptr<model::Plant> Assembly::another_plant() const {
  return config.multirate ? another_plant(*config.multirate) : another_plant(*method);
}

std::unique_ptr<model::Plant> Assembly::another_plant(const numerics::Method& other) const {
  return configured(made([&] { return config.model.make(other); }, other, config), config);
}

std::unique_ptr<model::Plant> Assembly::plant_here() const {
  return configured(config.multirate ? config.model.make_multirate(*config.multirate)
                                     : config.model.make(*method),
                    config);
}

std::unique_ptr<model::Plant> Assembly::another_plant(const model::Multirate& rates) const {
  return configured(
      made([&] { return config.model.make_multirate(rates); }, rates.method(), config), config);
}

exec::Parts Assembly::parts(rt::Clock& clock, io::Sampler& sampler, exec::ExternalEvents& events,
                            rt::SlotRing& records) const {
  exec::Parts parts{clock, sampler, {plant.get()}, {}, {}, &events, &records};
  for (const auto& input : bus->inputs()) {
    parts.held_inputs.push_back(input.channel.digital ? 1 : 0);
    parts.start_inputs.push_back(input.start);
    parts.jumps.push_back(input.restart_above);
  }
  for (const auto& interlock : config.interlocks) parts.interlocks.push_back(interlock.limits);
  // Nobody watches for jumps when no input has a limit.
  if (std::ranges::all_of(parts.jumps, [](double limit) { return std::isinf(limit); })) {
    parts.jumps.clear();
  }
  return parts;
}

Assembly assemble(config::Config config) {
  Assembly a;
  std::ranges::move(config.lines, std::back_inserter(config.inputs));
  a.bus = std::make_unique<io::Bus>(std::move(config.devices), std::move(config.inputs),
                                    std::move(config.outputs));
  a.config = std::move(config);
  a.method = numerics::find_method(a.config.method);
  a.plant = a.another_plant();
  if (a.config.multirate) a.method = &a.plant->method();
  return a;
}

}  // namespace hild::plan
