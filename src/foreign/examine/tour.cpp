// SPDX-License-Identifier: Apache-2.0
/// All calls that a run may make of a model, the rare ones included, under a watch.
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "foreign/examine/watch.hpp"

namespace hild::examine {
namespace {

class Tour {
 public:
  Tour(model::Stepper& plant, const ExaminationOptions& options, Examination& result)
      : plant_(plant),
        options_(options),
        result_(result),
        watch_(plant, result, options),
        d_(plant.description()),
        y_(d_.outputs.size()),
        g_(d_.events.size()),
        j_(d_.states.size() * d_.states.size()),
        in_a_row_(d_.events.size()) {
    for (const auto& input : d_.inputs) u_.push_back(input.start);
    if (plant.models() != nullptr) {
      const int round = plant.method().passes * plant.models()->cycle();
      watch_.take_turns(std::min(round, options.steps / 10));
    }
  }

  void run() {
    go();
    watch_.again();
    go();
    watch_.finish();
  }

 private:
  void go() {
    plant_.reset();
    g_before_.clear();
    std::ranges::fill(in_a_row_, 0);
    SimTime t{};
    for (int n = 0; n < options_.steps; ++n) {
      step(t);
      // At the start, and once under way.
      if (n == 0 || n == options_.steps / 2) rare_calls(t + options_.frame);
      t += options_.frame;
    }
  }

  void step(SimTime t) {
    const double end = seconds(t + options_.frame);
    if (plant_.models() != nullptr)
      watch_.call(Function::outputs, [&] { plant_.models()->connect(t, u_); });
    int passes = plant_.method().passes;
    // With the last one the end of the step, in which an FMU is told that it is over.
    for (int i = 0; i < passes; ++i) {
      watch_.call(Function::derivatives, [&] {
        if (i == 0) passes = plant_.begin(t, options_.frame).count();
        plant_.pass(i, u_);
        if (i + 1 == passes) plant_.finish();
      });
    }
    watch_.end_step(passes);
    watch_.look_at(Function::derivatives, plant_.states(), d_.states);
    watch_.call(Function::outputs, [&] { plant_.outputs(end, u_, y_); });
    watch_.look_at(Function::outputs, y_, d_.outputs);
    if (!g_.empty()) {
      watch_.call(Function::event_functions,
                  [&] { plant_.system().event_functions(end, plant_.states(), u_, g_); });
      watch_.look_at(Function::event_functions, g_, d_.events);
      events(end);
    }
    if (d_.time_events) {
      watch_.call(Function::next_time_event, [&] { (void)plant_.system().next_time_event(t); });
    }
  }

  // As a run does, but for finding out where in the step it was.
  void events(double t) {
    bool acted = false;
    for (std::size_t i = 0; i < g_.size() && !g_before_.empty(); ++i) {
      const model::Crossing crossing = d_.events[i].crossing;
      const bool rises = g_before_[i] < 0 && g_[i] >= 0 && crossing != model::Crossing::falling;
      const bool falls = g_before_[i] > 0 && g_[i] <= 0 && crossing != model::Crossing::rising;
      in_a_row_[i] = rises || falls ? in_a_row_[i] + 1 : 0;
      if (in_a_row_[i] == 0) continue;
      watch_.call(Function::on_event, [&] { plant_.system().on_event(i, t, plant_.states(), u_); });
      acted = true;
      if (in_a_row_[i] <= result_.events_in_a_row) continue;
      result_.events_in_a_row = in_a_row_[i];
      result_.chattering = d_.events[i].name;
    }
    if (acted) {
      plant_.restart(model::Restart::here);
      plant_.system().event_functions(t, plant_.states(), u_, g_);
    }
    g_before_ = g_;
  }

  // Events are acted upon where they need not lie, so that what comes of it is taken back.
  void rare_calls(SimTime t) {
    const std::vector<double> x(plant_.states().begin(), plant_.states().end());
    std::vector<double> p;
    for (std::size_t i = 0; i < d_.parameters.size(); ++i)
      p.push_back(plant_.system().parameter(i));

    watch_.call(Function::jacobian, [&] { (void)plant_.system().jacobian(seconds(t), x, u_, j_); });
    for (std::size_t i = 0; i < d_.events.size(); ++i) {
      watch_.call(Function::on_event,
                  [&] { plant_.system().on_event(i, seconds(t), plant_.states(), u_); });
    }
    if (d_.time_events) {
      watch_.call(Function::on_time_event,
                  [&] { plant_.system().on_time_event(seconds(t), plant_.states(), u_); });
    }
    for (std::size_t i = 0; i < p.size(); ++i) {
      watch_.call(Function::set_parameter, [&] { plant_.system().set_parameter(i, p[i]); });
    }
    plant_.set_states(x);
  }

  model::Stepper& plant_;
  const ExaminationOptions& options_;
  Examination& result_;
  CallWatch watch_;
  const model::Description& d_;
  std::vector<double> u_, y_, g_, j_;
  std::vector<double> g_before_;  // at the end of the step before, after the events in it
  std::vector<long> in_a_row_;    // for each event, consecutive steps in which it was due
};

}  // namespace

void watch_here(model::Stepper& plant, const ExaminationOptions& options, Examination& result) {
  result.end = End::exited;
  std::fflush(stdout);
  // As a run does, and what a process inherits is not locked: pages that the kernel took, or shares
  // with the other process, are not the model's faults.
  ::mlockall(MCL_CURRENT);
  Tour(plant, options, result).run();
  result.end = End::done;
}

}  // namespace hild::examine
