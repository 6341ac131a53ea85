// SPDX-License-Identifier: Apache-2.0
/// \file
/// A sampler whose inputs are functions of time, a plant whose passes cost scripted time, and a
/// loop built of them on the virtual clock: every overrun is exact and instant.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "exec/frame_loop.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {

/// Inputs are given functions of the time of sampling; writes are kept with their time.
class FakeSampler final : public io::Sampler {
 public:
  using Input = std::function<double(double)>;
  struct Write {
    MonoTime at;
    std::vector<double> y;
  };

  FakeSampler(rt::VirtualClock& clock, std::vector<Input> inputs)
      : clock_(&clock), inputs_(std::move(inputs)) {}

  bool exchange(std::span<const double> y, std::span<double> u, MonoTime /*now*/,
                std::span<MonoTime> instants) noexcept override {
    ++calls;
    if (on_call) on_call(calls);
    if (calls == most_calls) ADD_FAILURE() << "a run that does not end";
    if (calls == fail_at_call || calls >= most_calls) return false;
    if (!y.empty()) writes.push_back({clock_->now(), {y.begin(), y.end()}});
    wrote_last = !y.empty();
    cut.add(std::ranges::count_if(y, [this](double v) { return std::abs(v) > limit; }));
    if (!u.empty()) {
      const MonoTime sampled = stopped ? reads.back() : clock_->now();
      reads.push_back(sampled);
      for (MonoTime& instant : instants) instant = sampled + image_after;
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = inputs_[i](static_cast<double>((sampled + image_after - origin).ns) * 1e-9);
      }
      for (std::uint32_t& count : raw) ++count;
    }
    clock_->advance(cost);
    return true;
  }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return raw; }
  [[nodiscard]] const rt::Counter* cut_values() const noexcept override { return &cut; }
  [[nodiscard]] std::size_t heard() const noexcept override { return lines_heard; }
  [[nodiscard]] bool wrote() const noexcept override { return wrote_last; }
  void written(std::span<double> values) const noexcept override {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = writes.back().y[i];
  }
  [[nodiscard]] std::size_t faults() const noexcept override { return ranges.size(); }
  [[nodiscard]] std::optional<io::Interval> fault_range(std::size_t fault) const noexcept override {
    if (fault >= ranges.size()) return {};
    return ranges[fault];
  }
  void set_fault(std::size_t fault, bool there, double value) noexcept override {
    in_force[fault] = there ? std::optional(value) : std::nullopt;
  }
  void disarm() noexcept override { ++disarms; }
  bool safe() noexcept override {
    ++safe_calls;
    return safe_works;
  }

  std::function<void(int)> on_call;  ///< called first, with the number of the call
  Duration cost{};
  Duration image_after{};  ///< from the call to the image
  bool stopped = false;    ///< no new images are made
  MonoTime origin{};       ///< inputs are functions of the time since
  int calls = 0;
  int fail_at_call = -1;
  static constexpr int most_calls = 1'000'000;  ///< more than any test takes
  int safe_calls = 0;
  int disarms = 0;
  bool safe_works = true;           ///< what safe() returns
  std::vector<std::uint32_t> raw;   ///< counts that come with every image; sized before the loop
  std::size_t lines_heard = 0;      ///< of the outputs, the first so many
  bool wrote_last = false;          ///< in the last call
  double limit = model::unlimited;  ///< outputs of a larger size are counted as cut
  rt::Counter cut;
  static constexpr std::array ranges{io::Interval{0, 0}, io::Interval{0.001, 10}};  ///< of faults
  std::array<std::optional<double>, 2> in_force{};                                  ///< those there
  std::vector<Write> writes;
  std::vector<MonoTime> reads;

 private:
  rt::VirtualClock* clock_;
  std::vector<Input> inputs_;
};

/// Inputs of one image group that are interpolated.
inline std::vector<io::SampledInput> plain_inputs(std::size_t n,
                                                  const std::vector<double>& jumps = {},
                                                  const std::vector<io::LossRule>& losses = {}) {
  std::vector<io::SampledInput> inputs(n);
  for (std::size_t i = 0; i < losses.size(); ++i) inputs[i].loss = losses[i];
  for (std::size_t i = 0; i < jumps.size(); ++i) inputs[i].jump = jumps[i];
  return inputs;
}

/// The one input of a model that has none.
inline FakeSampler::Input nothing() {
  return [](double) { return 0.0; };
}

/// Passes everything on to the system of a real plant, and spends time in it.
class CostlySystem final : public model::System {
 public:
  CostlySystem(rt::VirtualClock& clock, model::System& system) : clock_(&clock), system_(&system) {}

  Duration set_cost{};         ///< of setting a parameter
  Duration event_cost{};       ///< of the action of a state event
  Duration time_event_cost{};  ///< of that of a time event
  Duration functions_cost{};   ///< of the event functions
  int evaluations = 0;         ///< of derivatives
  /// What is cut short in a step, by number of the step; set before the loop is made.
  std::function<void(std::int64_t, model::CapCounts&)> cuts_of;
  model::CapCounts cuts;
  const model::CapCounts* told_cuts = nullptr;  ///< in the place of both
  std::span<const std::string_view> parts{};    ///< names of several models

  const model::Description& description() const noexcept override {
    if (parts.empty()) return system_->description();
    described_ = system_->description();
    described_.parts = parts;
    return described_;
  }
  void set_initial(In x) override { system_->set_initial(x); }
  void start(Out x) noexcept override { system_->start(x); }
  void set_parameter(std::size_t i, double v) noexcept override {
    system_->set_parameter(i, v);
    clock_->advance(set_cost);
  }
  double parameter(std::size_t i) const noexcept override { return system_->parameter(i); }
  void derivatives(double t, In x, In u, Out dx) noexcept override {
    system_->derivatives(t, x, u, dx);
    ++evaluations;
  }
  void outputs(double t, In x, In u, Out y) noexcept override { system_->outputs(t, x, u, y); }
  void event_functions(double t, In x, In u, Out g) noexcept override {
    system_->event_functions(t, x, u, g);
    clock_->advance(functions_cost);
  }
  void on_event(std::size_t i, double t, Out x, In u) noexcept override {
    system_->on_event(i, t, x, u);
    clock_->advance(event_cost);
  }
  SimTime next_time_event(SimTime t) const noexcept override { return system_->next_time_event(t); }
  void on_time_event(double t, Out x, In u) noexcept override {
    system_->on_time_event(t, x, u);
    clock_->advance(time_event_cost);
  }
  const model::CapCounts* cap_counts() const noexcept override {
    if (told_cuts != nullptr) return told_cuts;
    return cuts_of ? &cuts : system_->cap_counts();
  }
  const char* failed_function() const noexcept override { return system_->failed_function(); }

 private:
  rt::VirtualClock* clock_;
  model::System* system_;
  mutable model::Description described_{};
};

/// Passes on to several models where there are some; what each cuts short may be told instead.
class CutModels final : public model::Composite {
 public:
  CutModels(model::Stepper& whole, model::Composite* models) : whole_(&whole), models_(models) {}
  void connect(SimTime t, std::span<double> u) noexcept override {
    if (models_ != nullptr) models_->connect(t, u);
  }
  void reconnect(std::span<double> u) const noexcept override {
    if (models_ != nullptr) models_->reconnect(u);
  }
  // By the passes of the whole, which cost something.
  const model::Passes& step_connected(SimTime t, Duration h,
                                      std::span<const double> u) noexcept override {
    return whole_->step(t, h, u);
  }
  int cycle() const noexcept override { return models_ != nullptr ? models_->cycle() : 1; }
  model::Stepper& model(std::size_t part) noexcept override {
    return models_ != nullptr ? models_->model(part) : *whole_;
  }
  int substeps_of(std::size_t part) const noexcept override {
    return models_ != nullptr ? models_->substeps_of(part) : 1;
  }
  std::span<const double> inputs_of(std::size_t part, SimTime t,
                                    std::span<const double> u) noexcept override {
    return models_ != nullptr ? models_->inputs_of(part, t, u) : u;
  }
  void set_aside(std::size_t part) noexcept override { models_->set_aside(part); }
  void note_event(std::size_t part) noexcept override { models_->note_event(part); }
  std::int64_t slow_events() const noexcept override {
    return models_ != nullptr ? models_->slow_events() : 0;
  }
  const model::CapCounts* cap_counts_of(std::size_t part) const noexcept override {
    if (!cuts_by.empty()) return &cuts_by[part];
    return models_ != nullptr ? models_->cap_counts_of(part) : nullptr;
  }

  std::vector<model::CapCounts> cuts_by;

 private:
  model::Stepper* whole_;
  model::Composite* models_;
};

/// Passes everything on to a real plant, and spends time in its passes.
class CostlyPlant : public model::Stepper {
 public:
  CostlyPlant(rt::VirtualClock& clock, std::unique_ptr<model::Stepper> plant)
      : Stepper(costs, plant->compiled_together(), &cut_models),
        costs(clock, plant->system()),
        cut_models(*this, plant->models()),
        clock_(&clock),
        plant_(std::move(plant)) {}

  CostlySystem costs;  ///< of the equations
  CutModels cut_models;
  Duration pass_cost{};                    ///< of every pass
  Duration save_cost{};                    ///< of saving its state, or loading it
  const char* cannot_be_saved = nullptr;   ///< why its state cannot be saved
  std::map<std::int64_t, Duration> extra;  ///< of the first pass of a step, by number of the step
  std::function<Duration(std::int64_t)> extra_of;

  /// Several models, as far as what is cut short is concerned. The names outlive the plant.
  void consist_of(std::span<const std::string_view> names) {
    costs.parts = names;
    cut_models.cuts_by.resize(names.size());
  }
  const numerics::Method& method() const noexcept override { return plant_->method(); }
  const model::Passes& begin(SimTime t, Duration h) noexcept override {
    starts.push_back(t);
    lengths.push_back(h);
    return plant_->begin(t, h);
  }
  void pass(int i, In u) noexcept override {
    plant_->pass(i, u);
    ++costs.evaluations;
    clock_->advance(pass_cost);
    if (i != 0) return;
    if (const auto e = extra.find(step_); e != extra.end()) clock_->advance(e->second);
    if (extra_of) clock_->advance(extra_of(step_));
    if (costs.cuts_of) costs.cuts_of(step_, costs.cuts);
    ++step_;
  }
  void finish() noexcept override { plant_->finish(); }
  bool finish_early() noexcept override { return plant_->finish_early(); }
  bool dense(double theta, Out x) const noexcept override { return plant_->dense(theta, x); }
  bool error_estimate(Out error) const noexcept override { return plant_->error_estimate(error); }
  bool pass_outputs(int i, In u, Out y) noexcept override { return plant_->pass_outputs(i, u, y); }
  void rewind() noexcept override { plant_->rewind(); }
  void restart(model::Restart from) noexcept override { plant_->restart(from); }
  void transfer(Archive& archive, int made) noexcept override {
    if (cannot_be_saved != nullptr) return archive.refuse(cannot_be_saved);
    plant_->transfer(archive, made);
    if (!archive.measures()) clock_->advance(save_cost);
  }
  Out states() noexcept override { return plant_->states(); }
  StepStart step_start() const noexcept override { return plant_->step_start(); }

  std::vector<SimTime> starts;  ///< of every step begun
  std::vector<Duration> lengths;

 private:
  rt::VirtualClock* clock_;
  std::unique_ptr<model::Stepper> plant_;
  std::int64_t step_ = 0;
};

/// x' = -x + u, y = x.
struct Lag {
  static constexpr std::string_view name = "lag";
  static constexpr std::string_view summary = "first-order lag";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"rate", "1/s", 1.0}};
  using D = model::Data<Lag>;
  static void derivatives(double, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = p[0] * (u[0] - x[0]);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// A loop over one plant at 1 kHz on the virtual clock.
struct Rig {
  explicit Rig(
      const numerics::Method& method = numerics::forward_euler,
      const FakeSampler::Input& input = [](double) { return 0.0; })
      : Rig(model::make_stepper<Lag>(method), input) {}
  Rig(std::unique_ptr<model::Stepper> made, const FakeSampler::Input& input)
      : sampler(clock, std::vector<FakeSampler::Input>(made->description().inputs.size(), input)),
        plant(clock, std::move(made)) {
    settings.overrun.startup_grace = 0;
    sampler.origin = start;
  }

  exec::Outcome run(std::int64_t frames) {
    const io::FrameLayout layout = exec::FrameLoop::layout(plant);
    rt::SlotRing ring(layout.bytes(), static_cast<std::size_t>(2 * frames + 8));
    const std::size_t inputs = plant.description().inputs.size();
    exec::Parts parts{clock,
                      sampler,
                      plant,
                      plain_inputs(inputs, jumps, losses),
                      std::vector<double>(inputs, 0.0),
                      &events,
                      &ring};
    for (std::size_t i = 0; i < held.size(); ++i) parts.inputs[i].held = held[i];
    parts.heartbeat = heartbeat;
    parts.first_frame = first_frame;
    loop = std::make_unique<exec::FrameLoop>(settings, std::move(parts));
    const exec::Outcome outcome = loop->run(start, frames, stop);
    while (const std::byte* slot = ring.front()) {
      const io::FrameView view(layout, slot);
      records.push_back(view.header());
      loop->times().add(view);
      auto& costs = pass_costs.emplace_back();
      for (int i = 0; i < view.header().passes; ++i) {
        costs.push_back(view.cost(static_cast<std::size_t>(i)));
      }
      ring.release();
    }
    return outcome;
  }

  [[nodiscard]] std::vector<int> spans() const {
    std::vector<int> s;
    for (const auto& r : records) s.push_back(r.span);
    return s;
  }
  [[nodiscard]] const exec::Statistics& statistics() const { return loop->statistics(); }

  static constexpr MonoTime start{1'000'000'000};
  rt::VirtualClock clock;
  FakeSampler sampler;
  CostlyPlant plant;
  exec::Settings settings;
  exec::ExternalEvents events;
  std::vector<double> jumps;
  std::vector<io::LossRule> losses;
  std::vector<bool> held;  ///< which inputs are
  rt::Heartbeat* heartbeat = nullptr;
  std::int64_t first_frame = 0;  ///< counters start here
  rt::Flag stop;
  std::unique_ptr<exec::FrameLoop> loop;
  std::vector<io::FrameHeader> records;
  std::vector<std::vector<Duration>> pass_costs;
};

/// Changes that take effect together; id 0: no reply.
template <class... Changes>
exec::Transaction transaction(std::uint64_t id, const Changes&... changes) {
  exec::Transaction t;
  t.id = id;
  (t.add(changes), ...);
  return t;
}

/// A tick, or a part between ticks, of the rig's 1 kHz grid.
constexpr MonoTime frame_time(double frames) { return Rig::start + part(1_ms, frames); }

}  // namespace hild::testing
