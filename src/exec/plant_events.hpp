// SPDX-License-Identifier: Apache-2.0
/// \file
/// The events of a plant, each of them in the model that has it. Within a step no model sees
/// anything of another but what was connected at its start: so a state event takes back and cuts
/// the step of one model alone, and so does a time event of one of several models, whose step is
/// then taken by itself, after those of the others, with samples that were taken already. Real-time
/// safe after construction.
#pragma once

#include <vector>

#include "exec/state_events.hpp"

namespace hild::exec {

class PlantEvents {
 public:
  /// At most `max_events` of either kind act in a model in a step.
  PlantEvents(model::Stepper& plant, int max_events);

  /// Whether there is anything to do here: state events, or time events of several models. Time
  /// events of a plant of one model cut the step of the whole.
  [[nodiscard]] bool any() const noexcept { return any_; }

  /// As of StateEvents, with the inputs of all models.
  void start(SimTime t, std::span<const double> u) noexcept;
  void follow_time_event(SimTime t, std::span<const double> u) noexcept;
  int act_at_start(SimTime t, std::span<const double> u) noexcept;
  void transfer(Archive& archive) noexcept;
  void note_change() noexcept {
    for (Model& m : models_) m.events.note_change();
  }

  /// Before a step from t to `end`: sets aside the models whose time events cut it.
  void set_aside(SimTime t, SimTime end) noexcept {
    if (timed_) set_timed_aside(t, end);
  }

  struct Found {
    int state_events = 0;
    int time_events = 0;
    int deferred = 0;               ///< state events
    std::uint32_t deferred_by = 0;  ///< a bit for each of the first 32 models that did so
    bool time_events_put_off = false;
    std::uint32_t put_off_by = 0;  ///< likewise

    [[nodiscard]] bool any() const noexcept { return state_events + time_events > 0; }
  };
  /// Processes what happened in the step from t over h, which the plant has just taken, and takes
  /// the steps of the models that were set aside.
  Found process(SimTime t, Duration h, RecordedInputs& inputs) noexcept;
  /// Of a plant of one model, the instants of the first and the last state event that the last
  /// process() acted upon.
  [[nodiscard]] SimTime first() const noexcept { return models_.front().events.first(); }
  [[nodiscard]] SimTime last() const noexcept { return models_.front().events.last(); }

 private:
  // A model that has events.
  struct Model {
    std::size_t part;  // of several
    model::Stepper* stepper;
    StateEvents events;
    bool timed;        // it has time events, and its steps can be cut
    bool cut = false;  // by a time event: it was set aside
    std::vector<double> u;
  };
  class InputsOf;

  void set_timed_aside(SimTime t, SimTime end) noexcept;
  [[nodiscard]] std::span<const double> own(const Model& m, SimTime t,
                                            std::span<const double> u) const noexcept;
  void process_states(Model& m, SimTime t, Duration h, InputsOf& inputs, Found& found) noexcept;
  [[gnu::noinline]] void take_cut(Model& m, SimTime t, SimTime end, InputsOf& inputs,
                                  Found& found) noexcept;
  void act_on_time(Model& m, SimTime t, InputsOf& inputs, Found& found) noexcept;
  void note_event(const Model& m) noexcept;

  model::Composite* composite_;  // null: one model
  int max_events_;
  bool any_ = false;
  bool timed_ = false;            // some models are
  std::vector<Model> models_;     // those with events that are acted on here
  std::int64_t slow_events_ = 0;  // counted already
  std::vector<double> all_;       // inputs of all models
};

}  // namespace hild::exec
