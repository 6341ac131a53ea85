// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several plants as one: each with its own model, method and rate, their passes on one thread.
///
/// At the start of every step (of the whole: a frame, or two) connect() brings outputs to the
/// inputs they feed, in the order that direct feedthrough asks for. From there to the end of the
/// step every model is on its own: what it gets of the others holds, or is the polynomial through
/// their last values. So a state event in one of them is found by steps of that one alone.
///
///   a step a frame    its passes are passes of the whole, each at its node
///   substeps          a step is a pass of the whole, with all its own passes in it
///   every so many     each of its passes is in the frame that its node lies in, with all of the
///   frames            other slow models in the first pass of the whole; its outputs hold meanwhile
///
/// Real-time safe after construction, as far as the plants are.
#pragma once

#include <array>
#include <cmath>
#include <memory>

#include "coupled/composition.hpp"
#include "coupled/history.hpp"
#include "coupled/slow_step.hpp"

namespace hild::coupled {

/// `frames`: steps as above. `continuous`: not to be stepped; derivatives and event functions are
/// those of the models connected without steps, delays and rates, for a reference.
enum class Coupling { frames, continuous };

class CoupledPlant final : public model::Plant {
 public:
  /// One plant for each part, under its method. Precondition: the composition has no loop.
  CoupledPlant(std::shared_ptr<const Composition> composition,
               std::vector<std::unique_ptr<model::Plant>> plants, const Grid& grid,
               Coupling coupling = Coupling::frames);

  [[nodiscard]] const model::Description& description() const noexcept override {
    return composition_->description();
  }
  [[nodiscard]] const numerics::Method& method() const noexcept override {
    return composition_->method();
  }
  [[nodiscard]] bool compiled_together() const noexcept override;

  void set_initial(In states) override;
  void reset() noexcept override;
  void set_states(In states) noexcept override;
  void set_parameter(std::size_t index, double value) noexcept override;
  [[nodiscard]] double parameter(std::size_t index) const noexcept override;

  [[nodiscard]] bool connects() const noexcept override { return true; }
  void connect(SimTime t, Out u) noexcept override;
  void reconnect(Out u) const noexcept override;
  [[nodiscard]] int cycle() const noexcept override { return composition_->cycle(); }

  void begin(SimTime t, Duration h) noexcept override;
  [[nodiscard]] int passes() const noexcept override { return static_cast<int>(slots_used_); }
  [[nodiscard]] double node(int pass) const noexcept override {
    return slots_[static_cast<std::size_t>(pass)].node;
  }
  [[nodiscard]] bool starting() const noexcept override { return starting_; }
  void pass(int pass, In u) noexcept override;
  void finish() noexcept override;
  bool error_estimate(Out error) const noexcept override;
  void advance(SimTime t, Duration h, int steps, In u) noexcept override;
  void rewind() noexcept override;
  void restart() noexcept override;

  [[nodiscard]] In states() const noexcept override;
  [[nodiscard]] In start_states() const noexcept override;
  [[nodiscard]] In start_derivatives() const noexcept override;
  void derivatives(double t, In x, In u, Out dx) noexcept override;
  void outputs(double t, In u, Out y) noexcept override;
  void event_functions(double t, In x, In u, Out g) noexcept override;
  void on_event(std::size_t index, double t, In u) noexcept override;
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override;
  void on_time_event(double t, In u) noexcept override;
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return any_cut_short_ ? &cap_counts_ : nullptr;
  }
  [[nodiscard]] const model::CapCounts* cap_counts_of(std::size_t part) const noexcept override {
    return members_[part].plant->cap_counts();
  }
  [[nodiscard]] std::uint32_t event_by(std::size_t index) const noexcept override {
    return bit_of(event_owner_[index]);
  }
  [[nodiscard]] std::uint32_t time_event_by(SimTime t) const noexcept override;
  [[nodiscard]] const char* failed_function() const noexcept override;

 private:
  enum class Pace : unsigned char { frame, substeps, slow };
  struct Member {
    std::unique_ptr<model::Plant> plant;
    Places first;
    std::size_t inputs, outputs, states, parameters, events;
    Pace pace;
    Rate rate;
    History history;
    SlowStep slow;
    std::vector<std::size_t> fed_by{};  // connections
    bool acted = false;                 // an event of it did, and its method is to restart
    bool timed = false;
  };
  struct Slot {
    double node = 0;
    std::size_t member = 0;  // none of them: all slow ones
    int pass = 0;            // or substep
  };
  static constexpr std::size_t slow_ones = static_cast<std::size_t>(-1);

  template <class T>
  [[nodiscard]] static std::span<T> of(std::span<T> all, std::size_t first,
                                       std::size_t n) noexcept {
    return all.subspan(first, n);
  }
  [[nodiscard]] static std::uint32_t bit_of(std::size_t member) noexcept {
    return member < 32 ? std::uint32_t{1} << member : 0;
  }
  [[nodiscard]] std::span<const double> inputs_of(const Member& m) const noexcept {
    return std::span(u_).subspan(m.first.inputs, m.inputs);
  }
  [[nodiscard]] std::span<double> outputs_of(const Member& m) noexcept {
    return std::span(y_).subspan(m.first.outputs, m.outputs);
  }
  [[nodiscard]] bool takes_part(const Member& m) const noexcept {
    return m.pace == Pace::frame && (!again_ || m.events > 0);
  }
  [[nodiscard]] SimTime instant_of(double t) const noexcept;
  void list_passes() noexcept;
  void insert(const Slot& slot) noexcept;
  void substep(Member& m, int j, In u) noexcept;
  void slow_passes(Member& m, In u) noexcept;
  void give(Member& m, SimTime t, In u) noexcept;
  void evaluate(const Schedule& schedule, SimTime t) noexcept;
  void evaluate(Member& m, SimTime t) noexcept;
  void count_cut_short() noexcept;
  [[nodiscard]] double supplied(std::size_t connection, SimTime t, SimTime step) const noexcept;
  [[nodiscard]] double of_now(std::size_t connection, SimTime t) const noexcept;
  void resolve(double t, In x, In u) noexcept;
  void forget() noexcept;
  [[nodiscard]] SimTime event_of(const Member& m, SimTime t) const noexcept;

  std::shared_ptr<const Composition> composition_;
  Coupling coupling_;
  std::vector<Member> members_;
  std::vector<std::size_t> source_;         // of each connection, the member
  std::vector<std::size_t> source_output_;  // and its output there
  std::vector<std::size_t> owner_;          // of each parameter, the member
  std::vector<std::size_t> event_owner_;
  std::vector<double> given_;  // of each connection, what connect() gave
  std::vector<double> u_, y_;
  std::vector<double> sampled_;  // for who connects nothing itself
  mutable std::vector<double> x_, x0_, f0_;
  std::vector<Slot> slots_;
  std::size_t slots_used_ = 0;
  bool listed_ = false;  // slots_ are those of an ordinary step
  bool any_slow_ = false;
  bool any_cut_short_ = false;
  bool starting_ = false;
  bool again_ = false;  // only models with events step: up to one, or on from it
  bool rewound_ = false;
  SimTime connected_at_{};
  bool connected_ = false;   // and no step has begun since
  mutable SimTime asked_{};  // for the time event after it
  SimTime t_{};
  SimTime end_{};  // of the whole step
  Duration h_{};
  model::CapCounts cap_counts_;
  mutable std::array<char, 192> failed_{};  // the model and its function
};

}  // namespace hild::coupled
