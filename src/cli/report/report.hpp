// SPDX-License-Identifier: Apache-2.0
/// \file
/// All numbers of a run, in the units a person reads. Made once, after the run.
#pragma once

#include <boost/json/value.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/report/outcome.hpp"
#include "cli/report/plot.hpp"
#include "config/config.hpp"
#include "config/plan/plan.hpp"
#include "exec/followed_ticks.hpp"
#include "exec/histogram.hpp"
#include "exec/statistics.hpp"
#include "hild/core/result.hpp"
#include "hild/rt/thread.hpp"
#include "recording/framelog/frame_log.hpp"
#include "recording/record/overrun_attribution.hpp"

namespace hild::report {

/// Durations in [low, high).
struct Bin {
  Duration low{};
  Duration high{};
  std::int64_t count = 0;
};

/// The bins of a histogram, from the first to the last that is not empty; the smallest bin is 0 ...
/// 1 us.
[[nodiscard]] std::vector<Bin> log_bins(const exec::Histogram& histogram);

struct Quantiles {
  double p50 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
  double mean = 0;
};

struct Margin {
  double min = 0;
  double p1 = 0;  ///< 1 % of the steps had less
  double p50 = 0;
};

/// Counts and costs of the changes of one class from outside.
struct EventClassCounts {
  std::int64_t served = 0;
  std::int64_t deferred = 0;
  std::int64_t refused = 0;
  double prepare_us = 0;  ///< what one change costs, as estimated by admission
  double commit_us = 0;
};

struct Report {
  // What was run.
  std::string config;
  std::string model;
  std::string method;
  std::string sampling;
  double rate_hz = 0;
  double period_us = 0;

  exec::Counts counts;
  double sim_time_s = 0;
  std::int64_t overruns = 0;
  ByCause by_cause{};
  std::array<std::int64_t, io::cap_count> capped{};
  /// The steps in which one of several models reached each cap.
  struct Capped {
    std::string model;
    std::array<std::int64_t, io::cap_count> steps{};
  };
  std::vector<Capped> capped_by{};
  std::int64_t events_served = 0;
  std::int64_t events_deferred = 0;
  std::int64_t events_refused = 0;
  std::array<EventClassCounts, exec::event_classes> events_by_class{};
  std::int64_t clamped_outputs = 0;  ///< values that were cut to the limits of their line
  std::int64_t clamped_frames = 0;
  std::int64_t clamp_stretches = 0;  ///< uninterrupted stretches of such frames
  std::vector<std::string> clamped;  ///< names of those outputs
  /// What a device counted of its own; those that count nothing are left out.
  struct Device {
    struct Count {
      std::string name;
      std::int64_t value = 0;
      bool alarming = false;  ///< all is well while it is 0
    };
    std::string name;
    std::vector<Count> counts;
  };
  std::vector<Device> devices{};

  // In microseconds.
  Quantiles wake_latency;
  std::vector<Bin> wake_bins;
  Quantiles work;
  Quantiles lateness;  ///< of overruns only
  std::array<Quantiles, io::phase_count> phases{};
  std::vector<Quantiles> passes;  ///< one for each pass of a step
  /// Estimated error of a step, relative to the largest value of the state; 0: there is no
  /// estimate.
  Quantiles local_error;
  Margin margin;

  // Shares of the frame.
  Quantiles utilisation;
  double budget = 0;
  bool evidence = false;  ///< the configuration asks for evidence of the kernel

  // How it ended.
  exec::Outcome outcome;
  Verdict verdict;
  std::optional<plan::Containment> containment;  ///< of models that are not trusted
  std::vector<std::string> warnings;
  /// What a recorder has recorded, in all its files.
  struct Recording {
    std::string recorder;
    framelog::LogStatus log;
  };
  std::vector<Recording> recordings{};  ///< none: nothing was recorded
  /// What came of the sequence that steered it, as JSON; null: none did.
  boost::json::value sequence{};
  /// Of the device that the frames follow: how its ticks came, beside the counts.
  struct Ticks {
    std::string device;
    std::optional<exec::FollowedTicks> came{};  ///< none: none came
  };
  std::optional<Ticks> ticks{};
  std::optional<double> phase_error_us{};  ///< of the last tick, where frames are aligned to TAI
  /// The range of a signal over the run, and its last value.
  struct Signal {
    std::string name, unit;
    double min = 0, max = 0, last = 0;
  };
  std::vector<Signal> signals{};  ///< those that are plotted

  /// The share of steps that were overruns, in per cent.
  [[nodiscard]] double overrun_percent() const noexcept {
    const std::int64_t steps = counts[&exec::Statistics::steps];
    return steps > 0 ? 100.0 * static_cast<double>(overruns) / static_cast<double>(steps) : 0.0;
  }
};

/// What a report is made from.
struct Run {
  const config::Config& config;
  const exec::Statistics& statistics;
  exec::Outcome outcome{};
  std::int64_t clamped_outputs = 0;
  std::vector<io::CutOutput> cut_outputs{};
  std::vector<Report::Device> devices{};
  std::string device_failure{};  ///< after a device failed
  /// How the model's process ended by itself.
  std::string model_ending{};
  /// Corrections of the loop's causes; null: none.
  const record::CauseCorrections* corrections = nullptr;
  rt::Warnings warnings{};  ///< what the machine could not provide
  std::vector<Report::Recording> recordings{};
  boost::json::value sequence{};
};

[[nodiscard]] Report make_report(const Run& run);

/// What the devices have counted so far.
[[nodiscard]] std::vector<Report::Device> counted_by(std::span<const io::Member> devices);

/// Of what was plotted, as far as there was anything.
[[nodiscard]] std::vector<Report::Signal> ranges_of(std::span<const PlottedSignal> signals);

/// The report as JSON. Its names are part of the public surface.
[[nodiscard]] boost::json::value to_json(const Report& report);
/// What `--report FILE.json` writes.
[[nodiscard]] Result<void> write_json(const Report& report, const std::string& file);

}  // namespace hild::report
