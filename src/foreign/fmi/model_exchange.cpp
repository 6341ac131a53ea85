// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/model_exchange.hpp"

#include <algorithm>
#include <limits>

namespace hild::fmi {

ModelExchange::ModelExchange(std::shared_ptr<const Layout> layout,
                             std::unique_ptr<Instance> instance)
    : layout_(std::move(layout)),
      fmu_(*layout_, std::move(instance)),
      at_(layout_->states.size()),
      inputs_(*layout_),
      read_(layout_->outputs_read),
      parameters_(*layout_),
      indicators_(layout_->events.size()),
      nominals_(layout_->nominals),
      moved_(layout_->states.size()),
      slope_(layout_->states.size()) {}

void ModelExchange::fill_with_nan(Out values) noexcept {
  std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
}

void ModelExchange::start(Out x) noexcept {
  time_events_ = {};
  fmu_.reset();
  parameters_.set_at_start(fmu_);
  inputs_.start(*layout_, fmu_);
  if (!fmu_.initialise()) return fill_with_nan(x);
  iterate_events(0, x, true);
}

void ModelExchange::transfer(Archive& archive) noexcept {
  if (fmu_.failed()) return archive.refuse("the FMU has failed");
  fmu_->transfer(archive);
  archive(parameters_, inputs_, at_, indicators_, time_events_, nominals_);
}

// Entered in event mode, left in continuous-time mode.
void ModelExchange::iterate_events(double t, Out x, bool starting) noexcept {
  DiscreteUpdate update = update_discrete_states();
  if (starting) update.states_changed = update.nominals_changed = true;
  take_time_event(update, t);
  check_sizes(starting);
  at_.forget();
  inputs_.forget();
  if (!leave_event_mode(update, x)) fill_with_nan(x);
}

bool ModelExchange::leave_event_mode(const DiscreteUpdate& update, Out x) noexcept {
  if (fmu_.failed() ||
      !fmu_.take(fmu_->enter_continuous_time_mode(), "enter continuous-time mode")) {
    return false;
  }
  if (update.states_changed && !x.empty() &&
      !fmu_.take(fmu_->get_states(x), "get continuous states")) {
    return false;
  }
  if (update.nominals_changed && !x.empty() &&
      !fmu_.take(fmu_->get_nominals(nominals_), "get nominals")) {
    return false;
  }
  if (indicators_.empty()) return true;
  if (!fmu_.get_event_indicators(indicators_.values())) return false;
  indicators_.settle();
  return true;
}

// As often as the FMU asks for it and the caps allow: the last update, with what any of them has
// changed.
DiscreteUpdate ModelExchange::update_discrete_states() noexcept {
  DiscreteUpdate all;
  int n = 0;
  do {
    DiscreteUpdate update;
    const bool fine = fmu_.take(fmu_->update_discrete_states(update), "update discrete states");
    if (fine && update.terminate) fmu_.fail("update discrete states (it asks to terminate)");
    update.states_changed = update.states_changed || all.states_changed;
    update.nominals_changed = update.nominals_changed || all.nominals_changed;
    all = update;
  } while (all.again && !fmu_.failed() && ++n < layout_->caps.event_iterations.most);
  if (all.again && !fmu_.failed()) {
    ++cap_counts_.event_iterations;
    if (layout_->caps.event_iterations.stop) {
      fmu_.fail("update discrete states (more often than model.caps.event_iterations)");
    }
  }
  return all;
}

void ModelExchange::take_time_event(const DiscreteUpdate& update, double t) noexcept {
  const auto& cap = layout_->caps.zero_advance;
  if (time_events_.take(update, t) < std::max(1, cap.most)) return;
  ++cap_counts_.zero_advance;
  if (cap.stop) {
    fmu_.fail(
        "update discrete states (time events that do not lie ahead: model.caps.zero_advance)");
  }
}

// Those that are not states; all are NaN when a call fails, or has failed.
void ModelExchange::read_outputs(double t, In x, In u, Out y) noexcept {
  place(t, x, u);
  fmu_.read(read_, y);
}

void ModelExchange::event_functions(double t, In x, In u, Out g) noexcept {
  if (g.empty()) return;  // an FMU without indicators need not bear to be asked
  if (!place(t, x, u) || !fmu_.get_event_indicators(g)) fill_with_nan(g);
}

void ModelExchange::directional_derivative(std::span<const ValueReference> states, In by, double t,
                                           In x, In u, Out column) noexcept {
  if (!place(t, x, u) ||
      !fmu_.take(fmu_->get_directional_derivative(layout_->derivative_refs, states, by, column),
                 "get directional derivative")) {
    fill_with_nan(column);
  }
}

bool ModelExchange::crossed_unseen(double t, In x) noexcept {
  if (fmu_.failed()) return false;
  event_functions(t, x, inputs_.held(), indicators_.values());
  return indicators_.any_crossed();
}

// As many as there is room for: the sizes are those of the description, and stay.
void ModelExchange::check_sizes(bool starting) noexcept {
  const std::size_t states = layout_->states.size();
  std::size_t count = states;
  if (fmu_.failed() || !fmu_.take(fmu_->count_states(count), "get number of states")) return;
  if (count != states) {
    return fmu_.fail(starting ? "get number of states (it is not that of its description)"
                              : "get number of states (it is not what it was at load)");
  }
  count = layout_->events.size();
  if (!starting || !fmu_.take(fmu_->count_event_indicators(count), "get number of indicators")) {
    return;
  }
  if (count != layout_->events.size()) {
    fmu_.fail("get number of event indicators (it is not that of its description)");
  }
}

bool ModelExchange::carry_across(std::size_t index, double t, Out x, In u) noexcept {
  if (fmu_.failed() || x.empty()) return false;
  event_functions(t, x, u, indicators_.values());
  if (indicators_.crossed(index)) return true;
  derivatives(t, x, u, slope_);
  const double before = indicators_[index];
  const auto look = [&](double by) {
    for (std::size_t i = 0; i < x.size(); ++i) moved_[i] = x[i] + by * slope_[i];
    event_functions(t, moved_, u, indicators_.values());
  };
  constexpr double probe = 1e-9;
  look(probe);
  const double slope = (indicators_[index] - before) / probe;
  if (!(before > 0 ? slope < 0 : slope > 0)) return false;
  // Where the straight line crosses, and then a little further: rounding alone may be between.
  double more = 1e-16;
  for (int tries = 0; tries < 8 && !fmu_.failed(); ++tries, more *= 8) {
    look(-before / slope + more);
    if (!indicators_.crossed(index)) continue;
    std::ranges::copy(moved_, x.begin());
    return true;
  }
  return false;
}

void ModelExchange::handle_event(double t, Out x, In u) noexcept {
  if (place(t, x, u)) fmu_.take(fmu_->enter_event_mode(), "enter event mode");
  inputs_.give_discrete(u, fmu_);
  parameters_.set_changed(fmu_);
  if (fmu_.failed()) return fill_with_nan(x);  // it is not in event mode, or all is over
  iterate_events(t, x, false);
}

}  // namespace hild::fmi
