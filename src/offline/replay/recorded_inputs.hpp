// SPDX-License-Identifier: Apache-2.0
/// \file
/// The inputs that a run sampled, as functions of simulated time by which a reference run is
/// driven; and the parameters that were set meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "hild/core/result.hpp"
#include "io/image_history.hpp"
#include "offline/reference/inputs.hpp"

namespace hild::replay {

/// Interpolates the images of each group: between two images by the cubic polynomial through the
/// two before and the two after, of a lower degree at the ends; lines that are held keep their last
/// value.
class RecordedInputs final : public reference::Inputs {
 public:
  /// A parameter of the model that was set from outside.
  struct Setting {
    std::int64_t frame = 0;
    SimTime t{};
    std::size_t parameter = 0;
    double value = 0;
    bool restart = true;
  };

  RecordedInputs(const std::vector<io::SampledInput>& inputs, std::size_t groups);
  RecordedInputs(RecordedInputs&& other) noexcept
      : groups_(std::move(other.groups_)), settings_(std::move(other.settings_)) {}

  /// Adds the next image, with the instants of its groups. A group that is not later than its last
  /// is left out.
  void add(std::span<const SimTime> instants, std::span<const double> u);
  void add(const Setting& setting) { settings_.push_back(setting); }

  void at(double t, SimTime piece, std::span<double> u) const override;
  /// Those of one group; the others stay.
  void at(std::size_t group, double t, SimTime piece, std::span<double> u) const;
  [[nodiscard]] SimTime next_break(SimTime t) const override;
  void enter(SimTime t, model::System& system) const override;

  /// The instant of the last image; earlier than all others where there is none.
  [[nodiscard]] SimTime last() const noexcept;
  [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }

 private:
  struct Group {
    std::vector<std::size_t> inputs;
    std::vector<bool> held;  // of each
    std::vector<SimTime> times;
    std::vector<double> values;  // of each time all its inputs
  };
  std::vector<Group> groups_;
  std::vector<Setting> settings_;
};

}  // namespace hild::replay
