// SPDX-License-Identifier: Apache-2.0
#include "config/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "config/plan/feedthrough_check.hpp"
#include "config/plan/jacobian_check.hpp"
#include "config/plan/soundness_words.hpp"
#include "hild/rt/thread.hpp"

namespace hild::plan {
namespace {

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
    if (part->model.contained) continue;
    const auto system = system_of(part->model);
    const bool fmu = system->cap_counts() != nullptr;
    if (fmu) continue;
    auto checked = check_feedthrough(*system);
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

// A FIFO thread that does not sleep is stopped by the kernel for the rest of its period.
void judge_throttling(Plan& plan, const config::Frame& frame, const Machine& machine) {
  if (frame.priority == 0 || machine.rt_share >= 1) return;
  double busy = 0;
  if (plan.measured) busy = utilisation(plan.shape, plan.measured->median, plan.frame());
  if (frame.clock == rt::ClockKind::spin) busy = 1;
  if (frame.clock == rt::ClockKind::sleep_spin && frame.margin) {
    busy += seconds(*frame.margin) / seconds(plan.frame());
  }
  if (busy <= machine.rt_share) return;
  plan.warnings.emplace_back(fmt::format(
      "clock {} keeps the frame thread busy {:.0f} % of the time, and the kernel takes SCHED_FIFO "
      "threads off the CPU beyond {:.0f} % (sched_rt_runtime_us): frames will overrun; use clock: "
      "sleep, a smaller margin, or `sysctl kernel.sched_rt_runtime_us=-1`",
      rt::to_string(frame.clock), 100 * std::min(busy, 1.0), 100 * machine.rt_share));
}

}  // namespace

void Plan::add_soundness(std::vector<Soundness> verdicts) {
  soundness = std::move(verdicts);
  for (const Soundness& s : soundness) {
    std::ranges::move(warnings_of(s, config_file), std::back_inserter(warnings));
  }
}

Machine this_machine() { return {rt::rt_throttle_share(), rt::kernel_is_preempt_rt()}; }

Plan make_plan(const Assembly& a, std::optional<Measured> measured, const Machine& machine) {
  Plan plan;
  plan.config_file = a.config.file;
  plan.model = a.config.model.type;
  plan.jacobians = jacobians_of(a);
  plan.method = a.method;
  plan.compiled_together = a.plant->compiled_together();
  if (a.config.coupled) plan.coupled = a.config.coupled->composition;
  plan.settings = a.config.settings;
  plan.clock = a.config.frame.clock;
  plan.shape = shape_of(*a.method, plan.settings.sampling, events_of(*a.plant));
  plan.shape.dense_outputs = plan.settings.dense_outputs;
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
  if (measured) judge_costs(plan, *measured);
  if (measured && !plan.refusal) {
    judge_external_events(plan, a.config.admission);
    if (measured->keyframe) judge_keyframes(plan, *measured->keyframe);
  }
  judge_jacobian(plan, a);
  judge_feedthrough(plan, a);
  judge_containment(plan, a.config);
  judge_throttling(plan, a.config.frame, machine);
  if (plan.clock == rt::ClockKind::timerfd && machine.preempt_rt) {
    plan.warnings.emplace_back(
        "clock: timerfd expires through ktimers at FIFO priority 1 on PREEMPT_RT, so that any "
        "real-time thread delays the ticks; use clock: sleep");
  }
  return plan;
}

}  // namespace hild::plan
