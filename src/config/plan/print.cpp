// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "config/plan/model_verdict.hpp"
#include "config/plan/plan.hpp"
#include "config/plan/soundness_words.hpp"

namespace hild::plan {
namespace {

namespace json = boost::json;

std::string_view sampling_word(exec::Sampling sampling) {
  switch (sampling) {
    case exec::Sampling::frame:
      return "frame (one sample at the tick, held)";
    case exec::Sampling::stage:
      return "stage (a fresh sample at each release)";
    case exec::Sampling::behind:
      return "behind (the plant lags, its outputs are carried on)";
    case exec::Sampling::extrapolate:
      break;
  }
  return "extrapolate (inputs carried on to each node)";
}

std::string_view events_name(Events events) {
  return events == Events::state ? "state events" : events == Events::time ? "time events" : "none";
}

std::string row(std::string_view label, Duration median, Duration p99) {
  return fmt::format("  {:<18} {:>10.1f} {:>10.1f}\n", label, microseconds(median),
                     microseconds(p99));
}

std::string dense_words(const Plan& plan) {
  std::string words;
  for (const double theta : plan.shape.dense_outputs) {
    words += fmt::format("{}{} h{}", words.empty() ? "at t + " : ", ", theta,
                         plan.shape.delayed(theta) ? " (a step late)" : "");
  }
  return words;
}

std::string keyframe_words(const Plan& plan) {
  std::string words = fmt::format("every {} frames", plan.settings.keyframes.every);
  if (!plan.measured || !plan.measured->keyframe) return words;
  const KeyframeCost& one = *plan.measured->keyframe;
  if (!one.problem.empty()) return fmt::format("none: {}", one.problem);
  return fmt::format("{}, each {} bytes and {:.1f} us of slack", words, one.bytes,
                     microseconds(one.time));
}

json::object keyframe_json(const Plan& plan) {
  json::object o{{"every_frames", plan.settings.keyframes.every}};
  if (!plan.measured || !plan.measured->keyframe) return o;
  const KeyframeCost& one = *plan.measured->keyframe;
  if (!one.problem.empty()) {
    o["problem"] = one.problem;
  } else {
    o["bytes"] = one.bytes;
    o["cost_us"] = microseconds(one.time);
  }
  return o;
}

std::string costs_table(const Plan& plan) {
  if (!plan.measured) return "  cost             not measured: the virtual clock has no deadline\n";
  const auto& m = *plan.measured;
  std::string out =
      fmt::format("\n  {:<18} {:>10} {:>10}\n", "measured here (us)", "median", "p99");
  out += row("wake latency", m.median.wake, m.p99.wake);
  out += row("device call (read)", m.median.io, m.p99.io);
  out += row("pass", m.median.pass, m.p99.pass);
  out += row("outputs", m.median.outputs, m.p99.outputs);
  if (plan.shape.events != Events::none) {
    out += row("event's action", m.median.action, m.p99.action);
  }
  out += row("work ends after", finish(plan.shape, m.median, plan.frame()),
             finish(plan.shape, m.p99, plan.frame()));
  out += row("margin", plan.frame() - finish(plan.shape, m.median, plan.frame()),
             plan.frame() - finish(plan.shape, m.p99, plan.frame()));
  out += fmt::format("  {:<18} {:>8.1f} % {:>8.1f} %\n", "utilisation",
                     100 * utilisation(plan.shape, m.median, plan.frame()),
                     100 * utilisation(plan.shape, m.p99, plan.frame()));
  out += fmt::format("\n  {:<18} {:>10} {:>10}\n", "external events (us)", "prepare", "commit");
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    out += row(exec::to_string(static_cast<exec::EventClass>(c)), m.events[c].prepare,
               m.events[c].commit);
  }
  return out;
}

json::object costs_json(const Plan& plan, const Costs& c) {
  json::object o{{"wake_us", microseconds(c.wake)},
                 {"device_us", microseconds(c.io)},
                 {"pass_us", microseconds(c.pass)},
                 {"outputs_us", microseconds(c.outputs)},
                 {"action_us", microseconds(c.action)},
                 {"finish_us", microseconds(finish(plan.shape, c, plan.frame()))},
                 {"utilisation", utilisation(plan.shape, c, plan.frame())}};
  if (plan.shape.cut_waits()) {
    o["latest_time_event"] = latest_cut(plan.shape, c, plan.frame());
    o["latest_finish_us"] = microseconds(finish_cut(plan.shape, c, plan.frame(), 1));
  }
  return o;
}

json::object event_costs_json(const EventCosts& costs) {
  json::object all;
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    all[exec::to_string(static_cast<exec::EventClass>(c))] = {
        {"prepare_us", microseconds(costs[c].prepare)},
        {"commit_us", microseconds(costs[c].commit)}};
  }
  return all;
}

std::string rate_words(const coupled::Part& part) {
  const numerics::Method& m = *part.method;
  const std::string passes = fmt::format("{} passes a step", m.passes);
  if (part.rate.every > 1) {
    return fmt::format("{}, order {}, a step every {} frames, {}, each in the frame of its node",
                       m.name, m.order, part.rate.every, passes);
  }
  if (part.rate.substeps > 1) {
    return fmt::format("{}, order {}, {} steps a frame, {}", m.name, m.order, part.rate.substeps,
                       passes);
  }
  return fmt::format("{}, order {}, {}", m.name, m.order, passes);
}

std::string coupling_word(const coupled::Connection& c) {
  constexpr std::array words{"held", "carried on in a line", "carried on by a parabola"};
  return fmt::format("{}{}", words[static_cast<std::size_t>(c.degree)],
                     c.delayed ? ", a step late" : "");
}

// Each model with its method, and who feeds whom.
std::string coupled_text(const coupled::Composition& all) {
  std::string out;
  for (const coupled::Part& part : all.parts()) {
    out += fmt::format("  {:<16} {}: {}, {}\n", &part == all.parts().data() ? "models" : "",
                       part.name.view(), part.description.name, rate_words(part));
  }
  const model::Description& d = all.description();
  for (const coupled::Connection& c : all.connections()) {
    out +=
        fmt::format("  {:<16} {} -> {}, {}\n", &c == all.connections().data() ? "connections" : "",
                    d.outputs[c.from].name, d.inputs[c.to].name, coupling_word(c));
  }
  return out;
}

json::array models_json(const coupled::Composition& all) {
  json::array models;
  for (const coupled::Part& part : all.parts()) {
    models.push_back({{"name", part.name.view()},
                      {"model", part.description.name},
                      {"method", part.method->name},
                      {"substeps", part.rate.substeps},
                      {"every", part.rate.every}});
  }
  return models;
}

json::array connections_json(const coupled::Composition& all) {
  constexpr std::array words{"hold", "linear", "quadratic"};
  const model::Description& d = all.description();
  json::array connections;
  for (const coupled::Connection& c : all.connections()) {
    connections.push_back({{"from", d.outputs[c.from].name},
                           {"to", d.inputs[c.to].name},
                           {"factor", c.factor},
                           {"offset", c.offset},
                           {"extrapolation", words[static_cast<std::size_t>(c.degree)]},
                           {"delayed", c.delayed}});
  }
  return connections;
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string out = fmt::format("Plan of {}\n\n", plan.config_file);
  const auto line = [&](std::string_view label, std::string_view value) {
    out += fmt::format("  {:<16} {}\n", label, value);
  };
  line("model", fmt::format("{}{}", plan.model,
                            plan.compiled_together ? ", compiled together with the method" : ""));
  if (plan.coupled) {
    out += coupled_text(*plan.coupled);
  } else {
    line("method", fmt::format("{}, order {}, {} passes a step ({})", plan.method->name,
                               plan.method->order, plan.method->passes, plan.method->source));
  }
  for (const auto& one : plan.jacobians) line("Jacobian", one);
  line("frame", fmt::format("{:.3f} us ({:.6g} Hz), clock {}", microseconds(plan.frame()),
                            plan.settings.grid.rate_hz(), rt::to_string(plan.clock)));
  line("sampling", sampling_word(plan.settings.sampling));
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    line(i == 0 ? "passes" : "",
         fmt::format("{}: inputs of t + {:.4g} h, released at {:>8.1f} us", i, plan.nodes[i],
                     plan.shape.releases[i] * microseconds(plan.frame())));
  }
  if (!plan.shape.dense_outputs.empty()) line("dense outputs", dense_words(plan));
  line("events", events_name(plan.shape.events));
  line("budget", fmt::format("{:.0f} % utilisation; at most {:.0f} % can fit this method and "
                             "sampling",
                             100 * plan.budget, 100 * plan.utilisation_limit));
  if (plan.settings.keyframes.every > 0) line("keyframes", keyframe_words(plan));
  for (const auto& one : plan.soundness) out += soundness_text(one);
  out += costs_table(plan);
  out += model_text(plan);
  out += "\n";
  for (const auto& w : plan.warnings) out += fmt::format("  warning: {}\n", w);
  const bool stable = std::ranges::all_of(
      plan.soundness, [](const Soundness& s) { return !s.known() || s.stable(); });
  out += plan.refusal    ? fmt::format("  REFUSED: {}\n", plan.refusal->message)
         : !stable       ? "  UNSTABLE: what this run computes is not the plant.\n"
         : plan.measured ? "  The plan fits.\n"
                         : "  The configuration is valid.\n";
  return out;
}

std::string to_json(const Plan& plan) {
  json::array passes;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    passes.push_back({{"node", plan.nodes[i]},
                      {"release_us", plan.shape.releases[i] * microseconds(plan.frame())}});
  }
  json::array dense;
  for (const double theta : plan.shape.dense_outputs) {
    dense.push_back({{"theta", theta}, {"delayed", plan.shape.delayed(theta)}});
  }
  json::object o{{"config", plan.config_file},
                 {"model", plan.model},
                 {"method", std::string(plan.method->name)},
                 {"order", plan.method->order},
                 {"compiled_together", plan.compiled_together},
                 {"frame_us", microseconds(plan.frame())},
                 {"rate_hz", plan.settings.grid.rate_hz()},
                 {"clock", std::string(rt::to_string(plan.clock))},
                 {"passes", passes},
                 {"dense_outputs", dense},
                 {"events", std::string(events_name(plan.shape.events))},
                 {"budget", plan.budget},
                 {"utilisation_limit", plan.utilisation_limit},
                 {"feasible", !plan.refusal}};
  if (plan.coupled) {
    o["models"] = models_json(*plan.coupled);
    o["connections"] = connections_json(*plan.coupled);
  }
  if (plan.measured) {
    o["measured"] = {{"median", costs_json(plan, plan.measured->median)},
                     {"p99", costs_json(plan, plan.measured->p99)},
                     {"external_events", event_costs_json(plan.measured->events)}};
  }
  if (plan.settings.keyframes.every > 0) o["keyframes"] = keyframe_json(plan);
  if (!plan.jacobians.empty()) o["jacobian"] = fmt::format("{}", fmt::join(plan.jacobians, "\n"));
  json::array soundness;
  for (const auto& one : plan.soundness) soundness.push_back(soundness_json(one));
  if (!soundness.empty()) o["soundness"] = soundness;
  if (plan.examined) o["model_examined"] = model_json(plan);
  o["containment"] = containment_json(plan.containment);
  if (plan.refusal) o["refusal"] = plan.refusal->message;
  json::array warnings;
  for (const auto& w : plan.warnings) warnings.push_back(json::string(w));
  o["warnings"] = warnings;
  return json::serialize(o) + "\n";
}

}  // namespace hild::plan
