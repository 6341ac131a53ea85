// SPDX-License-Identifier: Apache-2.0
#include "plan/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "contain/process.hpp"
#include "coupled/plant.hpp"
#include "hild/numerics/catalogue.hpp"
#include "plan/ways.hpp"

namespace hild::plan {

namespace {

std::unique_ptr<model::Plant> configured(std::unique_ptr<model::Plant> made,
                                         const config::Model& model) {
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    made->set_parameter(i, model.parameters[i]);
  }
  made->set_initial(model.initial);
  return made;
}

std::unique_ptr<model::Plant> made_here(const config::Model& model, const contain::Way& way) {
  const auto* const rates = std::get_if<model::Multirate>(&way);
  return rates != nullptr ? model.make_multirate(*rates)
                          : model.make(*std::get<const numerics::Method*>(way));
}

// In this process or in one of its own, as the model's section has it.
std::unique_ptr<model::Plant> made(const config::Model& model, const contain::Way& way,
                                   const contain::Options& options) {
  if (!model.contained) return configured(made_here(model, way), model);
  auto contained = contain::contained(model.source, way, options);
  if (!contained) throw std::runtime_error(contained.error().message);
  return configured(std::move(*contained), model);
}

contain::Options as_it_runs(const config::Model& model, const config::Frame& frame) {
  return {.answer_within = model.contained.value_or(Duration{}),
          .priority = frame.priority,
          .cpu = frame.cpu};
}

template <class Make>
std::unique_ptr<model::Plant> couple(const config::Config& config,
                                     std::shared_ptr<const coupled::Composition> composition,
                                     coupled::Coupling coupling, Make make_part) {
  std::vector<std::unique_ptr<model::Plant>> plants;
  for (const auto& part : config.coupled->parts) plants.push_back(make_part(*part));
  return std::make_unique<coupled::CoupledPlant>(std::move(composition), std::move(plants),
                                                 config.settings.grid, coupling);
}

contain::Way way_of(const numerics::Method& method, const std::optional<model::Multirate>& rates) {
  if (rates) return *rates;
  return &method;
}

// A plant of its own, as the model's section has it, but not as real time has it.
std::unique_ptr<model::Plant> to_try(const config::Model& model, const contain::Way& way) {
  return made(model, way, {.answer_within = time_to_try});
}

}  // namespace

contain::Way way_of(const config::Part& part) { return way_of(part.method, part.multirate); }

contain::Way way_of(const Assembly& a) { return way_of(*a.method, a.config.multirate); }

std::unique_ptr<model::Plant> plant_here(const config::Part& part) {
  return configured(made_here(part.model, way_of(part)), part.model);
}

std::unique_ptr<model::Plant> plant_to_try(const config::Part& part) {
  return to_try(part.model, way_of(part));
}

std::unique_ptr<model::Plant> Assembly::another_plant() const {
  if (!config.coupled) {
    return config.multirate ? another_plant(*config.multirate) : another_plant(*method);
  }
  return couple(config, config.coupled->composition, coupled::Coupling::frames,
                [&](const config::Part& part) {
                  return made(part.model, way_of(part), as_it_runs(part.model, config.frame));
                });
}

std::unique_ptr<model::Plant> Assembly::another_plant(const numerics::Method& other) const {
  return made(config.model, &other, as_it_runs(config.model, config.frame));
}

std::unique_ptr<model::Plant> Assembly::plant_here() const {
  if (config.coupled) {
    return couple(config, config.coupled->composition, coupled::Coupling::frames,
                  &plan::plant_here);
  }
  return configured(made_here(config.model, way_of(*this)), config.model);
}

std::unique_ptr<model::Plant> Assembly::another_plant(const model::Multirate& rates) const {
  return made(config.model, rates, as_it_runs(config.model, config.frame));
}

std::unique_ptr<model::Plant> Assembly::plant_to_try() const {
  return to_try(config.model, way_of(*this));
}

Result<std::unique_ptr<model::Plant>> reference_plant(const config::Config& config) {
  if (!config.coupled) {
    // Only the model is used.
    return to_try(config.model, numerics::find_method("rk-4"));
  }
  // Connected at once: what steps and delays do is not in the reference.
  const coupled::Composition& stepped = *config.coupled->composition;
  std::vector<coupled::Part> parts(stepped.parts().begin(), stepped.parts().end());
  for (coupled::Part& part : parts) part.rate = {};
  std::vector<coupled::Connection> connections(stepped.connections().begin(),
                                               stepped.connections().end());
  for (coupled::Connection& c : connections) c.delayed = false;
  auto composition =
      std::make_shared<coupled::Composition>(std::move(parts), std::move(connections));
  if (!composition->order().loop.empty()) {
    return fail(
        "{}: a reference has no delays, and without those of `connections` the models make "
        "an algebraic loop, which has no solution step by step",
        config.file);
  }
  return couple(config, std::move(composition), coupled::Coupling::continuous,
                [](const config::Part& part) { return plan::plant_to_try(part); });
}

exec::Parts Assembly::parts(rt::Clock& clock, io::Sampler& sampler, model::Plant& other,
                            exec::ExternalEvents& events, rt::SlotRing& records) const {
  exec::Parts parts{clock, sampler, other, {}, {}, &events, &records};
  for (const auto& input : bus->inputs()) {
    parts.held_inputs.push_back(input.channel.digital ? 1 : 0);
    parts.start_inputs.push_back(input.start);
    parts.jumps.push_back(input.restart_above);
  }
  parts.plausible = config.model.plausible;
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
  a.method = a.config.coupled ? &a.config.coupled->composition->method()
                              : numerics::find_method(a.config.method);
  a.plant = a.another_plant();
  if (a.config.multirate) a.method = &a.plant->method();
  return a;
}

}  // namespace hild::plan
