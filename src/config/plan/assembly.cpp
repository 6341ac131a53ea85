// SPDX-License-Identifier: Apache-2.0
#include "config/plan/assembly.hpp"

#include <algorithm>
#include <stdexcept>

#include "foreign/contain/process.hpp"
#include "hild/numerics/catalogue.hpp"
#include "model/calculated/calculated.hpp"
#include "model/coupled/stepper.hpp"

namespace hild::plan {

namespace {

template <class Made>
std::unique_ptr<Made> made_or_thrown(Result<std::unique_ptr<Made>> made) {
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(*made);
}

void configure(model::System& system, const config::Model& model) {
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    system.set_parameter(i, model.parameters[i]);
  }
  system.set_initial(model.initial);
}

// With the calculated channels, where there are some.
template <class Made>
std::unique_ptr<Made> whole(std::unique_ptr<Made> made, const config::Model& model) {
  if (!model.calculation) return made;
  return model::with_channels(model.calculation, std::move(made));
}

std::unique_ptr<model::Stepper> configured(std::unique_ptr<model::Stepper> stepper,
                                           const config::Model& model) {
  configure(stepper->system(), model);
  stepper->reset();
  return whole(std::move(stepper), model);
}

std::unique_ptr<model::Stepper> made_here(const config::Model& model, const contain::Way& way) {
  const auto* const rates = std::get_if<model::Multirate>(&way);
  return configured(rates != nullptr ? model.make_multirate(*rates)
                                     : model.make(*std::get<const numerics::Method*>(way)),
                    model);
}

// As it runs: in this process or in one of its own, as the model's section has it.
std::unique_ptr<model::Stepper> made(const config::Model& model, const contain::Way& way,
                                     const config::Frame& frame) {
  if (!model.contained) return made_here(model, way);
  return configured(
      made_or_thrown(contain::contained(
          model.source, way,
          {.answer_within = *model.contained, .priority = frame.priority, .cpu = frame.cpu})),
      model);
}

contain::Way way_of(const numerics::Method& method, const std::optional<model::Multirate>& rates) {
  if (rates) return *rates;
  return &method;
}

// The name of a model that a solution in continuous time cannot have; empty: there is none.
std::string sampled_model(const config::Config& config) {
  if (!config.coupled) return config.model.sampled ? config.model.type : "";
  for (const auto& part : config.coupled->parts) {
    if (part->model.sampled) return part->name;
  }
  return "";
}

}  // namespace

contain::Way way_of(const config::Part& part) { return way_of(part.method, part.multirate); }

contain::Way way_of(const Assembly& a) { return way_of(*a.method, a.config.multirate); }

std::unique_ptr<model::Stepper> plant_here(const config::Part& part) {
  return made_here(part.model, way_of(part));
}

std::unique_ptr<model::System> system_of(const config::Model& model) {
  auto system =
      model.contained
          ? made_or_thrown(contain::contained_system(model.source, {.answer_within = time_to_try}))
          : model.make_system();
  configure(*system, model);
  std::vector<double> x(model.initial.size());
  system->start(x);
  return whole(std::move(system), model);
}

std::unique_ptr<model::Stepper> Assembly::another_plant() const {
  if (!config.coupled) return another_plant(way_of(*this));
  std::vector<std::unique_ptr<model::Stepper>> steppers;
  for (const auto& part : config.coupled->parts) {
    steppers.push_back(made(part->model, way_of(*part), config.frame));
  }
  return whole<model::Stepper>(
      std::make_unique<coupled::CoupledStepper>(config.coupled->composition, std::move(steppers),
                                                config.settings.grid),
      config.model);
}

std::unique_ptr<model::Stepper> Assembly::another_plant(const contain::Way& way) const {
  return made(config.model, way, config.frame);
}

Result<std::unique_ptr<model::System>> reference_system(const config::Config& config) {
  if (const std::string end = sampled_model(config); !end.empty()) {
    return fail(
        "{}: {} is one end of a bond, which has no solution without the other end; connect both "
        "models by one `bond` without `end`",
        config.file, end);
  }
  if (!config.coupled) return system_of(config.model);
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
  std::vector<std::unique_ptr<model::System>> systems;
  for (const auto& part : config.coupled->parts) systems.push_back(system_of(part->model));
  return whole<model::System>(
      std::make_unique<coupled::ContinuousSystem>(std::move(composition), std::move(systems)),
      config.model);
}

io::FrameLayout Assembly::layout(std::size_t counted, bool shared) const {
  const std::size_t lines = bus->inputs().size() - config.model.description.inputs.size();
  return exec::FrameLoop::layout(*plant, lines, counted, bus->groups(), shared, bus->heard());
}

exec::Parts Assembly::parts(rt::Clock& clock, io::Sampler& sampler, model::Stepper& other,
                            exec::ExternalEvents& events, rt::SlotRing& records) const {
  exec::Parts parts{clock,   sampler, other, bus->sampled_inputs(), starts_of(bus->inputs()),
                    &events, &records};
  parts.plausible = config.model.plausible;
  for (const auto& interlock : config.interlocks) parts.interlocks.push_back(interlock.limits);
  for (const auto& alarm : config.alarms) parts.alarms.push_back(alarm.alarm);
  return parts;
}

Assembly assemble(config::Config config) {
  Assembly a;
  std::ranges::move(config.lines, std::back_inserter(config.inputs));
  a.bus = std::make_unique<io::Bus>(std::move(config.devices), std::move(config.inputs),
                                    std::move(config.outputs));
  a.config = std::move(config);
  if (auto& follow = a.config.settings.follow) {
    follow->group = a.bus->sampled_inputs()[a.config.frame.follows_input].group;
  }
  a.method = a.config.coupled ? &a.config.coupled->composition->method()
                              : numerics::find_method(a.config.method);
  a.plant = a.another_plant();
  if (a.config.multirate) a.method = &a.plant->method();
  return a;
}

}  // namespace hild::plan
