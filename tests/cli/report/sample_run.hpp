// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run whose numbers are known: 1000 steps of 1 ms, three of them late. Durations below 32 ns
/// and single ones are exact in a histogram; the others within 3 %.
#pragma once

#include "cli/report/report.hpp"

namespace hild::report {

inline constexpr std::array sample_outputs{model::Output{"shaft_speed", "rad/s"}};

struct SampleRun {
  SampleRun() {
    config.file = "demo.yaml";
    config.model.type = "dc-motor";
    config.model.description.name = "dc-motor";
    config.model.description.outputs = sample_outputs;
    config.method = "rtam-2";
    config.settings.sampling = exec::Sampling::stage;
    config.settings.grid = Grid::of_rate_hz(1000);

    exec::Statistics& s = statistics;
    s.frames.set(1002);
    s.steps.set(1000);
    s.sim_time_ns.set(1'002'000'000);
    s.overruns.set(3);
    s.by_cause[static_cast<std::size_t>(io::Cause::device)].set(2);
    s.by_cause[static_cast<std::size_t>(io::Cause::late_wake)].set(1);
    s.late_wakes.set(4);
    s.doubled_steps.set(2);
    s.slips.set(1);
    s.frozen_frames.set(5);
    s.late_samples.set(6);
    s.state_events.set(7);
    s.state_events_deferred.set(8);
    s.capped[static_cast<std::size_t>(io::Cap::zero_advance)].set(16);
    s.time_events.set(9);
    s.events_served.set(10);
    s.events_deferred.set(11);
    s.events_refused.set(12);
    s.records_dropped.set(13);
    s.over_budget.set(14);
    s.wake.add(12'345_ns);
    s.work.add(250_us);
    s.margin.add(750_us);
    s.lateness.add(214_us);
    s.phases[static_cast<std::size_t>(io::Phase::device)].add(40_us);
    s.phases[static_cast<std::size_t>(io::Phase::passes)].add(9_us);
    s.phases[static_cast<std::size_t>(io::Phase::idle)].add(700_us);
    s.passes[0].add(5_us);
    s.passes[1].add(4_us);
  }

  [[nodiscard]] Report report() const {
    return make_report({.config = config,
                        .statistics = statistics,
                        .outcome = outcome,
                        .clamped_outputs = 15,
                        .device_failure = {},
                        .warnings = {Error{"no SCHED_FIFO", ExitCode::usage}}});
  }

  config::Config config;
  exec::Statistics statistics;
  exec::Outcome outcome;
};

}  // namespace hild::report
