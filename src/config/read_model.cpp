// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/sections.hpp"
#include "foreign/contain/source.hpp"
#include "foreign/fmu/load.hpp"
#include "foreign/plugin/load.hpp"
#include "hild/model/registry.hpp"

namespace hild::config {
namespace {

const model::Registration& find_builtin(YamlOptions& section) {
  const std::string_view type = section.text("type");
  if (const auto* found = model::find_model(type)) return *found;
  std::vector<std::string_view> known;
  for (const auto* registration : model::models()) known.push_back(registration->description.name);
  section.no_such("type", "a model", known);
}

/// Where its code is, and whether any of it may run in this process.
enum class Trust { here, elsewhere };

// Takes over what a source that runs elsewhere says of itself.
Model from_source(std::shared_ptr<const contain::ModelSource> source) {
  Model model;
  model.type = source->description().name;
  model.description = source->description();
  model.jacobian = source->jacobian();
  model.source = std::move(source);
  return model;
}

Model from_registration(const model::Registration& r) {
  Model model;
  model.type = r.description.name;
  model.description = r.description;
  model.make_system = r.make_system;
  model.make = r.make;
  if (r.make_multirate != nullptr) model.make_multirate = r.make_multirate;
  return model;
}

Model from_builtin(YamlOptions& section, Trust trust) {
  const model::Registration& r = find_builtin(section);
  return trust == Trust::here ? from_registration(r)
                              : from_source(contain::ModelSource::built_in(r));
}

Model from_plugin(YamlOptions& section, Trust trust) {
  const std::string file(section.path("plugin"));
  Model model = trust == Trust::here
                    ? from_registration(*section.accept("plugin", plugin::load(file)))
                    : from_source(section.accept("plugin", contain::ModelSource::plugin(file)));
  model.file = file;
  return model;
}

// An FMU that advances itself takes one step a frame, or as its rate says, and has one pass.
void check_co_simulation(YamlOptions& root, YamlOptions& owner, coupled::Rate rate, double step,
                         double fixed_step) {
  YamlOptions& integrator = owner.section("integrator");
  if (integrator.text("method") != "forward-euler") {
    integrator.mismatch("method", "forward-euler, which has one pass a step",
                        "the FMU advances itself: co-simulation");
  }
  if (fixed_step <= 0) return;
  const double steps = step / fixed_step;
  if (std::abs(steps - std::round(steps)) <= 1e-6 && steps >= 0.5) return;
  YamlOptions& frame = root.section("frame");
  if (rate.every == 1 && rate.substeps == 1) {
    frame.mismatch(frame.has("rate") ? "rate" : "period",
                   fmt::format("steps of a whole multiple of {:.6g} s", fixed_step),
                   "the step of the FMU's own solver");
  }
  integrator.reject("method", fmt::format("found steps of {:.6g} s, expected whole multiples of "
                                          "{:.6g} s, the step of the FMU's own solver",
                                          step, fixed_step));
}

// caps: {event_iterations: {max: 32, then: carry-on}}: each what it is by default.
void read_cap(YamlOptions& caps, std::string_view key, fmi::Limit& cap) {
  YamlOptions& section = caps.map(key);
  cap.most = static_cast<int>(section.integer("max", 1, 10'000, cap.most));
  cap.stop = section.choice("then", {"carry-on", "stop"}, cap.stop ? 1 : 0) == 1;
}

fmi::Caps read_caps(YamlOptions& section) {
  fmi::Caps caps;
  YamlOptions& read = section.map("caps");
  read_cap(read, "event_iterations", caps.event_iterations);
  read_cap(read, "zero_advance", caps.zero_advance);
  read_cap(read, "step_parts", caps.step_parts);
  return caps;
}

// structure: {n: 4}: of arrays that can be of several sizes.
fmu::Structure read_structure(YamlOptions& section) {
  fmu::Structure structure;
  YamlOptions& read = section.map("structure");
  for (const std::string& name : read.keys()) {
    structure[name] = static_cast<std::uint64_t>(read.integer(name, 0, 1'000'000));
  }
  return structure;
}

Model from_fmu(YamlOptions& root, YamlOptions& section, YamlOptions& owner, coupled::Rate rate,
               Trust trust) {
  fmu::LoadOptions options;
  if (section.has("kind")) {
    options.kind = section.choice("kind", {"model-exchange", "co-simulation"}, fmu::Kind{});
  }
  options.step = rate.every / (read_grid(root.section("frame")).rate_hz() * rate.substeps);
  options.differences =
      section.choice("jacobian", {"directional-derivatives", "differences"}, 0) == 1;
  options.caps = read_caps(section);
  options.structure = read_structure(section);
  const std::string file(section.path("fmu"));
  Model model;
  fmu::Kind kind{};
  double fixed_step = 0;
  if (trust == Trust::elsewhere) {
    auto source = section.accept("fmu", contain::ModelSource::fmu(file, options));
    kind = source->kind();
    fixed_step = source->fixed_step();
    model = from_source(std::move(source));
  } else {
    fmu::Model loaded = section.accept("fmu", fmu::load(file, options));
    kind = loaded.kind;
    fixed_step = loaded.fixed_step;
    model.type = loaded.description.name;
    model.description = loaded.description;
    model.make_system = std::move(loaded.make_system);
    model.make = std::move(loaded.make);
    model.jacobian = std::move(loaded.jacobian);
  }
  if (kind == fmu::Kind::co_simulation) {
    check_co_simulation(root, owner, rate, options.step, fixed_step);
  }
  model.file = file;
  model.fmu = true;
  return model;
}

constexpr std::array<std::string_view, 5> sources{"type", "plugin", "fmu", "table", "bond"};

// Where the model comes from: built in, a plug-in, an FMU, or what is read here, as a table is.
Model find_source(YamlOptions& root, YamlOptions& section, YamlOptions& owner, coupled::Rate rate,
                  Trust trust) {
  section.one_of({sources.begin(), sources.end()});
  std::string_view first;
  for (const std::string_view key : sources) {
    if (!section.has(key)) continue;
    if (!first.empty()) section.reject(key, fmt::format("found beside `{}`, expected one", first));
    first = key;
  }
  if (first == "table" || first == "bond") {
    if (trust == Trust::elsewhere) {
      section.reject("process",
                     fmt::format("found \"own\" beside `{}`, which has no code to be kept "
                                 "apart",
                                 first));
    }
    return first == "table" ? read_table(section) : read_bond(root, section, rate);
  }
  if (first == "fmu") return from_fmu(root, section, owner, rate, trust);
  return first == "plugin" ? from_plugin(section, trust) : from_builtin(section, trust);
}

std::vector<double> read_parameters(YamlOptions& section, const model::Description& model) {
  YamlOptions& parameters = section.map("parameters");
  parameters.names_only(fmt::format("a parameter of {}", model.name), names_of(model.parameters));
  std::vector<double> values;
  for (const model::Parameter& p : model.parameters) {
    const bool set = parameters.has(p.name);
    values.push_back(parameters.number(p.name, p.unit, p.value, io::Interval{p.low, p.high}));
    if (set && p.whole && values.back() != std::round(values.back())) {
      parameters.mismatch(p.name, "a whole number");
    }
  }
  return values;
}

std::vector<double> read_initial(YamlOptions& section, const model::Description& model) {
  YamlOptions& initial = section.map("initial");
  initial.names_only(fmt::format("a state of {}", model.name), names_of(model.states));
  std::vector<double> values;
  for (const model::State& s : model.states) {
    values.push_back(initial.number(s.name, s.unit, s.start));
  }
  return values;
}

// As far as the model declares it; a side of which it says nothing goes as far as the size of the
// state reaches in a double.
io::Interval plausible_by_itself(const model::State& s, double initial) {
  const double far = model::far_beyond * std::max(s.nominal, std::abs(initial));
  return {s.low == -model::unlimited ? -far : s.low, s.high == model::unlimited ? far : s.high};
}

bool holds(io::Interval range, double value) { return range.low <= value && value <= range.high; }

// plausible: {speed: -400 rad/s..400 rad/s, current: none}
std::vector<io::Interval> read_plausible(YamlOptions& section, const model::Description& model,
                                         const std::vector<double>& initial) {
  YamlOptions& given = section.map("plausible");
  given.names_only(fmt::format("a state of {}", model.name), names_of(model.states));
  std::vector<io::Interval> ranges;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const model::State& s = model.states[i];
    const bool set = given.has(s.name);
    const io::Interval range = !set                           ? plausible_by_itself(s, initial[i])
                               : given.text(s.name) == "none" ? io::Interval{}
                                                              : given.interval(s.name, s.unit);
    ranges.push_back(range);
    if (holds(range, initial[i])) continue;
    const std::string unit = s.unit == "1" ? "" : fmt::format(" {}", s.unit);
    if (set) {
      given.mismatch(s.name, fmt::format("an interval that holds {:g}{}, where the state starts",
                                         initial[i], unit));
    }
    section.section("initial").mismatch(
        s.name, fmt::format("a plausible value, {:g}..{:g}{}", range.low, range.high, unit),
        "`plausible` of the model sets another range");
  }
  return ranges;
}

}  // namespace

Model read_one_model(YamlOptions& root, YamlOptions& section, YamlOptions& owner,
                     coupled::Rate rate) {
  // First: none of the code of what is not trusted runs here, not even to be looked at.
  const bool own = section.choice("process", {"shared", "own"}, 0) == 1;
  Model model = find_source(root, section, owner, rate, own ? Trust::elsewhere : Trust::here);
  if (own) {
    model.contained = section.duration("answer_within", Duration{1'000'000});
    if (model.contained->ns <= 0) section.mismatch("answer_within", "a time above 0");
  }
  model.parameters = read_parameters(section, model.description);
  model.initial = read_initial(section, model.description);
  model.plausible = read_plausible(section, model.description, model.initial);
  return model;
}

}  // namespace hild::config
