// SPDX-License-Identifier: Apache-2.0
#include "examine/tour.hpp"

#include <algorithm>

namespace hild::examine {

Tour::Tour(model::Plant& plant, const Options& options, Examination& result)
    : plant_(plant),
      options_(options),
      watch_(result, options),
      d_(plant.description()),
      y_(d_.outputs.size()),
      g_(d_.events.size()),
      j_(d_.states.size() * d_.states.size()) {
  for (const auto& input : d_.inputs) u_.push_back(input.start);
  if (plant.connects()) {
    watch_.take_turns(std::min(plant.passes() * plant.cycle(), options.steps / 10));
  }
}

void Tour::run() {
  plant_.reset();
  SimTime t{};
  for (int n = 0; n < options_.steps; ++n) {
    step(t);
    // At the start, and once under way.
    if (n == 0 || n == options_.steps / 2) rare_calls(t + options_.frame);
    t += options_.frame;
  }
  watch_.finish();
}

void Tour::step(SimTime t) {
  const double end = seconds(t + options_.frame);
  if (plant_.connects()) watch_.call(Function::outputs, [&] { plant_.connect(t, u_); });
  watch_.call(Function::derivatives, [&] {
    plant_.begin(t, options_.frame);
    plant_.pass(0, u_);
  });
  const int passes = plant_.passes();
  for (int i = 1; i < passes; ++i) {
    watch_.call(Function::derivatives, [&] { plant_.pass(i, u_); });
  }
  watch_.end_step(passes);
  plant_.finish();
  watch_.look_at(Function::derivatives, plant_.states(), d_.states);
  watch_.call(Function::outputs, [&] { plant_.outputs(end, u_, y_); });
  watch_.look_at(Function::outputs, y_, d_.outputs);
  if (!g_.empty()) {
    watch_.call(Function::event_functions,
                [&] { plant_.event_functions(end, plant_.states(), u_, g_); });
    watch_.look_at(Function::event_functions, g_, d_.events);
  }
  if (d_.time_events) {
    watch_.call(Function::next_time_event, [&] { (void)plant_.next_time_event(t); });
  }
}

// Events are acted upon where they need not lie, so that what comes of it is taken back.
void Tour::rare_calls(SimTime t) {
  const std::vector<double> x(plant_.states().begin(), plant_.states().end());
  std::vector<double> p;
  for (std::size_t i = 0; i < d_.parameters.size(); ++i) p.push_back(plant_.parameter(i));

  watch_.call(Function::jacobian, [&] { (void)plant_.jacobian(seconds(t), x, u_, j_); });
  for (std::size_t i = 0; i < d_.events.size(); ++i) {
    watch_.call(Function::on_event, [&] { plant_.on_event(i, seconds(t), u_); });
  }
  if (d_.time_events) {
    watch_.call(Function::on_time_event, [&] { plant_.on_time_event(seconds(t), u_); });
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    watch_.call(Function::set_parameter, [&] { plant_.set_parameter(i, p[i]); });
  }
  plant_.set_states(x);
}

}  // namespace hild::examine
