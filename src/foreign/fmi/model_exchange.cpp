// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/model_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hild/numerics/differences.hpp"

namespace hild::fmi {
namespace {

// The standard's two domains: z > 0 and z <= 0.
signed char side_of(double z) noexcept { return z > 0 ? 1 : -1; }

void gather(Group& g, std::span<const double> from) noexcept {
  for (std::size_t i = 0; i < g.values.size(); ++i) g.values[i] = from[g.places[i]];
}

}  // namespace

ModelExchange::ModelExchange(std::shared_ptr<const Layout> layout,
                             std::unique_ptr<Instance> instance)
    : layout_(std::move(layout)),
      instance_(std::move(instance)),
      functions_(instance_->functions()),
      continuous_(layout_->continuous_inputs),
      discrete_(layout_->discrete_inputs),
      read_(layout_->outputs_read),
      parameter_groups_(layout_->parameters_set),
      changed_(parameter_groups_.size()),
      nominals_(layout_->nominals),
      held_(layout_->inputs.size()),
      x_(layout_->states.size()),
      moved_(x_.size()),
      there_(x_.size()),
      column_(x_.size()),
      z_(layout_->events.size()),
      sides_(z_.size()) {
  if (x_.empty()) {  // an FMU without states may lack what is called for them
    functions_.set_states = [](void*, const double*, std::size_t) { return Status::ok; };
    functions_.get_derivatives = [](void*, double*, std::size_t) { return Status::ok; };
  }
  for (const auto& p : layout_->parameters) parameters_.push_back(p.value);
  for (const Group& g : continuous_) {
    for (const std::size_t place : g.places) given_.push_back({place});
  }
}

void ModelExchange::fill_with_nan(Out values) noexcept { std::ranges::fill(values, nan); }

void ModelExchange::set_groups(std::vector<Group>& groups, In u) noexcept {
  for (Group& g : groups) {
    gather(g, u);
    if (failure_ == nullptr) take(instance_->set(g), "set inputs");
  }
}

// Those that differ from the FMU's own values when it starts, those that changed afterwards.
void ModelExchange::set_parameters(bool starting) noexcept {
  waiting_ = false;
  for (std::size_t i = 0; i < parameter_groups_.size(); ++i) {
    Group& g = parameter_groups_[i];
    gather(g, parameters_);
    const bool own = !layout_->always_set[i] && std::ranges::all_of(g.places, [&](std::size_t p) {
      return parameters_[p] == layout_->parameters[p].value;
    });
    const bool due = starting ? !own : changed_[i] != 0 && layout_->tunable[i];
    changed_[i] = 0;
    if (due && failure_ == nullptr) take(instance_->set(g), "set parameters");
  }
}

void ModelExchange::start(In parameters, Out x) noexcept {
  failure_ = nullptr;
  timed_ = false;
  t_ = 0;
  not_ahead_ = 0;
  std::ranges::copy(parameters, parameters_.begin());
  for (std::size_t i = 0; i < held_.size(); ++i) held_[i] = layout_->inputs[i].start;
  const auto call = [&](Status status, const char* name) { return take(status, name); };
  bool good_so_far = !started_ || call(instance_->reset(), "reset");
  started_ = true;
  if (good_so_far) set_parameters(true);
  set_groups(continuous_, held_);
  set_groups(discrete_, held_);
  good_so_far = failure_ == nullptr &&
                call(instance_->enter_initialization(0), "enter initialization mode") &&
                call(instance_->exit_initialization(), "exit initialization mode");
  if (good_so_far) iterate_events(x, true);
  if (failure_ != nullptr) std::ranges::fill(x, nan);
}

void ModelExchange::transfer(Archive& archive) noexcept {
  if (failure_ != nullptr) return archive.refuse("the FMU has failed");
  instance_->transfer(archive);
  archive(parameters_, changed_, nominals_, held_, x_, z_, sides_);
  for (GivenInput& input : given_) archive(input.value);
  archive(t_, next_time_, timed_, stands_, waiting_, not_ahead_);
}

// Entered in event mode, left in continuous-time mode.
void ModelExchange::iterate_events(Out x, bool starting) noexcept {
  DiscreteUpdate update;
  bool states_changed = starting;
  bool nominals_changed = starting;
  int n = 0;
  do {
    update = {};
    if (!take(instance_->update_discrete_states(update), "update discrete states")) break;
    if (update.terminate) {
      failure_ = "update discrete states (it asks to terminate)";
      break;
    }
    states_changed = states_changed || update.states_changed;
    nominals_changed = nominals_changed || update.nominals_changed;
  } while (update.again && ++n < layout_->caps.event_iterations.most);
  if (update.again && failure_ == nullptr) {
    ++cap_counts_.event_iterations;
    if (layout_->caps.event_iterations.stop) {
      failure_ = "update discrete states (more often than model.caps.event_iterations)";
    }
  }
  take_time_event(update);
  check_sizes(starting);
  forget_place();
  if (failure_ == nullptr) {
    take(instance_->enter_continuous_time_mode(), "enter continuous-time mode");
  }
  if (failure_ == nullptr && states_changed && !x.empty()) {
    take(instance_->get_states(x), "get continuous states");
  }
  if (failure_ == nullptr && nominals_changed && !x.empty()) {
    take(instance_->get_nominals(nominals_), "get nominals");
  }
  if (failure_ == nullptr && !z_.empty()) {
    take(instance_->get_event_indicators(z_), "get event indicators");
    std::ranges::transform(z_, sides_.begin(), side_of);
  }
  if (failure_ != nullptr) std::ranges::fill(x, nan);
}

void ModelExchange::take_time_event(const DiscreteUpdate& update) noexcept {
  timed_ = update.timed;
  next_time_ = update.next_time;
  const bool ahead = !timed_ || next_time_ > t_;
  not_ahead_ = ahead ? 0 : not_ahead_ + 1;
  if (not_ahead_ < std::max(1, layout_->caps.zero_advance.most)) return;
  ++cap_counts_.zero_advance;
  if (layout_->caps.zero_advance.stop && failure_ == nullptr) {
    failure_ =
        "update discrete states (time events that do not lie ahead: model.caps.zero_advance)";
  }
}

// Those that are not states; all are NaN when a call fails, or has failed.
void ModelExchange::read_outputs(double t, In x, In u, Out y) noexcept {
  bool fine = place(t, x, u);
  for (Group& g : read_) {
    fine = fine && take(instance_->get(g), "get outputs");
    const double* value = g.values.data();
    for (const std::size_t p : g.places) y[p] = *value++;
  }
  if (!fine) fill_with_nan(y);
}

void ModelExchange::event_functions(double t, In x, In u, Out g) noexcept {
  if (g.empty()) return;  // an FMU without indicators need not bear to be asked
  if (!place(t, x, u) || !take(instance_->get_event_indicators(g), "get event indicators")) {
    std::ranges::fill(g, nan);
  }
}

void ModelExchange::jacobian(double t, In x, In u, In dx, Out j) noexcept {
  if (layout_->directional_derivatives) return jacobian_by_directions(t, x, u, j);
  jacobian_by_differences(t, x, u, dx, j);
}

void ModelExchange::jacobian_by_directions(double t, In x, In u, Out j) noexcept {
  const std::size_t n = x.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (place(t, x, u)) {
      take(instance_->get_directional_derivative(layout_->derivative_refs, layout_->state_refs[k],
                                                 column_),
           "get directional derivative");
    }
    for (std::size_t i = 0; i < n; ++i) j[i * n + k] = failure_ == nullptr ? column_[i] : nan;
  }
}

void ModelExchange::jacobian_by_differences(double t, In x, In u, In dx, Out j) noexcept {
  const std::size_t n = x.size();
  std::ranges::fill(j, 0.0);
  std::ranges::copy(x, moved_.begin());
  for (const auto& together : layout_->colouring.states) {
    for (const std::size_t k : together) moved_[k] = x[k] + numerics::moved_by(x[k], nominals_[k]);
    derivatives(t, moved_, u, there_);
    for (const std::size_t k : together) {
      const double by = moved_[k] - x[k];
      moved_[k] = x[k];
      for (const std::size_t i : layout_->colouring.rows[k]) {
        j[i * n + k] = (there_[i] - dx[i]) / by;
      }
    }
  }
}

bool ModelExchange::crossed(std::size_t index) const noexcept {
  return side_of(z_[index]) != sides_[index];
}

bool ModelExchange::crossed_unseen(double t, In x) noexcept {
  if (failure_ != nullptr) return false;
  event_functions(t, x, held_, z_);
  bool any = false;
  for (std::size_t i = 0; i < z_.size(); ++i) any = any || crossed(i);
  return any;
}

// As many as there is room for: the sizes are those of the description, and stay.
void ModelExchange::check_sizes(bool starting) noexcept {
  std::size_t count = x_.size();
  if (failure_ != nullptr || !take(instance_->count_states(count), "get number of states")) return;
  if (count != x_.size()) {
    failure_ = starting ? "get number of states (it is not that of its description)"
                        : "get number of states (it is not what it was at load)";
    return;
  }
  count = z_.size();
  if (!starting || !take(instance_->count_event_indicators(count), "get number of indicators")) {
    return;
  }
  if (count != z_.size()) {
    failure_ = "get number of event indicators (it is not that of its description)";
  }
}

bool ModelExchange::carry_across(std::size_t index, double t, Out x, In u) noexcept {
  if (failure_ != nullptr || x.empty()) return false;
  event_functions(t, x, u, z_);
  if (crossed(index)) return true;
  derivatives(t, x, u, there_);
  const double before = z_[index];
  const auto look = [&](double by) {
    for (std::size_t i = 0; i < x.size(); ++i) moved_[i] = x[i] + by * there_[i];
    event_functions(t, moved_, u, z_);
  };
  constexpr double probe = 1e-9;
  look(probe);
  const double slope = (z_[index] - before) / probe;
  if (!(before > 0 ? slope < 0 : slope > 0)) return false;
  // Where the straight line crosses, and then a little further: rounding alone may be between.
  double more = 1e-16;
  for (int tries = 0; tries < 8 && failure_ == nullptr; ++tries, more *= 8) {
    look(-before / slope + more);
    if (!crossed(index)) continue;
    std::ranges::copy(moved_, x.begin());
    return true;
  }
  return false;
}

void ModelExchange::handle_event(double t, Out x, In u) noexcept {
  if (failure_ != nullptr) return std::ranges::fill(x, nan), void();
  if (place(t, x, u)) take(instance_->enter_event_mode(), "enter event mode");
  set_groups(discrete_, u);
  for (const Group& g : discrete_) {
    for (const std::size_t p : g.places) held_[p] = u[p];
  }
  set_parameters(false);
  if (failure_ != nullptr) return fill_with_nan(x);  // it is not in event mode, or all is over
  iterate_events(x, false);
}

void ModelExchange::set_parameter(std::size_t index, double value) noexcept {
  parameters_[index] = value;
  const std::size_t group = layout_->group_of_parameter[index];
  changed_[group] = 1;
  waiting_ = waiting_ || (started_ && layout_->tunable[group]);
}

SimTime ModelExchange::next_time_event(SimTime t) const noexcept {
  if (!timed_ || next_time_ >= 9e9) return model::never;
  const SimTime next{static_cast<std::int64_t>(std::llround(next_time_ * 1e9))};
  return std::max(next, t + Duration{1});
}

// Its own time event, which lies at most a nanosecond off: or, after a hundred days, what seconds
// can tell.
double ModelExchange::exact_time(double t) const noexcept {
  constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
  return timed_ && std::abs(t - next_time_) <= 1e-9 + rounding * std::abs(t) ? next_time_ : t;
}

}  // namespace hild::fmi
