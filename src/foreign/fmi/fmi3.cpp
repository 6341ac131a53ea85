// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/fmi3.hpp"

#include "foreign/fmi/convert.hpp"

namespace hild::fmi::v3 {

using numerics::kept_apart;

Instance3::~Instance3() {
  release_state();
  kept_apart(f_.free_instance, h_);
}

Status Instance3::enter_initialization(double time) noexcept {
  return kept_apart(f_.enter_initialization, h_, false, 0, time, false, 0);
}
Status Instance3::exit_initialization() noexcept { return kept_apart(f_.exit_initialization, h_); }
Status Instance3::configure() noexcept {
  if (structure_.empty()) return Status::ok;
  Status status = kept_apart(f_.enter_configuration, h_);
  for (Group& g : structure_) {
    if (good(status)) status = set(g);
  }
  return good(status) ? kept_apart(f_.exit_configuration, h_) : status;
}
Status Instance3::reset() noexcept {
  const Status status = kept_apart(f_.reset, h_);
  return good(status) ? configure() : status;
}

template <class Use>
Status Instance3::by_type(Type type, Use&& use) noexcept {
  switch (type) {
    case Type::float64:
      return use(f_.float64);
    case Type::float32:
      return use(f_.float32);
    case Type::int8:
      return use(f_.int8);
    case Type::uint8:
      return use(f_.uint8);
    case Type::int16:
      return use(f_.int16);
    case Type::uint16:
      return use(f_.uint16);
    case Type::int32:
      return use(f_.int32);
    case Type::uint32:
      return use(f_.uint32);
    case Type::int64:
      return use(f_.int64);
    case Type::uint64:
      return use(f_.uint64);
    case Type::boolean:
      break;
  }
  return use(f_.boolean);
}

Status Instance3::get_converted(Group& g) noexcept {
  const std::size_t n = g.refs.size();
  return by_type(g.type, [&]<class T>(const Access<T>& access) {
    const Status status =
        kept_apart(access.get, h_, g.refs.data(), n, raw_as<T>(g), g.values.size());
    from_raw<T>(g);
    return status;
  });
}

Status Instance3::set_converted(Group& g) noexcept {
  const std::size_t n = g.refs.size();
  return by_type(g.type, [&]<class T>(const Access<T>& access) {
    to_raw<T>(g);
    return kept_apart(access.set, h_, g.refs.data(), n, raw_as<T>(g), g.values.size());
  });
}

Status Instance3::enter_event_mode() noexcept { return kept_apart(f_.enter_event_mode, h_); }

Status Instance3::update_discrete_states(DiscreteUpdate& u) noexcept {
  return kept_apart(f_.update_discrete_states, h_, &u.again, &u.terminate, &u.nominals_changed,
                    &u.states_changed, &u.timed, &u.next_time);
}

Status Instance3::enter_continuous_time_mode() noexcept {
  return kept_apart(f_.enter_continuous_time_mode, h_);
}

Status Instance3::get_states(Out x) noexcept {
  return kept_apart(f_.get_continuous_states, h_, x.data(), x.size());
}
Status Instance3::get_nominals(Out nominals) noexcept {
  return kept_apart(f_.get_nominals, h_, nominals.data(), nominals.size());
}

Status Instance3::count_states(std::size_t& count) noexcept {
  return kept_apart(f_.get_number_of_states, h_, &count);
}
Status Instance3::count_event_indicators(std::size_t& count) noexcept {
  return kept_apart(f_.get_number_of_indicators, h_, &count);
}

Status Instance3::get_directional_derivative(std::span<const ValueReference> derivatives,
                                             std::span<const ValueReference> states, In by,
                                             Out column) noexcept {
  return kept_apart(f_.get_directional_derivative, h_, derivatives.data(), derivatives.size(),
                    states.data(), states.size(), by.data(), by.size(), column.data(),
                    column.size());
}

Status Instance3::do_step(double t, double h, Advance& advance) noexcept {
  bool event_needed = false;
  bool early_return = false;
  double last = t;  // where it is if it does not say
  const Status status = kept_apart(f_.do_step, h_, t, h, true, &event_needed, &advance.terminate,
                                   &early_return, &last);
  advance.reached = early_return || !good(status) ? last : t + h;
  return status;
}

}  // namespace hild::fmi::v3
