// SPDX-License-Identifier: Apache-2.0
#include "cli/report/outcome.hpp"

#include <cmath>

#include "cli/report/text.hpp"
#include "recording/record/standstill_log.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

using exec::End;

struct EndWord {
  std::string_view name;
  ExitCode code;
};

/// By exec::End.
constexpr std::array<EndWord, 11> endings{{{"duration", ExitCode::done},
                                           {"requested", ExitCode::done},
                                           {"overrun_limit", ExitCode::overrun_limit},
                                           {"device_failed", ExitCode::device_failed},
                                           {"input_lost", ExitCode::device_failed},
                                           {"model_fault", ExitCode::fault},
                                           {"interlock", ExitCode::interlock},
                                           {"guard_lost", ExitCode::fault},
                                           {"tick_lost", ExitCode::device_failed},
                                           {"clock_set", ExitCode::fault},
                                           {"alarm", ExitCode::interlock}}};

// "more than 1 % of the last 1000 steps, or 10 in a row were late, slipped or unanswered"
std::string limit_in_words(const exec::Outcome& o, const OutcomeFacts& facts) {
  const exec::OverrunSettings& s = facts.overrun;
  if (o.limit != exec::Limit::missed) {
    return record::why_it_stood(o.limit, o.stood, s.standstill, facts.model_ending);
  }
  if (s.policy == exec::OverrunPolicy::stop) return "a step was late or unanswered";
  std::vector<std::string> limits;
  if (s.limit_percent) {
    limits.push_back(
        fmt::format("more than {:g} % of the last {} steps", *s.limit_percent, s.window));
  }
  if (s.consecutive) limits.push_back(fmt::format("{} in a row", *s.consecutive));
  return fmt::format("{} were late, slipped or unanswered", fmt::join(limits, ", or "));
}

std::string advice_on(io::Cause cause, std::string_view config) {
  const std::string check = fmt::format("`hild check {}` shows ", config);
  switch (cause) {
    case io::Cause::late_wake:
      return "the kernel woke hild late: use a PREEMPT_RT kernel, an isolated CPU (frame.cpu) and "
             "SCHED_FIFO (frame.priority)";
    case io::Cause::device:
      return "device calls took too long: try `sampling: frame`, a faster converter or a longer "
             "period";
    case io::Cause::pass:
      return "the model takes too long for this period: take a longer one, or a method with fewer "
             "passes; " +
             check + "the plan";
    case io::Cause::worker:
      return "a model on another CPU took too long, or its worker was interrupted: give it a CPU "
             "of its own, or move models to other CPUs; " +
             check + "who does what when";
    case io::Cause::state_event:
      return "state events take too long: lower `max_events` or lengthen the period; " + check +
             "the plan";
    case io::Cause::page_fault:
      return "pages were missing: allow hild to lock its memory (LimitMEMLOCK, or the memlock line "
             "of /etc/security/limits.conf), and let the model take its memory before the run";
    case io::Cause::preemption:
      return "another program took the CPU: isolate one (frame.cpu), or raise frame.priority above "
             "it; `hild doctor` lists what else runs under SCHED_FIFO";
    case io::Cause::host:
      return "the host of this virtual machine ran something else on its CPU: give it CPUs of its "
             "own there, or run on a machine that is not virtual";
    case io::Cause::unknown:
      return "nothing hild did explains it: with `--set overrun.evidence=true` the kernel tells "
             "what it did to the frames";
    default:
      return check + "what a frame costs on this machine, and whether it fits";
  }
}

std::string advice_on_limit(const exec::Outcome& o, const OutcomeFacts& facts) {
  switch (o.limit) {
    case exec::Limit::gone:
      return fmt::format(
          "what the model said is above, where it said anything; `hild check {}` "
          "runs it in a process of its own, and tells in which call it fails",
          facts.config);
    case exec::Limit::silent:
      return fmt::format(
          "the model hangs, or its process gets no CPU: `hild check {}` tells what "
          "its calls take",
          facts.config);
    case exec::Limit::standstill:
      return "the run was held from outside (SIGSTOP, a debugger, a virtual machine that was "
             "paused), or got no CPU: `hild doctor` tells what this machine lacks; where that is "
             "meant, lengthen `overrun.standstill`";
    case exec::Limit::missed:
      break;
  }
  return advice_on(main_cause(facts.by_cause), facts.config);
}

std::string became(double value) {
  if (std::isfinite(value)) return "was no longer a finite number";
  if (std::isnan(value)) return "became NaN";
  return value > 0 ? "became infinite" : "became minus infinite";
}

// "state `speed` of dc-motor"
std::string place_of_fault(const exec::Outcome& o, const model::Description& plant) {
  const std::string_view kind = o.in_states ? "state" : "output";
  const std::size_t known = o.in_states ? plant.states.size() : plant.outputs.size();
  if (o.index >= known) return fmt::format("{} {} of {}", kind, o.index, plant.name);
  const std::string_view name =
      o.in_states ? plant.states[o.index].name : plant.outputs[o.index].name;
  return fmt::format("{} `{}` of {}", kind, name, plant.name);
}

std::string allowed(double low, double high) {
  return low == -model::unlimited   ? fmt::format("at most {:g}", high)
         : high == model::unlimited ? fmt::format("at least {:g}", low)
                                    : fmt::format("{:g} to {:g}", low, high);
}

// "interlock `overspeed` tripped: output speed was 412, allowed is at most 400"
std::string trip_in_words(const exec::Outcome& o, std::span<const config::Interlock> interlocks) {
  if (o.index >= interlocks.size()) return fmt::format("interlock {} tripped", o.index);
  const config::Interlock& i = interlocks[o.index];
  return fmt::format("interlock `{}` tripped: {} was {:g}, allowed is {}", i.name, i.signal,
                     o.value, allowed(i.limits.low, i.limits.high));
}

// "alarm `hot`, the winding is hot: output temperature was 412 K, allowed is at most 360"
std::string alarm_in_words(const exec::Outcome& o, std::span<const config::Alarm> alarms) {
  if (o.index >= alarms.size()) return fmt::format("alarm {}", o.index);
  const config::Alarm& a = alarms[o.index];
  return fmt::format("alarm `{}`{}{}: {} was {:g}{}{}, allowed is {}", a.name,
                     a.text.empty() ? "" : ", ", a.text, a.signal, o.value,
                     a.unit == "1" ? "" : " ", a.unit == "1" ? "" : a.unit,
                     allowed(a.alarm.low, a.alarm.high));
}

// "state `speed` of dc-motor was 3.2e+06 rad/s at 2.5 s, plausible is -1e+06 to 1e+06 rad/s"
std::string implausible_in_words(const exec::Outcome& o, const OutcomeFacts& facts) {
  std::string unit;
  if (o.index < facts.plant->states.size()) {
    const std::string_view of = facts.plant->states[o.index].unit;
    if (of != "1") unit = fmt::format(" {}", of);
  }
  const auto [low, high] = o.plausible;
  return fmt::format("{} was {:g}{} at {:g} s (frame {}), plausible is {:g} to {:g}{}",
                     place_of_fault(o, *facts.plant), o.value, unit, seconds(Duration{o.t.ns}),
                     o.frame, low, high, unit);
}

Verdict model_fault(const exec::Outcome& o, const OutcomeFacts& facts) {
  if (o.fault == exec::Fault::clamped) {
    return {
        fmt::format("Stopped at {:g} s (frame {}): outputs were cut to their limits for as long "
                    "as safety.clamped allows: {}.",
                    seconds(Duration{o.t.ns}), o.frame, facts.clamped),
        fmt::format("what drives the lines was not the model: check `scale`, `offset` and "
                    "`limits` of these outputs, and with `hild check {}` whether the step is "
                    "stable",
                    facts.config)};
  }
  if (o.fault == exec::Fault::not_returned) {
    return {fmt::format("Stopped in frame {}: model `{}` did not return on its CPU.", o.frame,
                        facts.plant->parts[o.index]),
            "something has that CPU or its thread for good, or the model hangs: see `hild doctor`, "
            "and try the model in a process of its own (`process: own`)"};
  }
  if (o.function != nullptr) {
    return {fmt::format("Stopped in frame {}: `{}` of the model failed.", o.frame, o.function),
            "what the model said is above, where it said anything; a cap that ends the run is "
            "raised in model.caps"};
  }
  if (o.fault == exec::Fault::inaccurate) {
    return {
        fmt::format("Stopped at {:g} s (frame {}): the estimated error of a step stayed {:.2g} of "
                    "the size of `{}`, larger than accuracy.limit allows.",
                    seconds(Duration{o.t.ns}), o.frame, o.value, facts.plant->states[o.index].name),
        fmt::format("take a shorter step or another method: `hild advise {}` finds what suits",
                    facts.config)};
  }
  if (o.fault == exec::Fault::implausible) {
    return {
        fmt::format("Stopped: {}.", implausible_in_words(o, facts)),
        fmt::format("the method may be unstable at this step: `hild check {0}` tells, and `hild "
                    "advise {0}` finds a step or a method that suits; where the plant may go "
                    "there, widen `plausible` of its model",
                    facts.config)};
  }
  return {fmt::format("Stopped: {} {} in frame {}.", place_of_fault(o, *facts.plant),
                      became(o.value), o.frame),
          "the step may be too long for the method (try a shorter frame.period, or another "
          "integrator.method), the linear system of an implicit method may be singular at this "
          "step (NaN in every state), or a parameter, initial value or input is off"};
}

// What a run that went to its end has to say of its outputs all the same.
Verdict clamped_in_words(const OutcomeFacts& facts) {
  if (facts.clamped_frames == 0) return {};
  return {fmt::format(" Its outputs were cut to their limits in {} of {} frames ({}), and did not "
                      "follow the model there.",
                      facts.clamped_frames, facts.frames, facts.clamped),
          fmt::format("check `scale`, `offset` and `limits` of these outputs, and with `hild check "
                      "{}` whether the step is stable; `safety: {{clamped: {{then: safe-stop}}}}` "
                      "ends such a run",
                      facts.config)};
}

Verdict inaccurate_in_words(const OutcomeFacts& facts) {
  if (facts.inaccurate_steps == 0) return {};
  return {fmt::format(" In {} of {} frames the estimated error of a step stayed larger than "
                      "accuracy.limit allows.",
                      facts.inaccurate_steps, facts.frames),
          fmt::format("take a shorter step or another method: `hild advise {}` finds what suits",
                      facts.config)};
}

Verdict ended_in_time(const exec::Outcome& o, const OutcomeFacts& facts) {
  const std::string_view how = o.end == End::requested
                                   ? "The run was stopped on request."
                                   : "The run ended after the duration asked for.";
  Verdict clamped = clamped_in_words(facts);
  const Verdict inaccurate = inaccurate_in_words(facts);
  clamped.what += inaccurate.what;
  if (clamped.next.empty()) clamped.next = inaccurate.next;
  if (!o.limit_reached) return {std::string(how) + clamped.what, clamped.next};
  const bool frozen = facts.overrun.then == exec::LimitAction::freeze;
  const bool safe = o.limit != exec::Limit::missed;
  return {fmt::format("{} Before that {} ({}) and {}.{}", how,
                      safe ? "the plant stood still" : "an overrun limit was reached",
                      limit_in_words(o, facts),
                      !safe    ? "the plant was frozen"
                      : frozen ? "the plant was frozen, its outputs were made safe"
                               : "its outputs were made safe",
                      clamped.what),
          advice_on_limit(o, facts)};
}

Verdict how_it_ended(const exec::Outcome& o, const OutcomeFacts& facts) {
  switch (o.end) {
    case End::duration:
    case End::requested:
      return ended_in_time(o, facts);
    case End::overrun_limit:
      return {fmt::format("Stopped in frame {}: {}.", o.frame, limit_in_words(o, facts)),
              advice_on_limit(o, facts)};
    case End::device_failed:
      return {fmt::format("Stopped in frame {}: {}.", o.frame,
                          facts.device_failure.empty() ? "a device failed" : facts.device_failure),
              fmt::format("check power, cable and driver, then try its channels with `hild io {}`",
                          facts.config)};
    case End::input_lost:
      return {
          fmt::format("Stopped in frame {}: {}.", o.frame, facts.device_failure),
          "check the device, or allow more (`max_latency`), or say what stands in for the input "
          "meanwhile (`on_loss`)"};
    case End::tick_lost:
      return {fmt::format("Stopped in frame {}: {}.", o.frame, facts.device_failure),
              "check the device, or allow more ticks to be missing in a row (`frame.missing`)"};
    case End::clock_set:
      return {fmt::format("Stopped in frame {}: the clock that frames are aligned to was set.",
                          o.frame),
              "let it settle before a run (`hild doctor`), or let frames move to where it is "
              "(`frame.on_step: move`)"};
    case End::model_fault:
      return model_fault(o, facts);
    case End::interlock:
      return {fmt::format("Stopped in frame {}: {}.", o.frame, trip_in_words(o, facts.interlocks)),
              "outputs took their safe values; find out what tripped it before starting again"};
    case End::alarm:
      return {fmt::format("Stopped in frame {}: {}.", o.frame, alarm_in_words(o, facts.alarms)),
              "outputs took their safe values; find out what raised it before starting again"};
    case End::guard_lost:
      return {fmt::format("Stopped in frame {}: the guard of the outputs died.", o.frame),
              "outputs took their safe values; the words of the kernel (`journalctl -k`) tell "
              "whether it was for want of memory, else somebody ended it"};
  }
  return {};
}

}  // namespace

std::string_view to_string(End end) noexcept { return endings[static_cast<std::size_t>(end)].name; }

std::string_view to_string(exec::Fault fault) noexcept {
  return word_of(fault, {"not_finite", "implausible", "clamped", "inaccurate", "not_returned"});
}

ExitCode exit_code(const exec::Outcome& o) noexcept {
  const ExitCode code = endings[static_cast<std::size_t>(o.end)].code;
  if (code != ExitCode::done) return code;
  if (o.limit_reached) return ExitCode::overrun_limit;
  return o.safe ? ExitCode::done : ExitCode::device_failed;
}

Verdict verdict(const exec::Outcome& o, const OutcomeFacts& facts) {
  Verdict v = how_it_ended(o, facts);
  if (o.safe) return v;
  v.what += " Not every output took its safe value!";
  v.next = fmt::format("make the outputs safe by hand or with `hild safe {}`{}{}", facts.config,
                       v.next.empty() ? "" : "; then: ", v.next);
  return v;
}

io::Cause main_cause(const ByCause& by_cause) noexcept {
  auto most = io::Cause::none;
  for (std::size_t c = 0; c < io::cause_count; ++c) {
    if (static_cast<io::Cause>(c) == io::Cause::carried) continue;
    if (by_cause[c] > by_cause[static_cast<std::size_t>(most)]) most = static_cast<io::Cause>(c);
  }
  return most;
}

}  // namespace hild::report
