// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs of the pass at hand, from samples at their nominal times: as they were taken when
/// that was on time, else brought back to where they belong, or carried on to a node that lies
/// ahead. Real-time safe after construction.
#pragma once

#include <algorithm>

#include "exec/inputs.hpp"
#include "exec/settings.hpp"
#include "exec/statistics.hpp"

namespace hild::exec {

class PassInputs {
 public:
  /// `start` stands until the first sample, `held` as of Inputs. A late sample keeps a method of
  /// order `order` at it.
  PassInputs(const Settings& settings, std::vector<double> start, std::vector<std::uint8_t> held,
             int order, Statistics& statistics)
      : settings_(&settings),
        statistics_(&statistics),
        samples_(start.size(), std::move(held), settings.grid.period() / 16),
        late_degree_(std::min(order, static_cast<int>(Inputs::depth)) - 1),
        u_(std::move(start)) {}

  /// Those of the pass at hand; what is sampled for interlocks alone follows those of the plant.
  [[nodiscard]] std::span<double> of_pass() noexcept { return u_; }
  [[nodiscard]] std::span<const double> of_pass() const noexcept { return u_; }

  /// Where the next sample is to be read into; accept() makes it the newest.
  [[nodiscard]] std::span<double> incoming() noexcept { return samples_.incoming(); }
  void accept(MonoTime sampled) noexcept { samples_.accept(sampled); }
  [[nodiscard]] std::span<const double> newest() const noexcept { return samples_.newest(); }
  [[nodiscard]] MonoTime newest_time() const noexcept { return samples_.newest_time(); }

  /// The inputs of a pass at `nominal` from the newest sample, `waited` for or taken at once, in
  /// the step that was due at `due`.
  void use(MonoTime nominal, bool waited, MonoTime due) noexcept {
    const Duration late = samples_.newest_time() - nominal;
    const bool is_late = late.ns > 0 && (!waited || late > settings_->late_wake) && nominal >= due;
    const bool is_early = late.ns < 0 && settings_->sampling == Sampling::extrapolate;
    if (is_late || is_early) return move(nominal, is_late);
    if (nominal < due) return at(nominal, u_);  // runs behind on purpose
    double* u = u_.data();
#pragma GCC unroll 4
    for (const double value : samples_.newest()) *u++ = value;
  }
  /// The inputs at an instant within what was sampled.
  void at(MonoTime nominal, std::span<double> u) const noexcept {
    samples_.at(nominal, late_degree_, u);
  }

 private:
  [[gnu::noinline]] void move(MonoTime nominal, bool is_late) noexcept {
    samples_.at(nominal, is_late ? late_degree_ : settings_->extrapolation, u_);
    if (is_late) statistics_->late_samples.add();
  }

  const Settings* settings_;
  Statistics* statistics_;
  Inputs samples_;
  int late_degree_;
  std::vector<double> u_;
};

}  // namespace hild::exec
