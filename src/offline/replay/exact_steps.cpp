// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/exact_steps.hpp"

#include <cmath>

namespace hild::replay {
namespace {

class Stepping {
 public:
  Stepping(const plan::Assembly& assembly, const WholeRun& run, const std::vector<EventAt>& events)
      : plant_(assembly.another_plant()),
        inputs_(run.inputs),
        events_(events),
        u_(assembly.config.model.description.inputs.size()) {}

  /// From tick to tick, cut where something happens.
  void frame(SimTime t, SimTime end) {
    change(t);
    while (t < end) {
      const SimTime timed = plant_->system().next_time_event(t);
      const SimTime event = next_event();
      const SimTime next = std::max(t, std::min({end, timed, event}));
      if (next > t) step(t, next - t);
      if (timed == next) {
        plant_->system().on_time_event(seconds(next), plant_->states(), at(next, next));
        plant_->restart(model::Restart::here);
      }
      while (event <= next && next_event() <= next) act(next);
      t = next;
    }
  }
  [[nodiscard]] std::span<const double> states() const { return plant_->states(); }

 private:
  [[nodiscard]] SimTime next_event() const {
    if (next_event_ == events_.size()) return model::never;
    return {std::llround(events_[next_event_].t * 1e9)};
  }
  void act(SimTime t) {
    plant_->system().on_event(events_[next_event_++].index, seconds(t), plant_->states(), at(t, t));
    plant_->restart(model::Restart::here);
  }
  std::span<const double> at(SimTime t, SimTime piece) {
    inputs_.at(seconds(t), piece, u_);
    return u_;
  }
  void step(SimTime t, Duration h) {
    const model::Passes& passes = plant_->begin(t, h);
    for (int i = 0; i < passes.count(); ++i) {
      const double part = passes.nodes[static_cast<std::size_t>(i)];
      const SimTime node = t + Duration{std::llround(part * static_cast<double>(h.ns))};
      plant_->pass(i, at(node, node));
    }
    plant_->finish();
  }
  void change(SimTime t) {
    inputs_.enter(t, plant_->system());
    for (const auto& s : inputs_.settings()) {
      if (s.t == t && s.restart) plant_->restart(model::Restart::here);
    }
  }

  std::unique_ptr<model::Stepper> plant_;
  const RecordedInputs& inputs_;
  const std::vector<EventAt>& events_;
  std::size_t next_event_ = 0;
  std::vector<double> u_;
};

}  // namespace

Result<Trajectory> exact_steps(const plan::Assembly& assembly, const WholeRun& run,
                               const std::vector<EventAt>& events) {
  const Grid& grid = assembly.config.settings.grid;
  Stepping stepping(assembly, run, events);
  Trajectory all;
  all.size = run.states.size;
  all.add(0, stepping.states());
  for (std::int64_t n = 0; n < run.frames; ++n) {
    stepping.frame(SimTime{} + grid.tick(n), SimTime{} + grid.tick(n + 1));
    all.add(n + 1, stepping.states());
  }
  return all;
}

}  // namespace hild::replay
