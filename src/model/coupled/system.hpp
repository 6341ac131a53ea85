// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several systems as one, with the states, parameters and so on of all, in the order of the
/// models. Real-time safe after construction, as far as the systems are.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hild/model/system.hpp"
#include "model/coupled/composition.hpp"
#include "model/coupled/loop_solver.hpp"

namespace hild::coupled {

/// The functions that do not depend on how the systems are connected.
class ComposedSystem : public model::System {
 public:
  [[nodiscard]] const model::Description& description() const noexcept override {
    return composition_->description();
  }
  void set_initial(In states) override;
  void start(Out x) noexcept override;
  void set_parameter(std::size_t index, double value) noexcept override;
  [[nodiscard]] double parameter(std::size_t index) const noexcept override;
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override;
  [[nodiscard]] const char* failed_function() const noexcept override;

  /// What a part has cut short; null: it never does.
  [[nodiscard]] virtual const model::CapCounts* caps_of(std::size_t part) const noexcept {
    return systems_[part]->cap_counts();
  }

 protected:
  /// `systems` has one for each part; they outlive it. Precondition: the composition has no loop.
  ComposedSystem(std::shared_ptr<const Composition> composition,
                 std::vector<model::System*> systems);

  /// The function of a part that failed; null while none has.
  [[nodiscard]] virtual const char* failed_in(std::size_t part) const noexcept {
    return systems_[part]->failed_function();
  }
  /// How often values in algebraic loops were not found.
  [[nodiscard]] virtual std::int64_t unsolved() const noexcept { return 0; }
  [[nodiscard]] const Composition& composition() const noexcept { return *composition_; }
  [[nodiscard]] std::span<model::System* const> systems() const noexcept { return systems_; }
  /// The states of one part.
  template <class T>
  [[nodiscard]] std::span<T> states_of(std::size_t part, std::span<T> x) const noexcept {
    return x.subspan(composition_->places(part).states,
                     composition_->parts()[part].description.states.size());
  }
  template <class T>
  [[nodiscard]] std::span<T> events_of(std::size_t part, std::span<T> g) const noexcept {
    return g.subspan(composition_->places(part).events,
                     composition_->parts()[part].description.events.size());
  }

 private:
  std::shared_ptr<const Composition> composition_;
  std::vector<model::System*> systems_;
  bool any_capped_ = false;
  mutable model::CapCounts cap_counts_;     // of all
  mutable std::array<char, 192> failed_{};  // the model and its function that failed
};

/// Systems connected at every instant, without steps, delays and rates: for a reference.
class ContinuousSystem final : public ComposedSystem {
 public:
  /// One system for each part. Precondition: no connection is delayed, and there is no loop.
  ContinuousSystem(std::shared_ptr<const Composition> composition,
                   std::vector<std::unique_ptr<model::System>> systems);

  void connect(double t, In x, Out u) noexcept override;
  void derivatives(double t, In x, In u, Out dx) noexcept override;
  void outputs(double t, In x, In u, Out y) noexcept override;
  void event_functions(double t, In x, In u, Out g) noexcept override;
  void on_event(std::size_t index, double t, Out x, In u) noexcept override;
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override;
  void on_time_event(double t, Out x, In u) noexcept override;

 private:
  [[nodiscard]] std::int64_t unsolved() const noexcept override { return unsolved_; }
  void evaluate(const Schedule& schedule, double t, In x) noexcept;
  void settle(const Schedule& schedule, double t, In x) noexcept;
  void resolve(double t, In x, In u) noexcept;
  [[nodiscard]] In inputs_of(std::size_t part) const noexcept;

  std::vector<std::unique_ptr<model::System>> owned_;
  std::vector<double> u_, y_;
  LoopSolver solver_;
  std::vector<double> closing_;  // values of the connections that close loops, as they were last
  std::int64_t unsolved_ = 0;
  mutable SimTime asked_{};  // time after which the time event was asked for
};

}  // namespace hild::coupled
