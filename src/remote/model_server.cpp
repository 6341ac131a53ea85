// SPDX-License-Identifier: Apache-2.0
#include "remote/model_server.hpp"

#include <algorithm>
#include <string_view>

namespace hild::remote {
namespace {

void copy(std::span<const double> from, Shared::Vector to) noexcept {
  std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
}

// Calls that give a vector, and whether they do.
bool read(model::Plant& plant, Shared& s) noexcept {
  const Request& h = s.header().request;
  const model::Description& d = plant.description();
  const std::size_t nx = d.states.size();
  switch (h.call) {
    case Call::dense:
      return plant.dense(h.number, s.out.first(nx));
    case Call::error_estimate:
      return plant.error_estimate(s.out.first(nx));
    case Call::derivatives:
      return plant.derivatives(h.number, s.x, s.u, s.out.first(nx)), true;
    case Call::jacobian:
      return plant.jacobian(h.number, s.x, s.u, s.out.first(nx * nx));
    case Call::outputs:
      return plant.outputs(h.number, s.u, s.out.first(d.outputs.size())), true;
    case Call::outputs_at:
      return plant.outputs_at(h.number, s.x, s.u, s.out.first(d.outputs.size()));
    case Call::pass_outputs:
      return plant.pass_outputs(static_cast<int>(h.index), s.u, s.out.first(d.outputs.size()));
    case Call::event_functions:
      return plant.event_functions(h.number, s.x, s.u, s.out.first(d.events.size())), true;
    default:
      return false;
  }
}

// Calls that move the plant.
bool act(model::Plant& plant, Shared& s) noexcept {
  const Request& h = s.header().request;
  switch (h.call) {
    case Call::reset:
      return plant.reset(), true;
    case Call::set_states:
      return plant.set_states(s.x), true;
    case Call::set_parameter:
      return plant.set_parameter(h.index, h.number), true;
    case Call::begin:
      return plant.begin(h.t, h.h), true;
    case Call::pass:
      return plant.pass(static_cast<int>(h.index), s.u), true;
    case Call::finish:
      return plant.finish(), true;
    case Call::finish_early:
      return plant.finish_early();
    case Call::shorten:
      return plant.shorten(h.number);
    case Call::rewind:
      return plant.rewind(), true;
    case Call::restart:
      return plant.restart(), true;
    case Call::on_event:
      return plant.on_event(h.index, h.number, s.u), true;
    case Call::next_time_event:
      return s.header().reply.next = plant.next_time_event(h.t), true;
    case Call::on_time_event:
      return plant.on_time_event(h.number, s.u), true;
    default:
      return read(plant, s);
  }
}

void report(const model::Plant& plant, Shared& s) noexcept {
  Reply& r = s.header().reply;
  copy(plant.states(), s.states);
  r.starting = plant.starting() ? 1 : 0;
  r.together = plant.compiled_together() ? 1 : 0;
  if (plant.cap_counts() != nullptr) r.cap_counts = *plant.cap_counts();
  const char* const failed = plant.failed_function();
  r.failed = failed != nullptr ? 1 : 0;
  if (failed == nullptr) return;
  const std::string_view name(failed);
  r.function.fill('\0');
  std::copy_n(name.begin(), std::min(name.size(), r.function.size() - 1), r.function.begin());
}

}  // namespace

void answer(model::Plant& plant, Shared& shared) noexcept {
  const Call call = shared.header().request.call;
  bool yes = true;
  if (call == Call::set_initial) {
    plant.set_initial(shared.x);
  } else {
    yes = act(plant, shared);
  }
  shared.header().reply.yes = yes ? 1 : 0;
  // Only a finished step has them, and what follows it until the next begins.
  if (call == Call::finish || call == Call::finish_early || call == Call::shorten) {
    copy(plant.start_states(), shared.start_states);
    copy(plant.start_derivatives(), shared.start_derivatives);
  }
  report(plant, shared);
}

}  // namespace hild::remote
