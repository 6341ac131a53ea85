// SPDX-License-Identifier: Apache-2.0
/// Several models in one configuration, and the connections between them.
#include <algorithm>
#include <cctype>

#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "hild/core/units.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::config {
namespace {

constexpr std::size_t nowhere = SIZE_MAX;  ///< of a connection that could not be read

using Parts = std::vector<std::unique_ptr<const Part>>;

/// A signal of a part: of its kind, the how-many-eth of all parts.
template <class Signal>
struct FoundSignal {
  const Signal* signal;
  std::size_t index;
  std::string name;  ///< "motor.speed"
};

std::string known_models(const Parts& parts, std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& part : parts) known.emplace_back(part->name);
  return suggest(name, known);
}

/// What "motor.speed" means; `kind` is "an output" or "an input", of which `list` has the part's.
template <class List>
auto find_signal(YamlOptions& entry, std::string_view key, std::string_view kind,
                 const Parts& parts, List list) {
  using SignalOf = std::remove_cvref_t<decltype(list(parts.front()->model.description)[0])>;
  const std::string_view text = entry.text(key);
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) {
    entry.mismatch(key,
                   fmt::format("{} of a model, such as \"{}.NAME\"", kind, parts.front()->name));
  }
  std::size_t before = 0;
  for (const auto& part : parts) {
    const model::Description& d = part->model.description;
    const std::span<const SignalOf> signals = list(d);
    if (part->name != text.substr(0, dot)) {
      before += signals.size();
      continue;
    }
    const auto found = std::ranges::find(signals, text.substr(dot + 1), &SignalOf::name);
    if (found == signals.end()) {
      if (signals.empty()) entry.mismatch(key, kind, fmt::format("{} has none", part->name));
      entry.mismatch(key, fmt::format("{} of {}", kind, part->name),
                     suggest(text.substr(dot + 1), names_of(signals)));
    }
    const auto at = static_cast<std::size_t>(found - signals.begin());
    return FoundSignal<SignalOf>{&signals[at], before + at, std::string(text)};
  }
  entry.mismatch(key, fmt::format("{} of a model", kind), known_models(parts, text.substr(0, dot)));
}

// "V s/rad" from rad/s to V.
std::string unit_of_scale(std::string_view from, std::string_view to) {
  if (from == to) return "1";
  if (from == "1") return std::string(to);
  return to == "1" ? fmt::format("1/({})", from) : fmt::format("({})/({})", to, from);
}

void read_conversion(YamlOptions& entry, const FoundSignal<model::Output>& from,
                     const FoundSignal<model::Input>& to, coupled::Connection& connection) {
  if (entry.has("scale")) {
    connection.factor = entry.number("scale", unit_of_scale(from.signal->unit, to.signal->unit));
    if (connection.factor == 0) entry.mismatch("scale", "anything but 0");
    return;
  }
  const auto conversion = unit_conversion(from.signal->unit, to.signal->unit);
  if (!conversion) {
    entry.reject_all(
        fmt::format("{} is in {}, {} in {}: {}; connect what has one kind of unit, or "
                    "write `scale`, in {}",
                    from.name, from.signal->unit, to.name, to.signal->unit,
                    conversion.error().message, unit_of_scale(from.signal->unit, to.signal->unit)));
  }
  connection.factor = conversion->factor;
  connection.offset = conversion->offset;
}

coupled::Connection read_connection(YamlOptions& entry, const Parts& parts) {
  const auto from = find_signal(entry, "from", "an output", parts,
                                [](const model::Description& d) { return d.outputs; });
  const auto to = find_signal(entry, "to", "an input", parts,
                              [](const model::Description& d) { return d.inputs; });
  coupled::Connection connection;
  connection.from = from.index;
  connection.to = to.index;
  read_conversion(entry, from, to, connection);
  connection.degree =
      static_cast<int>(entry.choice("extrapolation", {"hold", "linear", "quadratic"}, 0));
  connection.delayed = entry.choice("delay", {"none", "frame"}, 0) == 1;
  connection.solved = entry.choice("loop", {"refuse", "solve"}, 0) == 1;
  if (connection.delayed && connection.solved) {
    entry.reject("loop", "found `solve` beside `delay: frame`, expected one of them");
  }
  entry.refuse_unknown();  // before a loop that a misspelt delay would have broken
  return connection;
}

void check_name_of_model(YamlOptions& models, const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  if (name.empty() || !std::ranges::all_of(name, fits)) {
    models.reject(name, "expected a name of letters, digits, _ and -");
  }
  if (name == "inputs" || name == "outputs" || name == "states") {
    models.reject(name, fmt::format("found \"{}\", which stands for signals of all models in "
                                    "record.signals; take another name",
                                    name));
  }
}

// Names of all are "model.name", and have to fit.
template <class Things>
void check_lengths(YamlOptions& models, const std::string& name, const Things& things) {
  for (const auto& one : things) {
    const std::size_t size = name.size() + 1 + one.name.size();
    if (size <= Name::capacity) continue;
    models.reject(name, fmt::format("\"{}.{}\" has {} characters, expected at most {}; take a "
                                    "shorter name for the model",
                                    name, one.name, size, Name::capacity));
  }
}

coupled::Rate read_rate_of(YamlOptions& section) {
  coupled::Rate rate;
  rate.substeps = static_cast<int>(section.integer("substeps", 1, 1000, 1));
  rate.every = static_cast<int>(section.integer("every", 1, 100, 1));
  if (rate.substeps > 1 && rate.every > 1) {
    section.reject("every", "found `every` beside `substeps`, expected one of them");
  }
  return rate;
}

void check_rate(YamlOptions& section, const Part& part) {
  if (part.model.description.events.empty()) return;
  const char* const key = part.rate.every > 1 ? "every" : "substeps";
  if (part.rate.every == 1 && part.rate.substeps == 1) return;
  section.mismatch(key, "1",
                   fmt::format("{} has state events, which are looked for once a frame",
                               part.model.description.name));
}

std::unique_ptr<const Part> read_part(YamlOptions& root, YamlOptions& models,
                                      const std::string& name) {
  check_name_of_model(models, name);
  YamlOptions& section = models.section(name);
  auto part = std::make_unique<Part>();
  part->name = name;
  part->rate = read_rate_of(section);
  part->cpu = read_cpu(section);
  part->rate.background = part->rate.every > 1 && part->cpu >= 0;
  part->model = read_one_model(root, section, section, part->rate);
  YamlOptions& integrator =
      part->model.advances ? section.section("integrator") : section.map("integrator");
  MethodChoice choice = read_method(integrator, part->model);
  part->method = choice.method;
  part->multirate = choice.multirate;
  check_rate(section, *part);
  const model::Description& d = part->model.description;
  check_lengths(models, name, d.states);
  check_lengths(models, name, d.inputs);
  check_lengths(models, name, d.outputs);
  check_lengths(models, name, d.parameters);
  check_lengths(models, name, d.events);
  return part;
}

// "motor: rtam-2, load: rk-4 every 5 frames"
std::string methods_of(const Parts& parts) {
  std::string words;
  for (const auto& part : parts) {
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", part->name, part->method.name);
    if (part->rate.every > 1) words += fmt::format(" every {} frames", part->rate.every);
    if (part->rate.substeps > 1) words += fmt::format(" {} times a frame", part->rate.substeps);
  }
  return words;
}

// All of them as one model. What makes it is put together from the parts.
Model whole_of(const Parts& parts, const coupled::Composition& composition) {
  Model whole;
  for (const auto& part : parts) {
    const Model& one = part->model;
    whole.type += fmt::format("{}{} ({})", whole.type.empty() ? "" : ", ", part->name, one.type);
    whole.parameters.insert(whole.parameters.end(), one.parameters.begin(), one.parameters.end());
    whole.initial.insert(whole.initial.end(), one.initial.begin(), one.initial.end());
    whole.plausible.insert(whole.plausible.end(), one.plausible.begin(), one.plausible.end());
  }
  whole.description = composition.description();
  return whole;
}

std::vector<coupled::Connection> read_connections(YamlOptions& root, const Parts& parts) {
  std::vector<coupled::Connection> all;
  const auto entries = root.maps("connections");
  for (YamlOptions* const entry : entries) {
    coupled::Connection one;
    one.to = nowhere;
    entry->attempt([&] { one = read_connection(*entry, parts); });
    const auto twin = std::ranges::find(all, one.to, &coupled::Connection::to);
    if (twin != all.end() && one.to != nowhere) {
      entry->attempt([&] {
        entry->reject(
            "to", fmt::format("found \"{}\", which is connected already ({})", entry->text("to"),
                              entries[static_cast<std::size_t>(twin - all.begin())]->place()));
      });
    }
    all.push_back(one);
  }
  if (std::ranges::any_of(entries, [](const YamlOptions* e) { return e->damaged(); })) {
    entries.front()->follow();
  }
  return all;
}

// Refuses connections with an algebraic loop that no delay or method breaks.
void refuse_loop(YamlOptions& root, const Coupled& coupled) {
  const auto& loop = coupled.composition->order().loop;
  if (loop.empty()) return;
  const auto entries = root.maps("connections");
  std::string path;
  std::vector<std::string_view> silent;
  for (const std::size_t c : loop) {
    path += fmt::format("{} -> {} -> ", entries[c]->text("from"), entries[c]->text("to"));
  }
  path += entries[loop.front()]->text("from");
  for (const auto& part : coupled.parts) {
    const bool in_loop = path.find(fmt::format(" {}.", part->name)) != std::string::npos;
    if (in_loop && !part->model.description.feedthrough) silent.push_back(part->name);
  }
  const std::string taken =
      silent.empty() ? ""
                     : fmt::format(
                           "; of {} it is not said which outputs depend on which inputs at "
                           "once (`feedthrough`), and all are taken to",
                           fmt::join(silent, ", "));
  entries[loop.front()]->reject_all(fmt::format(
      "closes an algebraic loop, {}, in which each depends on the one before at once; "
      "break it by `delay: frame` in one of its connections, or have it solved in every "
      "frame by `loop: solve`{}",
      path, taken));
}

// Refuses `loop: solve` where there is no loop, and where it would wait for another process.
void check_solved_loops(YamlOptions& root, const Coupled& coupled) {
  const coupled::Ordered& order = coupled.composition->order();
  const auto connections = coupled.composition->connections();
  const auto entries = root.maps("connections");
  for (std::size_t c = 0; c < connections.size(); ++c) {
    const bool closes_one = std::ranges::find(order.solved, c) != order.solved.end();
    if (!connections[c].solved || closes_one) continue;
    entries[c]->reject("loop",
                       "found `solve` in a connection that closes no algebraic loop: what "
                       "it feeds does not act on it at once; leave it out");
  }
  for (const std::size_t m : order.loops) {
    const Part& part = *coupled.parts[m];
    if (!part.model.contained) continue;
    entries[order.solved.front()]->reject(
        "loop",
        fmt::format("found `solve` for an algebraic loop with {}, which runs in a process "
                    "of its own: each evaluation would wait for its answer; expected models "
                    "in hild's process, or `delay: frame` in one of the loop's connections",
                    part.name));
  }
}

}  // namespace

void refuse_doubly_fed(YamlOptions& root) {
  YamlOptions& inputs = root.map("inputs");
  for (YamlOptions* const entry : root.maps("connections")) {
    const std::string_view to = entry->text("to");
    if (!inputs.has(to)) continue;
    inputs.reject(to, fmt::format("found an entry for an input that is connected to {} ({}), "
                                  "expected one of them",
                                  entry->text("from"), entry->place()));
  }
}

void read_models(YamlOptions& root, Config& config) {
  if (root.has("model")) root.reject("model", "found beside `models`, expected one of them");
  YamlOptions& models = root.section("models");
  if (models.keys().empty()) root.mismatch("models", "at least one model");
  Coupled coupled;
  std::vector<coupled::Part> parts;
  bool all = true;
  for (const std::string& name : models.keys()) {
    all &= models.attempt(name, [&] { coupled.parts.push_back(read_part(root, models, name)); });
    if (!all) continue;
    const Part& part = *coupled.parts.back();
    parts.push_back({Name(part.name), part.model.description, &part.method, part.rate});
  }
  if (!all) models.follow();  // connections are between all of them
  coupled.composition = std::make_shared<coupled::Composition>(
      std::move(parts), read_connections(root, coupled.parts));
  refuse_loop(root, coupled);
  check_solved_loops(root, coupled);
  if (coupled.composition->most_passes() > io::max_slots) {
    root.reject("models", fmt::format("found models of {} passes in a frame together, expected at "
                                      "most {}; take fewer substeps, or methods with fewer passes "
                                      "(a method's starter counts)",
                                      coupled.composition->most_passes(), io::max_slots));
  }
  config.model = whole_of(coupled.parts, *coupled.composition);
  config.method = methods_of(coupled.parts);
  config.coupled = std::move(coupled);
}

}  // namespace hild::config