// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/model_server.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "hild/model/check_structure.hpp"

namespace hild::remote {
namespace {

void copy(std::span<const double> from, Shared::Vector to) noexcept {
  std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
}

void put_text(std::string_view text, std::array<char, 96>& into) noexcept {
  into.fill('\0');
  std::copy_n(text.begin(), std::min(text.size(), into.size() - 1), into.begin());
}

}  // namespace

// Calls that give a vector of the equations.
void ModelServer::evaluate() noexcept {
  Shared& s = shared_;
  const Request& h = s.header().request;
  const model::Description& d = system_.description();
  const std::size_t nx = d.states.size();
  bool yes = true;
  switch (h.call) {
    case Call::derivatives:
      system_.derivatives(h.number, s.x, s.u, s.out.first(nx));
      break;
    case Call::jacobian:
      yes = !model::beyond_dense(d);
      if (!yes) break;
      std::ranges::fill(s.out.first(d.structure.room(nx)), 0.0);
      yes = system_.jacobian(h.number, s.x, s.u, {s.out.data(), nx, d.structure});
      break;
    case Call::outputs:
      system_.outputs(h.number, s.x, s.u, s.out.first(d.outputs.size()));
      break;
    case Call::event_functions:
      system_.event_functions(h.number, s.x, s.u, s.out.first(d.events.size()));
      break;
    default:
      yes = false;
  }
  s.header().reply.yes = yes ? 1 : 0;
}

// Calls that change the equations, or the state by them. An event may have changed parameters.
bool ModelServer::act() noexcept {
  Shared& s = shared_;
  const Request& h = s.header().request;
  const std::span<double> x = stepper_ != nullptr ? stepper_->states() : std::span(s.states);
  const auto put_parameters = [&] {
    for (std::size_t i = 0; i < system_.description().parameters.size(); ++i) {
      s.out[i] = system_.parameter(i);
    }
  };
  switch (h.call) {
    case Call::set_initial:
      return system_.set_initial(s.x), true;
    case Call::start:
      return system_.start(x), true;
    case Call::set_parameter:
      return system_.set_parameter(h.index, h.number), true;
    case Call::on_event:
      copy(s.x, x);
      system_.on_event(h.index, h.number, x, s.u);
      return put_parameters(), true;
    case Call::next_time_event:
      return s.header().reply.next = system_.next_time_event(h.t), true;
    case Call::on_time_event:
      copy(s.x, x);
      system_.on_time_event(h.number, x, s.u);
      return put_parameters(), true;
    default:
      return false;
  }
}

// Calls of a step. Whether it has what was asked for.
bool ModelServer::step() noexcept {
  Shared& s = shared_;
  model::Stepper& stepper = *stepper_;
  const Request& h = s.header().request;
  const model::Description& d = stepper.description();
  switch (h.call) {
    case Call::begin:
      return s.header().reply.starting = stepper.begin(h.t, h.h).starting ? 1 : 0, true;
    case Call::begun:
      return true;
    case Call::pass:
      return stepper.pass(static_cast<int>(h.index), s.u), true;
    case Call::finish:
      return stepper.finish(), tell_end(), true;
    case Call::last_pass:
      stepper.pass(static_cast<int>(h.index), s.u);
      return stepper.finish(), tell_end(), true;
    case Call::advance:
      s.header().reply.starting = stepper.step(h.t, h.h, s.u).starting ? 1 : 0;
      return tell_end(), true;
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
      return keep();
  }
}

// What is asked for after each step.
void ModelServer::tell_end() noexcept {
  Shared& s = shared_;
  const Request& h = s.header().request;
  ModelReply& reply = s.header().reply;
  stepper_->outputs(h.number, s.u, s.outputs);
  if (!s.events.empty()) system_.event_functions(h.number, stepper_->states(), s.u, s.events);
  if (system_.description().time_events) {
    reply.next = system_.next_time_event(h.t + h.h);
    reply.next_from_start = system_.next_time_event(h.t);
  }
  reply.estimated = stepper_->error_estimate(s.error) ? 1 : 0;
  if (h.slopes == 1) system_.derivatives(h.number, stepper_->states(), s.u, s.slopes);
}

// ---- its state, in pieces ----------------------------------------------------------------------

bool ModelServer::keep() noexcept {
  switch (shared_.header().request.call) {
    case Call::measure_state:
      return measure_state();
    case Call::save_state:
      return save_state();
    case Call::load_state:
      return load_state();
    default:
      return false;
  }
}

// Before the run: there is memory for it from here on.
bool ModelServer::measure_state() {
  ModelReply& reply = shared_.header().reply;
  Archive archive = Archive::measuring();
  stepper_->transfer(archive, shared_.header().request.made);
  reply.bytes = archive.bytes();
  if (!archive.good()) return put_text(archive.problem().what, reply.function), false;
  if (archive.bytes() > most_state_bytes) {
    return put_text("its state is larger than 4 MiB", reply.function), false;
  }
  state_.resize(archive.bytes());
  return true;
}

// With the first piece all of it is saved.
bool ModelServer::save_state() noexcept {
  const Request& h = shared_.header().request;
  if (h.index == 0) {
    Archive archive = Archive::saving(state_, {.time = h.t});
    stepper_->transfer(archive, h.made);
    shared_.header().reply.bytes = archive.bytes();
    if (!archive.good()) return false;
  }
  const std::size_t from = std::min(h.index * piece_bytes, state_.size());
  const std::size_t n = std::min(piece_bytes, state_.size() - from);
  std::copy_n(state_.begin() + static_cast<std::ptrdiff_t>(from), n, shared_.piece.begin());
  return true;
}

// With the last one all of it is loaded.
bool ModelServer::load_state() noexcept {
  const Request& h = shared_.header().request;
  const std::size_t whole = std::min<std::size_t>(h.bytes, state_.size());
  const std::size_t from = std::min(h.index * piece_bytes, whole);
  const std::size_t n = std::min(piece_bytes, whole - from);
  std::copy_n(shared_.piece.begin(), n, state_.begin() + static_cast<std::ptrdiff_t>(from));
  if (from + n < whole) return true;
  Archive archive = Archive::loading(std::span(state_).first(whole), {.time = h.t});
  stepper_->transfer(archive, h.made);
  return archive.good() && archive.left() == 0;
}

// ---- an answer ---------------------------------------------------------------------------------

void ModelServer::report() noexcept {
  ModelReply& r = shared_.header().reply;
  if (system_.cap_counts() != nullptr) r.cap_counts = *system_.cap_counts();
  const char* const failed = system_.failed_function();
  r.failed = failed != nullptr ? 1 : 0;
  if (failed != nullptr) put_text(failed, r.function);
}

void ModelServer::answer() noexcept {
  Shared& s = shared_;
  const Request& h = s.header().request;
  const Call call = h.call;
  if (h.begins == 1 && stepper_ != nullptr) stepper_->begin(h.begin_t, h.begin_h);
  if (act()) {
    s.header().reply.yes = 1;
  } else if (call >= Call::begin) {
    s.header().reply.yes = stepper_ != nullptr && step() ? 1 : 0;
  } else {
    evaluate();
  }
  if (stepper_ != nullptr) {
    copy(stepper_->states(), s.states);
    s.header().reply.together = stepper_->compiled_together() ? 1 : 0;
    // Only a finished step has them, and what follows it until the next begins.
    if (call == Call::finish || call == Call::finish_early || call == Call::last_pass ||
        call == Call::advance) {
      copy(stepper_->step_start().states, s.start_states);
      std::ranges::fill(s.start_derivatives, std::numeric_limits<double>::quiet_NaN());
      copy(stepper_->step_start().derivatives, s.start_derivatives);
    }
  }
  report();
}

}  // namespace hild::remote
