// SPDX-License-Identifier: Apache-2.0
/// \file
/// A loop that is steered: what is posted in which step is scripted, and all of every record is
/// kept, with the replies.
#pragma once

#include <cmath>

#include "exec/fakes.hpp"

namespace hild::testing {

/// y0 = x, y1 = u; x' = gain u; the parameter has limits.
struct Tracker {
  static constexpr std::string_view name = "tracker";
  static constexpr std::string_view summary = "integrates its input, and shows it";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"x"}, model::Output{"u"}};
  static constexpr std::array parameters{model::Parameter{"gain", "1/s", 1.0, -1e6, 1e6},
                                         model::Parameter{"unused", "1", 0.0, -1e6, 1e6}};
  using D = model::Data<Tracker>;
  static void derivatives(double, D::X, D::U u, D::P p, D::DX dx) noexcept { dx[0] = p[0] * u[0]; }
  static void outputs_of(double, D::X x, D::U u, D::P, D::Y y) noexcept {
    y[0] = x[0];
    y[1] = u[0];
  }
};

/// One plant at 1 kHz on the virtual clock. `at[n]` is called while step n runs: what it posts is
/// prepared in the slack after that step.
struct SteeringRig {
  struct Step {
    io::FrameHeader header;
    std::vector<double> inputs;  ///< of the first pass
    std::vector<double> outputs;
    std::vector<double> states;
  };

  explicit SteeringRig(
      const numerics::Method& method = numerics::forward_euler,
      FakeSampler::Input input = [](double) { return 1.0; })
      : SteeringRig(model::make_stepper<Tracker>(method), std::move(input)) {}
  SteeringRig(std::unique_ptr<model::Stepper> made, FakeSampler::Input input)
      : sampler(clock, {std::move(input)}), plant(clock, std::move(made)) {
    settings.overrun.startup_grace = 0;
    sampler.origin = Rig::start;
    plant.extra_of = [this](std::int64_t step) {
      if (const auto found = at.find(step); found != at.end()) found->second();
      if (every_step) every_step(step);
      return Duration{};
    };
  }

  void post(const exec::Transaction& t) {
    EXPECT_EQ(events.submit(t), exec::Refusal::none) << "transaction " << t.id;
  }

  exec::Outcome run(std::int64_t frames) {
    const io::FrameLayout layout = exec::FrameLoop::layout(plant);
    rt::SlotRing ring(layout.bytes(), static_cast<std::size_t>(2 * frames + 8));
    loop = std::make_unique<exec::FrameLoop>(
        settings,
        exec::Parts{
            clock, sampler, plant, plain_inputs(1), {0.0}, &events, &ring, interlocks, alarms});
    const exec::Outcome outcome = loop->run(Rig::start, frames, stop);
    while (const std::byte* slot = ring.front()) {
      const io::FrameView v(layout, slot);
      loop->times().add(v);
      Step s{v.header(), {}, {}, {}};
      if (v.header().passes > 0) s.inputs.assign(v.inputs(0).begin(), v.inputs(0).end());
      s.outputs.assign(v.outputs().begin(), v.outputs().end());
      s.states.assign(v.states().begin(), v.states().end());
      steps.push_back(std::move(s));
      ring.release();
    }
    read_replies();
    return outcome;
  }
  void read_replies() {
    while (const auto r = events.next_reply()) replies.push_back(*r);
  }
  /// The input of every step that was not frozen.
  [[nodiscard]] std::vector<double> inputs() const {
    std::vector<double> u;
    for (const Step& s : steps) {
      if (!s.inputs.empty()) u.push_back(s.inputs[0]);
    }
    return u;
  }
  [[nodiscard]] const exec::EventCounts& counts(exec::EventClass c) const {
    return loop->statistics().events_by_class[static_cast<std::size_t>(c)];
  }

  rt::VirtualClock clock;
  FakeSampler sampler;
  CostlyPlant plant;
  exec::Settings settings;
  exec::ExternalEvents events;
  std::vector<exec::Interlock> interlocks;
  std::vector<exec::Alarm> alarms;
  rt::Flag stop;
  std::map<std::int64_t, std::function<void()>> at;
  std::function<void(std::int64_t)> every_step;
  std::unique_ptr<exec::FrameLoop> loop;
  std::vector<Step> steps;
  std::vector<exec::Reply> replies;
};

inline exec::Transaction at_frame(std::int64_t frame, exec::Transaction t) {
  t.when = exec::When::at_frame(frame);
  return t;
}

}  // namespace hild::testing
