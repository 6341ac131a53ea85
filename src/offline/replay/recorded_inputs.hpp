// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs a run sampled, as functions of simulated time: what a reference run is driven by. And
/// the parameters that were set meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "hild/core/result.hpp"
#include "offline/reference/inputs.hpp"

namespace hild::replay {

/// Between two samples the cubic polynomial through the two before and the two after, of a lower
/// degree at the ends; lines that are held keep their last sample.
class RecordedInputs final : public reference::Inputs {
 public:
  /// A parameter of the model that took a value from outside.
  struct Setting {
    std::int64_t frame = 0;
    SimTime t{};
    std::size_t parameter = 0;
    double value = 0;
    bool restart = true;
  };

  /// `held` marks those inputs that are not interpolated.
  explicit RecordedInputs(std::vector<std::uint8_t> held) : held_(std::move(held)) {}
  RecordedInputs(RecordedInputs&& other) noexcept
      : held_(std::move(other.held_)),
        times_(std::move(other.times_)),
        values_(std::move(other.values_)),
        settings_(std::move(other.settings_)) {}

  /// The next sample; one that is not later than the last is left out.
  void add(SimTime t, std::span<const double> u);
  void add(const Setting& setting) { settings_.push_back(setting); }

  void at(double t, SimTime piece, std::span<double> u) const override;
  [[nodiscard]] SimTime next_break(SimTime t) const override;
  void enter(SimTime t, model::System& system) const override;

  [[nodiscard]] std::size_t samples() const noexcept { return times_.size(); }
  /// The instant of the last; there is one.
  [[nodiscard]] SimTime last() const noexcept { return times_.back(); }
  [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }

 private:
  [[nodiscard]] double sample(std::size_t i, std::size_t input) const {
    return values_[i * held_.size() + input];
  }

  std::vector<std::uint8_t> held_;
  std::vector<SimTime> times_;
  std::vector<double> values_;  // of each time all inputs
  std::vector<Setting> settings_;
};

}  // namespace hild::replay
