// SPDX-License-Identifier: Apache-2.0
#include "config/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <iterator>
#include <utility>

#include "config/plan/model_checks.hpp"
#include "config/plan/model_verdict.hpp"
#include "config/plan/soundness.hpp"
#include "core/json_parts.hpp"
#include "exec/timetable.hpp"
#include "foreign/contain/child.hpp"
#include "hild/rt/thread.hpp"
#include "model/calculated/calculated.hpp"

namespace hild::plan {
namespace {

constexpr std::size_t most_pass_lines = 24;

double us(Duration d) { return microseconds(d); }

std::string cost_words(const Shape& shape, const Costs& c, Duration frame) {
  const std::string action =
      shape.events == Events::none ? "" : fmt::format(" + {:.1f} us for the action", us(c.action));
  return fmt::format(
      "wake {:.1f} us + device {:.1f} us a call + {} passes of {:.1f} us each{}, work "
      "ends {:.1f} us after the tick of a frame of {:.1f} us",
      us(c.wake), us(c.io), shape.releases.size(), us(c.pass), action, us(finish(shape, c, frame)),
      us(frame));
}

std::string events_word(Events events) {
  return events == Events::state ? " with room for a state event" : " with room for a time event";
}

void judge_costs(Plan& plan, const Measured& m) {
  const Duration frame = plan.frame();
  const std::string events =
      plan.shape.events == Events::none ? "" : events_word(plan.shape.events);
  if (finish(plan.shape, m.median, frame) > frame) {
    plan.refusal =
        fail(ExitCode::fault,
             "the plan does not fit{}: at the median, {}; take a longer frame (frame.period), a "
             "method with fewer passes (integrator.method), or a machine that is faster or less "
             "busy",
             events, cost_words(plan.shape, m.median, frame))
            .value();
    return;
  }
  if (finish(plan.shape, m.p99, frame) > frame) {
    plan.warnings.emplace_back(fmt::format("one frame in a hundred may overrun{}: at the p99, {}",
                                           events, cost_words(plan.shape, m.p99, frame)));
  }
  if (plan.shape.cut_waits()) {
    const double latest = latest_cut(plan.shape, m.median, frame);
    plan.warnings.emplace_back(fmt::format(
        "a time event in the last {:.1f} us of a frame makes its step late, by up to {:.1f} us, "
        "since the rest of the step takes samples of its own: with `integrator.sampling: frame` it "
        "does not wait for them",
        (1 - latest) * us(frame), us(finish_cut(plan.shape, m.median, frame, 1) - frame)));
  }
  const double used = utilisation(plan.shape, m.median, frame);
  if (used > plan.budget) {
    plan.warnings.emplace_back(
        fmt::format("utilisation {:.1f} % exceeds the budget of {:.0f} % for this kind of model",
                    100 * used, 100 * plan.budget));
  }
  if (plan.method->starter == nullptr) return;
  const Shape start = shape_of(*plan.method->starter, plan.settings.sampling, Events::none);
  if (finish(start, m.median, frame) > frame) {
    plan.warnings.emplace_back(fmt::format(
        "the first {} steps, and those after a restart, are taken by {} and will overrun: {}",
        plan.method->history, plan.method->starter->name, cost_words(start, m.median, frame)));
  }
}

// Of the frame thread a background step sees what it is not asleep for.
void judge_background(Plan& plan, const Measured& m) {
  const Duration frame = plan.frame();
  plan.background = m.background;
  const Duration busy = part(frame, utilisation(plan.shape, m.median, frame)) + m.median.wake;
  judge_background(plan.background, plan.thread, frame, busy);
  for (const BackgroundPlan& one : plan.background) {
    if (one.in_time) continue;
    plan.refusal =
        fail(ExitCode::fault,
             "models.{}: a step in the background does not end in time: {} passes of {:.1f} us at "
             "the median on CPU {}{}, due {:.1f} us after its tick; take a CPU with less to do "
             "(cpu), a longer step (every), or a method with fewer passes (integrator.method)",
             plan.coupled->parts()[one.model].name.view(), one.nodes.size(), us(one.pass), one.cpu,
             one.cpu == plan.thread.cpu
                 ? fmt::format(", where the frame thread takes {:.1f} us of {:.1f}", us(busy),
                               us(frame))
                 : "",
             us(one.due(frame)))
            .value();
  }
}

// A change from outside that never fits would wait until it is refused.
void judge_external_events(Plan& plan, const exec::AdmissionSettings& admission) {
  const Duration slack =
      plan.frame() - finish(plan.shape, plan.measured->median, plan.frame()) - admission.guard;
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    const exec::Admission::Cost cost = plan.measured->events[c];
    if (cost.prepare + cost.commit <= slack) continue;
    plan.warnings.emplace_back(fmt::format(
        "external events of class {} take {:.1f} us, more than the {:.1f} us of slack less the "
        "guard (events.guard): they will be refused; take a longer frame",
        exec::to_string(static_cast<exec::EventClass>(c)), us(cost.prepare + cost.commit),
        us(std::max(slack, Duration{}))));
  }
}

// What does not fit into the slack of a frame is never made.
void judge_keyframes(Plan& plan, const KeyframeCost& cost) {
  const Duration slack = plan.frame() - finish(plan.shape, plan.measured->median, plan.frame());
  if (!cost.problem.empty() || cost.time + plan.settings.keyframes.guard <= slack) return;
  plan.warnings.emplace_back(fmt::format(
      "a keyframe takes {:.1f} us, more than the {:.1f} us of slack less the guard (events.guard): "
      "none will be made, and a replay will have to begin with the run; take a longer frame, or "
      "record.keyframes: none",
      us(cost.time), us(std::max(slack - plan.settings.keyframes.guard, Duration{}))));
}

bool uses_jacobian(const numerics::Method& method, const std::optional<model::Multirate>& rates) {
  bool used = method.implicit();
  for (std::size_t i = 0; rates && i < rates->count; ++i) {
    used = used || rates->rates[i].method->implicit();
  }
  return used;
}

std::vector<std::string> jacobians_of(const Assembly& a) {
  std::vector<std::string> all;
  if (!a.config.coupled) {
    const bool used = a.method->implicit() && !a.config.model.jacobian.empty();
    return used ? std::vector{a.config.model.jacobian} : all;
  }
  for (const auto& part : a.config.coupled->parts) {
    if (!part->method.implicit() || part->model.jacobian.empty()) continue;
    all.push_back(fmt::format("{}: {}", part->name, part->model.jacobian));
  }
  return all;
}

std::vector<Plan::Calculated> calculated_of(const config::Model& model) {
  std::vector<Plan::Calculated> all;
  if (!model.calculation) return all;
  for (const model::Channel& channel : model::channels_of(*model.calculation)) {
    all.push_back(
        {std::string(channel.name.view()), channel.formula, std::string(channel.unit.view())});
  }
  return all;
}

// In hild's own process only for a model that is trusted. One that breaks its process here is for
// the run to bound, as it bounds what breaks later.
void judge_jacobian(Plan& plan, const config::Model& model, const std::string& where) {
  const auto system = system_of(model);
  const auto checked = check_jacobian(*system, model.initial);
  const model::CapCounts* const cut = system->cap_counts();
  if (cut != nullptr && cut->late_answers > 0) {
    plan.warnings.push_back(fmt::format(
        "{}model {}: its Jacobian was not held against its derivatives: its process did not answer",
        where, model.description.name));
  } else if (!checked) {
    plan.refusal = Error{where + checked.error().message};
  }
}

// Of the methods that use it.
void judge_jacobian(Plan& plan, const Assembly& a) {
  if (a.config.coupled) {
    for (const auto& part : a.config.coupled->parts) {
      if (!uses_jacobian(part->method, part->multirate)) continue;
      judge_jacobian(plan, part->model, fmt::format("models.{}: ", part->name));
    }
  } else if (uses_jacobian(*a.method, a.config.multirate)) {
    judge_jacobian(plan, a.config.model, "");
  }
}

// An order of evaluation that rests on a wrong word would give some inputs values of a frame ago.
// FMUs are believed, and models that are not trusted: who knows what they do with such inputs.
void judge_feedthrough(Plan& plan, const Assembly& a) {
  if (!a.config.coupled) return;
  for (const auto& part : a.config.coupled->parts) {
    if (part->model.contained || part->model.fmu) continue;
    auto checked = check_feedthrough(*system_of(part->model));
    if (!checked) {
      plan.refusal = Error{fmt::format("models.{}: {}", part->name, checked.error().message)};
    }
  }
}

// What is not trusted is to be held where it runs; a machine may have no means of it.
void judge_containment(Plan& plan, const config::Config& config) {
  plan.containment = containment_of(config);
  if (!plan.containment || plan.containment->missing.empty()) return;
  plan.warnings.push_back(words(*plan.containment));
}

// What nobody makes safe once this process is dead.
void judge_guarding(Plan& plan, const Assembly& a) {
  if (!a.config.safety.guard) return;  // a run says so
  for (const Error& one : a.bus->unguardable()) {
    plan.warnings.emplace_back(fmt::format(
        "{}: its outputs keep their values if hild dies, since the guard cannot take them to "
        "safety; see to that outside of hild, or keep it disarmed",
        one.message));
  }
}

// What a driver has found out about its wire.
void judge_devices(Plan& plan, const Assembly& a) {
  for (const io::Member& member : a.bus->members()) {
    const io::DeviceRemark remark = member.device->remark();
    if (remark.words.empty()) continue;
    const std::string words = fmt::format("{}: {}", member.name.view(), remark.words);
    if (remark.warning) {
      plan.warnings.push_back("device " + words);
    } else {
      plan.devices.push_back(words);
    }
  }
}

// A FIFO thread that does not sleep is stopped by the kernel so that others run.
void judge_throttling(Plan& plan, const config::Frame& frame, const Machine& machine) {
  if (frame.priority == 0 || machine.rt_share >= 1) return;
  double busy = 0;
  if (plan.measured) busy = utilisation(plan.shape, plan.measured->median, plan.frame());
  if (frame.clock == rt::ClockKind::spin) busy = 1;
  if (frame.clock == rt::ClockKind::sleep_spin && frame.margin) {
    busy += seconds(*frame.margin) / seconds(plan.frame());
  }
  if (busy <= machine.rt_share) return;
  const std::string kernel =
      machine.fair_server
          ? fmt::format("{} ordinary threads that wait {:.3g} % of the time (its fair server{})",
                        machine.share_known ? "gives" : "may give", 100 * (1 - machine.rt_share),
                        machine.share_known ? "" : "; whether it is off only root can read")
          : fmt::format(
                "takes SCHED_FIFO threads off the CPU beyond {:.3g} % (sched_rt_runtime_us)",
                100 * machine.rt_share);
  const std::string cpu = frame.cpu < 0 ? "N" : fmt::format("{}", frame.cpu);
  const std::string remedy =
      machine.fair_server
          ? fmt::format("`echo 0 > /sys/kernel/debug/sched/fair_server/cpu{}/runtime`", cpu)
          : "`sysctl kernel.sched_rt_runtime_us=-1`";
  plan.warnings.emplace_back(
      fmt::format("clock {} keeps the frame thread busy {:.0f} % of the time, and the kernel {}: "
                  "frames {}; use "
                  "clock: sleep, a smaller margin, or {}",
                  rt::to_string(frame.clock), 100 * std::min(busy, 1.0), kernel,
                  machine.fair_server ? "overrun whenever one waits" : "will overrun", remedy));
}

namespace json = boost::json;

std::string sampling_words(exec::Sampling sampling) {
  constexpr std::array words{"one sample at the tick, held", "a fresh sample at each release",
                             "inputs carried on to each node",
                             "the plant lags, its outputs are carried on"};
  return fmt::format("{} ({})", config::word_of(sampling),
                     words[static_cast<std::size_t>(sampling)]);
}

// What a held input costs a method whose passes want others than that of the tick: its order.
std::string held_words(const Plan& plan) {
  const numerics::Method& method = *plan.method;
  const exec::Sampling sampling = plan.settings.sampling;
  if (sampling != exec::Sampling::frame || plan.coupled || !plan.varying_inputs ||
      method.order < 2) {
    return {};
  }
  const std::string_view better = config::word_of(exec::best_sampling(method));
  if (exec::misses_inputs(method, sampling)) {
    return fmt::format("held, inputs that vary leave an error of first order: see sampling: {}",
                       better);
  }
  if (method.starter != nullptr && exec::misses_inputs(*method.starter, sampling)) {
    return fmt::format(
        "held in the first {} steps, inputs that vary leave an error of them: see sampling: {}",
        method.history, better);
  }
  return {};
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
  return fmt::format("{}, each {} bytes and {:.1f} us of slack", words, one.bytes, us(one.time));
}

json::object keyframe_json(const Plan& plan) {
  json::object o{{"every_frames", plan.settings.keyframes.every}};
  if (!plan.measured || !plan.measured->keyframe) return o;
  const KeyframeCost& one = *plan.measured->keyframe;
  if (!one.problem.empty()) {
    o["problem"] = one.problem;
  } else {
    o["bytes"] = one.bytes;
    o["cost_us"] = us(one.time);
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
  if (plan.settings.snapshot_every > 0) {
    out += row("images, at most", m.median.images, m.p99.images);
  }
  if (plan.shape.events != Events::none) {
    out += row("event's action", m.median.action, m.p99.action);
  }
  const Duration end = finish(plan.shape, m.median, plan.frame());
  const Duration end_p99 = finish(plan.shape, m.p99, plan.frame());
  out += row("work ends after", end, end_p99);
  out += row("margin", plan.frame() - end, plan.frame() - end_p99);
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
                 {"images_us", microseconds(c.images)},
                 {"action_us", microseconds(c.action)},
                 {"finish_us", microseconds(finish(plan.shape, c, plan.frame()))},
                 {"utilisation", utilisation(plan.shape, c, plan.frame())}};
  if (plan.shape.cut_waits()) {
    o["latest_time_event"] = latest_cut(plan.shape, c, plan.frame());
    o["latest_finish_us"] = microseconds(finish_cut(plan.shape, c, plan.frame(), 1));
  }
  return o;
}

json::object event_cost_json(const exec::Admission::Cost& cost) {
  return {{"prepare_us", microseconds(cost.prepare)}, {"commit_us", microseconds(cost.commit)}};
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
                     c.delayed  ? ", a step late"
                     : c.solved ? ", its loop solved in every frame"
                                : "");
}

// Each model with its method, and who feeds whom.
std::string coupled_text(const Plan& plan) {
  const coupled::Composition& all = *plan.coupled;
  std::string out;
  for (const coupled::Part& part : all.parts()) {
    out += fmt::format("  {:<16} {}: {}, {}\n", &part == all.parts().data() ? "models" : "",
                       part.name.view(), part.description.name, rate_words(part));
  }
  for (const BackgroundPlan& one : plan.background) {
    out += fmt::format("  {:<16} {} {}\n", &one == plan.background.data() ? "background" : "",
                       all.parts()[one.model].name.view(), words(one, plan.thread, plan.frame()));
  }
  for (const TriedInstances& tried : plan.instances) {
    out += fmt::format("  {:<16} {}\n", &tried == plan.instances.data() ? "instances" : "",
                       words(tried));
  }
  const model::Description& d = all.description();
  for (const coupled::Connection& c : all.connections()) {
    out +=
        fmt::format("  {:<16} {} -> {}, {}\n", &c == all.connections().data() ? "connections" : "",
                    d.outputs[c.from].name, d.inputs[c.to].name, coupling_word(c));
  }
  return out;
}

json::array models_json(const Plan& plan) {
  json::array all = array_of(plan.coupled->parts(), [](const coupled::Part& part) {
    return json::object{{"name", part.name.view()},
                        {"model", part.description.name},
                        {"method", part.method->name},
                        {"substeps", part.rate.substeps},
                        {"every", part.rate.every}};
  });
  for (const BackgroundPlan& one : plan.background) {
    all[one.model].as_object()["background"] = to_json(one, plan.frame());
  }
  return all;
}

json::array connections_json(const coupled::Composition& all) {
  const model::Description& d = all.description();
  return array_of(all.connections(), [&](const coupled::Connection& c) {
    return json::object{
        {"from", d.outputs[c.from].name},
        {"to", d.inputs[c.to].name},
        {"factor", c.factor},
        {"offset", c.offset},
        {"extrapolation", config::extrapolations[static_cast<std::size_t>(c.degree)]},
        {"delayed", c.delayed},
        {"solved", c.solved}};
  });
}

std::string plan_line(std::string_view label, std::string_view value) {
  return fmt::format("  {:<16} {}\n", label, value);
}

std::string passes_text(const Plan& plan) {
  std::string out;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (i == most_pass_lines && plan.nodes.size() > i + 1) {
      return out + plan_line("", fmt::format("and {} more", plan.nodes.size() - i));
    }
    out +=
        plan_line(i == 0 ? "passes" : "",
                  fmt::format("{}: inputs of t + {:.4g} h, released at {:>8.1f} us", i,
                              plan.nodes[i], plan.shape.releases[i] * microseconds(plan.frame())));
  }
  return out;
}

std::string watches_text(const Plan& plan) {
  std::string out;
  for (std::string_view label = "interlocks", last; const Watch& w : plan.watches) {
    if (!w.interlock) label = "alarms";
    out += plan_line(label == last ? "" : label, words(w));
    last = label;
  }
  return out;
}

std::string sequences_text(const Plan& plan) {
  std::string out;
  for (std::string_view label = "sequences"; const config::Control::Sequence& s : plan.sequences) {
    out += plan_line(std::exchange(label, {}), fmt::format("{}, {}", s.name, s.file));
  }
  return out;
}

}  // namespace

void Plan::add_soundness(std::vector<Soundness> verdicts) {
  soundness = std::move(verdicts);
  for (const Soundness& s : soundness) {
    std::ranges::move(warnings_of(s, config_file), std::back_inserter(warnings));
  }
}

Plan make_plan(const Assembly& a, std::optional<Measured> measured, const Machine& machine) {
  Plan plan;
  plan.config_file = a.config.file;
  plan.model = a.config.model.type;
  plan.jacobians = jacobians_of(a);
  plan.calculated = calculated_of(a.config.model);
  plan.watches = watches_of(a.config, a.plant->description());
  if (a.config.control) plan.sequences = a.config.control->sequences;
  plan.method = a.method;
  plan.compiled_together = a.plant->compiled_together();
  if (a.config.coupled) plan.coupled = a.config.coupled->composition;
  plan.settings = a.config.settings;
  plan.thread = a.config.frame;
  plan.shape = shape_of(*a.method, plan.settings.sampling, events_of(*a.plant));
  plan.shape.cut_alone = !a.plant->description().parts.empty();
  plan.shape.dense_outputs = plan.settings.dense_outputs;
  plan.varying_inputs = std::ranges::any_of(a.bus->inputs(), [](const io::InputSignal& s) {
    return s.device >= 0 && !s.channel.digital;
  });
  for (int i = 0; i < a.method->passes; ++i) plan.nodes.push_back(a.method->node(i).value());
  plan.measured = measured;
  plan.utilisation_limit = utilisation_limit(plan.shape);
  plan.budget = budget_for(plan.settings.budget, plan.shape.events);
  if (plan.budget > plan.utilisation_limit) {
    plan.warnings.emplace_back(fmt::format(
        "the budget allows {:.0f} % utilisation, but with {}, this sampling and the events of this "
        "model no more than {:.0f} % fits",
        100 * plan.budget, plan.method->name, 100 * plan.utilisation_limit));
  }
  plan.background = background_steps(a.config);
  if (measured) judge_costs(plan, *measured);
  if (measured && !plan.refusal) judge_background(plan, *measured);
  if (measured && measured->schedule) {
    std::ranges::move(warnings_of(*measured->schedule, plan.thread),
                      std::back_inserter(plan.warnings));
  }
  if (measured && !plan.refusal) {
    judge_external_events(plan, a.config.admission);
    if (measured->keyframe) judge_keyframes(plan, *measured->keyframe);
  }
  judge_jacobian(plan, a);
  judge_feedthrough(plan, a);
  judge_containment(plan, a.config);
  judge_throttling(plan, a.config.frame, machine);
  judge_guarding(plan, a);
  judge_devices(plan, a);
  if (plan.thread.clock == rt::ClockKind::timerfd && machine.preempt_rt) {
    plan.warnings.emplace_back(
        "clock: timerfd expires through ktimers at FIFO priority 1 on PREEMPT_RT, so that any "
        "real-time thread delays the ticks; use clock: sleep");
  }
  return plan;
}

std::optional<Containment> containment_of(const config::Config& config) {
  Containment c;
  if (!config.coupled && config.model.contained) c.models.push_back(config.model.type);
  if (config.coupled) {
    for (const auto& part : config.coupled->parts) {
      if (part->model.contained) c.models.push_back(part->name);
    }
  }
  if (c.models.empty()) return std::nullopt;
  c.missing = contain::not_confined();
  return c;
}

std::string words(const Containment& c) {
  if (c.missing.empty()) return fmt::format("{}: contained", fmt::join(c.models, ", "));
  return fmt::format(
      "{}: in a process of its own, but NOT CONTAINED: {}; a fault there still stays there, but "
      "code that means harm may reach hild and its outputs",
      fmt::join(c.models, ", "), c.missing);
}

boost::json::value containment_json(const std::optional<Containment>& c) {
  if (!c) return nullptr;
  return {{"models", boost::json::value_from(c->models)},
          {"contained", c->missing.empty()},
          {"missing", or_null(c->missing)}};
}

std::string to_text(const Plan& plan) {
  std::string out = fmt::format("Plan of {}\n\n", plan.config_file);
  const auto line = [&](std::string_view label, std::string_view value) {
    out += plan_line(label, value);
  };
  line("model", fmt::format("{}{}", plan.model,
                            plan.compiled_together ? ", compiled together with the method" : ""));
  if (plan.coupled) {
    out += coupled_text(plan);
  } else {
    line("method", fmt::format("{}, order {}, {} passes a step ({})", plan.method->name,
                               plan.method->order, plan.method->passes, plan.method->source));
  }
  for (const auto& one : plan.jacobians) line("Jacobian", one);
  for (const auto& [name, formula, unit] : plan.calculated) {
    const bool first = name == plan.calculated.front().name;
    line(first ? "calculated" : "", fmt::format("{} [{}] = {}", name, unit, formula));
  }
  for (const auto& one : plan.devices) line("device", one);
  line("frame",
       fmt::format("{:.3f} us ({:.6g} Hz){}, clock {}", microseconds(plan.frame()),
                   plan.settings.grid.rate_hz(),
                   plan.thread.follows.empty()
                       ? ""
                       : fmt::format(", kept at the images of device {}", plan.thread.follows),
                   rt::to_string(plan.thread.clock)));
  line("sampling", sampling_words(plan.settings.sampling));
  if (const std::string lost = held_words(plan); !lost.empty()) line("", lost);
  out += passes_text(plan);
  if (!plan.shape.dense_outputs.empty()) line("dense outputs", dense_words(plan));
  line("events", events_name(plan.shape.events));
  out += watches_text(plan) + sequences_text(plan);
  line("budget", fmt::format("{:.0f} % utilisation; at most {:.0f} % can fit this method and "
                             "sampling",
                             100 * plan.budget, 100 * plan.utilisation_limit));
  if (plan.settings.keyframes.every > 0) line("keyframes", keyframe_words(plan));
  for (const auto& one : plan.soundness) out += soundness_text(one);
  out += costs_table(plan);
  if (plan.measured && plan.measured->schedule) {
    out += chart(*plan.measured->schedule, plan.coupled->description().parts, plan.thread,
                 plan.frame());
  }
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
  const auto dense = array_of(plan.shape.dense_outputs, [&](double theta) {
    return json::object{{"theta", theta}, {"delayed", plan.shape.delayed(theta)}};
  });
  json::object o{{"config", plan.config_file},
                 {"model", plan.model},
                 {"method", plan.method->name},
                 {"order", plan.method->order},
                 {"compiled_together", plan.compiled_together},
                 {"frame_us", microseconds(plan.frame())},
                 {"rate_hz", plan.settings.grid.rate_hz()},
                 {"clock", rt::to_string(plan.thread.clock)},
                 {"follows", plan.thread.follows.empty() ? boost::json::value(nullptr)
                                                         : boost::json::value(plan.thread.follows)},
                 {"sampling", config::word_of(plan.settings.sampling)},
                 {"held_inputs", held_words(plan)},
                 {"passes", passes},
                 {"dense_outputs", dense},
                 {"events", events_name(plan.shape.events)},
                 {"budget", plan.budget},
                 {"utilisation_limit", plan.utilisation_limit},
                 {"feasible", !plan.refusal}};
  if (plan.coupled) {
    o["models"] = models_json(plan);
    o["connections"] = connections_json(*plan.coupled);
    o["instances"] =
        array_of(plan.instances, [](const TriedInstances& tried) { return to_json(tried); });
  }
  if (plan.measured) {
    o["measured"] = {
        {"median", costs_json(plan, plan.measured->median)},
        {"p99", costs_json(plan, plan.measured->p99)},
        {"external_events", by_name<exec::EventClass>(plan.measured->events, event_cost_json)}};
    if (plan.measured->schedule) {
      o["schedule"] = to_json(*plan.measured->schedule, plan.coupled->description().parts,
                              plan.thread.cpu, plan.frame());
    }
  }
  if (plan.settings.keyframes.every > 0) o["keyframes"] = keyframe_json(plan);
  if (!plan.calculated.empty()) {
    o["calculated"] = array_of(plan.calculated, [](const Plan::Calculated& one) {
      return boost::json::object{{"name", one.name}, {"formula", one.formula}, {"unit", one.unit}};
    });
  }
  o["interlocks"] = watches_json(plan.watches, true);
  o["alarms"] = watches_json(plan.watches, false);
  o["sequences"] = array_of(plan.sequences, [](const config::Control::Sequence& s) {
    return boost::json::object{{"name", s.name}, {"file", s.file}};
  });
  if (!plan.jacobians.empty()) o["jacobian"] = fmt::format("{}", fmt::join(plan.jacobians, "\n"));
  if (!plan.soundness.empty()) o["soundness"] = array_of(plan.soundness, soundness_json);
  if (plan.examined) o["model_examined"] = model_json(plan);
  o["devices"] = json::value_from(plan.devices);
  o["containment"] = containment_json(plan.containment);
  if (plan.refusal) o["refusal"] = plan.refusal->message;
  o["warnings"] = json::value_from(plan.warnings);
  return json::serialize(o) + "\n";
}

}  // namespace hild::plan
