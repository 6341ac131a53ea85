// SPDX-License-Identifier: Apache-2.0
/// The plant of an FMU that brings its own solver: one pass a step, in which it advances itself.
#include <algorithm>
#include <limits>

#include "fmi/exchange.hpp"

namespace hild::fmi {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Of a step: an FMU that stops early, or discards what it cannot do at once, is asked to go on from
// where it is; after this many times the step has failed.
constexpr int most_parts = 8;

class CoSimulation final : public model::Plant {
 public:
  CoSimulation(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance,
               const numerics::Method& method)
      : layout_(std::move(layout)),
        instance_(std::move(instance)),
        method_(&method),
        inputs_(layout_->continuous_inputs),
        read_(layout_->outputs_read),
        groups_(layout_->parameters_set),
        changed_(groups_.size()) {
    std::ranges::copy(layout_->discrete_inputs, std::back_inserter(inputs_));
    for (const auto& p : layout_->parameters) parameters_.push_back(p.value);
    for (const auto& u : layout_->inputs) start_inputs_.push_back(u.start);
    reset();
  }

  [[nodiscard]] const model::Description& description() const noexcept override {
    return layout_->description;
  }
  [[nodiscard]] const numerics::Method& method() const noexcept override { return *method_; }
  [[nodiscard]] bool compiled_together() const noexcept override { return false; }

  void set_initial(In /*states*/) override { reset(); }
  void reset() noexcept override {
    failed_ = false;
    if (started_) take(instance_->reset());
    started_ = true;
    for (std::size_t i = 0; i < groups_.size(); ++i) set_parameters(i, true);
    set(inputs_, start_inputs_);
    if (!failed_) take(instance_->enter_initialization(0));
    if (!failed_) take(instance_->exit_initialization());
  }
  void set_states(In /*states*/) noexcept override {}
  void set_parameter(std::size_t i, double value) noexcept override {
    parameters_[i] = value;
    changed_[layout_->group_of_parameter[i]] = 1;
  }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  void begin(SimTime t, Duration h) noexcept override {
    t_ = seconds(t);
    end_ = seconds(t + h);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (changed_[i] != 0 && layout_->tunable[i]) set_parameters(i, false);
    }
  }
  [[nodiscard]] int passes() const noexcept override { return 1; }
  [[nodiscard]] double node(int /*pass*/) const noexcept override { return 0; }
  [[nodiscard]] bool starting() const noexcept override { return false; }
  void pass(int /*i*/, In u) noexcept override {
    set(inputs_, u);
    for (int part = 0; !failed_ && end_ - t_ > 1e-12; ++part) {
      Advance advance;
      const Status status = instance_->do_step(t_, end_ - t_, advance);
      const bool stuck = !(advance.reached > t_) || part == most_parts || advance.terminate;
      failed_ = (!good(status) && status != Status::discard) || stuck;
      t_ = advance.reached;
    }
  }
  void finish() noexcept override {}
  void rewind() noexcept override {}  // nothing asks for it: there are no events
  void restart() noexcept override {}

  [[nodiscard]] In states() const noexcept override { return {}; }
  [[nodiscard]] In start_states() const noexcept override { return {}; }
  [[nodiscard]] In start_derivatives() const noexcept override { return {}; }
  void derivatives(double /*t*/, In /*x*/, In /*u*/, Out /*dx*/) noexcept override {}
  void outputs(double /*t*/, In /*u*/, Out y) noexcept override {
    for (Group& g : read_) {
      if (failed_ || !take(instance_->get(g))) break;
      for (std::size_t i = 0; i < g.places.size(); ++i) y[g.places[i]] = g.values[i];
    }
    if (failed_) std::ranges::fill(y, nan);
  }
  void event_functions(double /*t*/, In /*x*/, In /*u*/, Out /*g*/) noexcept override {}
  void on_event(std::size_t /*index*/, double /*t*/, In /*u*/) noexcept override {}
  [[nodiscard]] SimTime next_time_event(SimTime /*t*/) const noexcept override {
    return model::never;
  }
  void on_time_event(double /*t*/, In /*u*/) noexcept override {}

 private:
  bool take(Status status) noexcept {
    failed_ = failed_ || !good(status);
    return !failed_;
  }
  void set(std::vector<Group>& groups, In from) noexcept {
    for (Group& g : groups) {
      for (std::size_t i = 0; i < g.values.size(); ++i) g.values[i] = from[g.places[i]];
      if (!failed_) take(instance_->set(g));
    }
  }
  // Before the start those that are not the FMU's own values.
  void set_parameters(std::size_t group, bool starting) noexcept {
    Group& g = groups_[group];
    bool own = true;
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      g.values[i] = parameters_[g.places[i]];
      own = own && g.values[i] == layout_->parameters[g.places[i]].value;
    }
    changed_[group] = 0;
    if (!failed_ && !(starting && own)) take(instance_->set(g));
  }

  std::shared_ptr<const Layout> layout_;
  std::unique_ptr<Instance> instance_;
  const numerics::Method* method_;
  std::vector<Group> inputs_, read_, groups_;
  std::vector<unsigned char> changed_;
  std::vector<double> parameters_, start_inputs_;
  double t_ = 0;
  double end_ = 0;
  bool started_ = false;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<model::Plant> make_co_simulation(std::shared_ptr<const Layout> layout,
                                                 std::unique_ptr<Instance> instance,
                                                 const numerics::Method& method) {
  return std::make_unique<CoSimulation>(std::move(layout), std::move(instance), method);
}

}  // namespace hild::fmi
