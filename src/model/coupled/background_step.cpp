// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/background_step.hpp"

#include <algorithm>
#include <utility>

#include "hild/core/copy_values.hpp"

namespace hild::coupled {

BackgroundStep::BackgroundStep(model::Stepper& stepper, std::size_t most_passes)
    : stepper_(&stepper),
      inputs_(stepper.description().inputs.size()),
      capped_(stepper.system().cap_counts() != nullptr),
      feeds_through_(!stepper.description().feedthrough ||
                     !stepper.description().feedthrough->empty()),
      rows_{.values = std::vector<double>((most_passes + 1) * inputs_)},
      y_(stepper.description().outputs.size()),
      shown_{.states = std::vector<double>(stepper.description().states.size())} {
  later_.set.reserve(stepper.description().parameters.size());
  later_.states.resize(shown_.states.size());
  next_.u.resize(inputs_);
  next_.between.resize(inputs_);
}

void BackgroundStep::begin(SimTime start, SimTime end) noexcept {
  const model::System& system = stepper_->system();
  end_ = end;
  event_ = model::never;
  if (stepper_->description().time_events) {
    const SimTime due = system.next_time_event(start);
    if (due <= end) event_ = due;
  }
  if (capped_) shown_.caps = *system.cap_counts();
  copy_values(stepper_->states(), shown_.states.data());
  passes_ = &stepper_->begin(start, end - start);
  rows_.given = rows_.run = 0;
  acted_ = false;
  runs_ = true;
}

void BackgroundStep::run_next() noexcept {
  const int k = rows_.run++;
  const In u = row(k);
  if (k < passes_->count()) return stepper_->pass(k, u);
  stepper_->finish();
  if (event_ != model::never) {
    stepper_->system().on_time_event(seconds(end_), stepper_->states(), u);
    stepper_->restart(model::Restart::here);
    acted_ = true;
  }
  stepper_->outputs(seconds(end_), u, y_);
}

bool BackgroundStep::end() noexcept {
  runs_ = false;
  model::System& system = stepper_->system();
  shown_.failed = system.failed_function();
  if (capped_) shown_.caps = *system.cap_counts();
  for (const Set& one : later_.set) system.set_parameter(one.parameter, one.value);
  later_.set.clear();
  const auto restart = std::exchange(later_.restart, std::nullopt);
  if (!restart) return true;
  if (std::exchange(later_.from_start, false)) system.start(stepper_->states());
  if (*restart != model::Restart::from_start) {
    copy_values(later_.states, stepper_->states().data());
  }
  stepper_->restart(*restart);
  return false;
}

void BackgroundStep::start_with(In y) noexcept { copy_values(y, y_.data()); }

void BackgroundStep::give(In u) noexcept { std::ranges::copy(u, row(rows_.given++).begin()); }

void BackgroundStep::set_parameter(std::size_t index, double value) noexcept {
  const auto set = std::ranges::find(later_.set, index, &Set::parameter);
  if (set != later_.set.end()) {
    set->value = value;
  } else {
    later_.set.push_back({index, value});  // within what is reserved
  }
}

double BackgroundStep::parameter(std::size_t index) const noexcept {
  const auto set = std::ranges::find(later_.set, index, &Set::parameter);
  return set != later_.set.end() ? set->value : stepper_->system().parameter(index);
}

void BackgroundStep::set_states(In x, model::Restart from) noexcept {
  copy_values(x, later_.states.data());
  later_.from_start = later_.from_start || from == model::Restart::from_start;
  later_.restart = from;
}

void BackgroundStep::note_next(SimTime start, In u) noexcept {
  next_.start = start;
  std::ranges::copy(u, next_.u.begin());
}

BackgroundStep::In BackgroundStep::since_next(SimTime now, In u, SimTime node) noexcept {
  const double theta =
      static_cast<double>((node - next_.start).ns) / static_cast<double>((now - next_.start).ns);
  for (std::size_t i = 0; i < inputs_; ++i) {
    next_.between[i] = next_.u[i] + theta * (u[i] - next_.u[i]);
  }
  return next_.between;
}

}  // namespace hild::coupled
