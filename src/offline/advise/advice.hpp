// SPDX-License-Identifier: Apache-2.0
/// \file
/// Computes the advice of `hild advise`: the race against time. It has two halves, between which
/// the costs are measured: what there is to weigh, and what follows from it. Not real-time.
#pragma once

#include "config/plan/assembly.hpp"
#include "offline/advise/modes.hpp"
#include "offline/advise/remedies.hpp"
#include "offline/advise/trajectory.hpp"
#include "offline/advise/trial.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {

/// What the user asks for.
struct Wishes {
  double accuracy = 1e-3;  ///< of modes, of the response to inputs, of sampled inputs
  /// The bandwidth of interest; none: that of the signals of the trajectory.
  std::optional<double> bandwidth_hz{};
  std::optional<Duration> duration{};
  bool trials = true;  ///< runs beside the reference
};

/// Where the bandwidth of interest comes from.
enum class BandFrom { wish, signals, slowest_mode, nothing };

/// What is known of the model before anything is measured.
struct StepSizeAnalysis {
  Trajectory trajectory{};
  Modes modes{};
  std::optional<Split> split{};
  Demand demand{};
  double band = 0;  ///< omega of interest, rad/s
  BandFrom band_from = BandFrom::nothing;
  std::vector<Candidate>
      candidates{};  ///< the catalogue, and multirate: as configured, or by the split
};

/// Analyses the model. The modes that matter are those within the band, and always the slowest. The
/// inputs matter up to their own band, or to the one wished for; constant inputs, and models
/// without inputs, not at all.
[[nodiscard]] StepSizeAnalysis look_ahead(const plan::Assembly& assembly, Trajectory trajectory,
                                          const Wishes& wishes);

/// A plant to be measured, with a step at which it is stable: states that overflow would cost less
/// or more than those of a run.
struct Job {
  std::unique_ptr<model::Stepper> plant;
  Duration step;
};

/// Makes a plant for each candidate, to be measured.
[[nodiscard]] std::vector<Job> jobs(const plan::Assembly& assembly, const StepSizeAnalysis& known,
                                    double accuracy);

/// Measures the costs of each job, in order, on a thread scheduled like the frame thread: passes of
/// hundreds of steps each; wake latency, device calls, outputs, meters and record once for all.
/// `bus` is open, or null for free device calls; steps are taken as under `settings`.
[[nodiscard]] std::vector<plan::Measured> measure(std::span<const Job> jobs, io::Bus* bus,
                                                  rt::Clock& clock, const exec::Settings& settings);

struct Advice {
  std::string config_file{};
  std::string model{};
  std::vector<std::string> states{};  ///< names
  std::string method{};               ///< configured
  double h = 0;                       ///< configured, s
  exec::Sampling sampling = exec::Sampling::frame;
  double budget = 0;  ///< share of the frame, for the model's events
  Wishes wishes{};
  StepSizeAnalysis known{};
  std::vector<Window> windows{};        ///< the windows of the candidates, in order
  std::size_t configured = 0;           ///< index of the configured candidate
  std::optional<std::size_t> chosen{};  ///< index of the one recommended ...
  double chosen_h = 0;                  ///< ... with this step, s
  std::vector<std::string> yaml{};      ///< the lines of a configuration with the recommendation
  std::vector<Offer> offers{};          ///< remedies; empty while the configured window is open
  std::vector<std::string> notes{};

  [[nodiscard]] const Window& ours() const noexcept { return windows[configured]; }
  [[nodiscard]] bool in_window() const noexcept { return ours().holds(h); }
};

/// Makes the advice. `costs` are those of the candidates, in order. `go_on` is told how far the
/// trials are, 0 ... 1; false ends them.
[[nodiscard]] Advice advise(const plan::Assembly& assembly, StepSizeAnalysis known,
                            std::span<const plan::Measured> costs, const Wishes& wishes,
                            const std::function<bool(double)>& go_on = {});

}  // namespace hild::advise
