// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/fmi2.hpp"

#include "foreign/fmi/convert.hpp"

namespace hild::fmi::v2 {

using numerics::kept_apart;

// No fmi2Terminate: some FMUs print or fail there, and what follows it is the release alone.
Instance2::~Instance2() {
  release_state();
  kept_apart(f_.free_instance, c_);
}

Status Instance2::enter_initialization(double time) noexcept {
  const Status set_up = kept_apart(f_.setup_experiment, c_, 0, 0, time, 0, 0);
  if (!good(set_up)) return set_up;
  return kept_apart(f_.enter_initialization, c_);
}
Status Instance2::exit_initialization() noexcept { return kept_apart(f_.exit_initialization, c_); }
Status Instance2::reset() noexcept { return kept_apart(f_.reset, c_); }

Status Instance2::get_converted(Group& g) noexcept {
  const std::size_t n = g.refs.size();
  static_assert(sizeof(Boolean) == sizeof(int));
  const auto read = g.type == Type::boolean ? f_.get_boolean : f_.get_integer;
  const Status status = kept_apart(read, c_, g.refs.data(), n, raw_as<int>(g));
  from_raw<int>(g);
  return status;
}

Status Instance2::set_converted(Group& g) noexcept {
  const std::size_t n = g.refs.size();
  if (g.type == Type::boolean) {
    int* const raw = raw_as<int>(g);
    for (std::size_t i = 0; i < n; ++i) raw[i] = nearest<bool>(g.values[i]) ? 1 : 0;
    return kept_apart(f_.set_boolean, c_, g.refs.data(), n, raw);
  }
  to_raw<int>(g);
  return kept_apart(f_.set_integer, c_, g.refs.data(), n, raw_as<int>(g));
}

Status Instance2::enter_event_mode() noexcept { return kept_apart(f_.enter_event_mode, c_); }

Status Instance2::update_discrete_states(DiscreteUpdate& update) noexcept {
  EventInfo info{};
  const Status status = kept_apart(f_.new_discrete_states, c_, &info);
  update = {info.new_discrete_states_needed != 0, info.terminate_simulation != 0,
            info.nominals_changed != 0,           info.values_changed != 0,
            info.next_event_time_defined != 0,    info.next_event_time};
  return status;
}

Status Instance2::enter_continuous_time_mode() noexcept {
  return kept_apart(f_.enter_continuous_time_mode, c_);
}

Status Instance2::get_states(Out x) noexcept {
  return kept_apart(f_.get_continuous_states, c_, x.data(), x.size());
}
Status Instance2::get_nominals(Out nominals) noexcept {
  return kept_apart(f_.get_nominals, c_, nominals.data(), nominals.size());
}

Status Instance2::get_directional_derivative(std::span<const ValueReference> derivatives,
                                             std::span<const ValueReference> states, In by,
                                             Out column) noexcept {
  return kept_apart(f_.get_directional_derivative, c_, derivatives.data(), derivatives.size(),
                    states.data(), states.size(), by.data(), column.data());
}

Status Instance2::do_step(double t, double h, Advance& advance) noexcept {
  const Status status = kept_apart(f_.do_step, c_, t, h, 1);
  advance = {good(status) ? t + h : t, false};
  if (status != Status::discard) return status;
  // It need not say how far it came, nor that it wants to end: then it came nowhere, and goes on.
  double last = t;
  if (f_.get_real_status != nullptr &&
      good(kept_apart(f_.get_real_status, c_, StatusKind::last_successful_time, &last))) {
    advance.reached = last;
  }
  Boolean ended = 0;
  if (f_.get_boolean_status != nullptr &&
      good(kept_apart(f_.get_boolean_status, c_, StatusKind::terminated, &ended))) {
    advance.terminate = ended != 0;
  }
  return status;
}

}  // namespace hild::fmi::v2
