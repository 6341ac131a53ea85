// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/model_server.hpp"

#include <algorithm>
#include <string_view>

namespace hild::remote {
namespace {

void copy(std::span<const double> from, Shared::Vector to) noexcept {
  std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
}

// Calls that give a vector of the equations.
void evaluate(model::System& system, Shared& s) noexcept {
  const Request& h = s.header().request;
  const model::Description& d = system.description();
  const std::size_t nx = d.states.size();
  bool yes = true;
  switch (h.call) {
    case Call::derivatives:
      system.derivatives(h.number, s.x, s.u, s.out.first(nx));
      break;
    case Call::jacobian:
      yes = system.jacobian(h.number, s.x, s.u, s.out.first(nx * nx));
      break;
    case Call::outputs:
      system.outputs(h.number, s.x, s.u, s.out.first(d.outputs.size()));
      break;
    case Call::event_functions:
      system.event_functions(h.number, s.x, s.u, s.out.first(d.events.size()));
      break;
    default:
      yes = false;
  }
  s.header().reply.yes = yes ? 1 : 0;
}

// An event may have changed them.
void put_parameters(const model::System& system, const Shared& s) {
  for (std::size_t i = 0; i < system.description().parameters.size(); ++i) {
    s.out[i] = system.parameter(i);
  }
}

// Calls that change the equations, or the state by them.
bool act(model::System& system, std::span<double> x, Shared& s) {
  const Request& h = s.header().request;
  switch (h.call) {
    case Call::set_initial:
      return system.set_initial(s.x), true;
    case Call::start:
      return system.start(x), true;
    case Call::set_parameter:
      return system.set_parameter(h.index, h.number), true;
    case Call::on_event:
      copy(s.x, x);
      system.on_event(h.index, h.number, x, s.u);
      return put_parameters(system, s), true;
    case Call::next_time_event:
      return s.header().reply.next = system.next_time_event(h.t), true;
    case Call::on_time_event:
      copy(s.x, x);
      system.on_time_event(h.number, x, s.u);
      return put_parameters(system, s), true;
    default:
      return false;
  }
}

// Calls of a step. Whether it has what was asked for.
bool step(model::Stepper& stepper, Shared& s) noexcept {
  const Request& h = s.header().request;
  const model::Description& d = stepper.description();
  switch (h.call) {
    case Call::begin:
      return s.header().reply.starting = stepper.begin(h.t, h.h).starting ? 1 : 0, true;
    case Call::pass:
      return stepper.pass(static_cast<int>(h.index), s.u), true;
    case Call::finish:
      return stepper.finish(), true;
    case Call::finish_early:
      return stepper.finish_early();
    case Call::pass_outputs:
      return stepper.pass_outputs(static_cast<int>(h.index), s.u, s.out.first(d.outputs.size()));
    case Call::dense:
      return stepper.dense(h.number, s.out.first(d.states.size()));
    case Call::error_estimate:
      return stepper.error_estimate(s.out.first(d.states.size()));
    case Call::rewind:
      return stepper.rewind(), true;
    case Call::restart:
      copy(s.x, stepper.states());
      return stepper.restart(static_cast<model::Restart>(h.index)), true;
    default:
      return false;
  }
}

void report(const model::System& system, Shared& s) noexcept {
  ModelReply& r = s.header().reply;
  if (system.cap_counts() != nullptr) r.cap_counts = *system.cap_counts();
  const char* const failed = system.failed_function();
  r.failed = failed != nullptr ? 1 : 0;
  if (failed == nullptr) return;
  const std::string_view name(failed);
  r.function.fill('\0');
  std::copy_n(name.begin(), std::min(name.size(), r.function.size() - 1), r.function.begin());
}

}  // namespace

void answer(model::System& system, model::Stepper* stepper, Shared& s) noexcept {
  const Call call = s.header().request.call;
  if (act(system, stepper != nullptr ? stepper->states() : s.states, s)) {
    s.header().reply.yes = 1;
  } else if (call >= Call::begin) {
    s.header().reply.yes = stepper != nullptr && step(*stepper, s) ? 1 : 0;
  } else {
    evaluate(system, s);
  }
  if (stepper != nullptr) {
    copy(stepper->states(), s.states);
    s.header().reply.together = stepper->compiled_together() ? 1 : 0;
    // Only a finished step has them, and what follows it until the next begins.
    if (call == Call::finish || call == Call::finish_early) {
      copy(stepper->step_start().states, s.start_states);
      copy(stepper->step_start().derivatives, s.start_derivatives);
    }
  }
  report(system, s);
}

}  // namespace hild::remote
